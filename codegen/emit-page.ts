import { typeText } from './emit-types';
import { armReference, asoReference, code, constraints, documentedFacts, summary, whenLeftOut } from './facts-text';
import type {
  ChildModel,
  Declared,
  EnumModel,
  KindModel,
  OutputModel,
  OwnerModel,
  PropertyModel,
  ServiceModel,
  StructModel,
  TypeModel,
} from './model';
import { refInterfaceOf } from './names';
import { nameRule } from './sample-text';
import { innermost } from './service-model';
import { snippet, type ModelOf } from './snippet';
import { kindNoun, withArticle } from './words';
import { shortNameOf } from '../src/catalog/short-names';
import { groupOfService, OWN_GROUPS } from '../src/util/api-groups';

/**
 * `docs/api/<service>.md`.
 * @param modelOf finds the services of owners
 */
export function servicePage(service: ServiceModel, modelOf: ModelOf): string {
  const declared = [...service.shared, ...service.kinds.flatMap((kind) => kind.own)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const structs = declared.filter((one): one is StructModel => one.is === 'struct');
  const enums = declared.filter((one): one is EnumModel => one.is === 'enum');
  const known = new Set(declared.map((one: Declared) => one.name));
  return [
    `# ${service.submodule}\n`,
    `API group \`${groupOfService(service.service)}\`.\n`,
    `\`\`\`ts\nimport { ${service.submodule} } from 'cdk8s-aso';\n// or, only this service:\nimport * as ${service.submodule} from 'cdk8s-aso/${service.submodule}';\n\`\`\`\n`,
    '| Class | ARM type | API version | Owner |\n|---|---|---|---|',
    `${service.kinds.map((kind) => `| [${kind.className}](#${kind.className.toLowerCase()}) | ${kind.version.facts.arm ? code(kind.version.facts.arm.type) : '–'} | ${kind.version.facts.arm?.apiVersion ?? '–'} | ${ownerCell(kind.owner)} |`).join('\n')}\n`,
    'Every class also takes `metadata`, `reconcilePolicy`, `adopt`, `removalPolicy`, `ignoreChanges`, `credential`, `apiVersion` and `additionalSpec`.\n',
    '`outputs` are values that exist once Azure has made the resource: giving one to another resource or to a pod exports it to a ConfigMap.',
    '`secretOutputs` do the same by a Secret. [The model](../model.md) says more.\n',
    'Each example is an app of its own: what the schema requires, for common kinds what Azure asks for besides, and the owners that it takes.',
    'The ARM template reference has the properties that a resource of your own needs beyond that. Objects named `shared-…` and Secrets have to be there already.\n',
    ...service.kinds.map((kind) => kindSection(kind, service, known, snippet(kind, service, modelOf))),
    ...(structs.length > 0 ? ['## Types\n', ...structs.map((struct) => structSection(struct, known))] : []),
    ...(enums.length > 0 ? ['## Enums\n', ...enums.map(enumSection)] : []),
  ].join('\n');
}

/** `docs/api/README.md`: every service with its classes. */
export function servicesPage(services: readonly ServiceModel[]): string {
  const kinds = services.flatMap(({ kinds: ofService }) => ofService.map(({ version }) => version.kind));
  return [
    '# Services\n',
    `One class for each of the ${kinds.filter(({ group }) => !group.endsWith(OWN_GROUPS)).length} kinds of Azure Service Operator v2, and for those of this package (\`${OWN_GROUPS.slice(1)}\`).`,
    'A page has an example, the properties and the outputs of every class.',
    'What is written by hand has [pages of its own](../modules/README.md).\n',
    '| Service | API group | Classes |\n|---|---|---|',
    ...services.map(({ submodule, service, kinds: ofService }) => {
      const classes = ofService.map(({ className }) => `[${className}](${submodule}.md#${className.toLowerCase()})`);
      return `| [${submodule}](${submodule}.md) | ${code(groupOfService(service))} | ${classes.join(', ')} |`;
    }),
    '',
  ].join('\n');
}

function ownerCell(owner: OwnerModel): string {
  if (owner.kind === 'known') return code(refInterfaceOf(owner.className));
  return owner.kind === 'any' ? 'any resource' : '–';
}

function kindSection(kind: KindModel, service: ServiceModel, known: Set<string>, example: string): string {
  const { arm, since } = kind.version.facts;
  const learn = armReference(kind.version);
  const short = shortNameOf(service.service, kind.className);
  const links = [
    `[${kind.version.kind.group.endsWith(OWN_GROUPS) ? 'guide' : 'reference of Azure Service Operator'}](${asoReference(kind.version)})`,
    ...(learn ? [`[ARM template reference](${learn})`] : []),
  ];
  return [
    `## ${kind.className}\n`,
    `${arm ? `${code(arm.type)}, api-version ${arm.apiVersion}` : 'Not a resource of Azure Resource Manager'}; version ${code(kind.version.name)}${since ? `, in Azure Service Operator since ${since}` : ''}.`,
    `${kind.owner.kind === 'known' ? `Owner: ${withArticle(kindNoun(kind.owner.className))} (${code(refInterfaceOf(kind.owner.className))}).` : kind.owner.kind === 'any' ? 'Owner: any resource.' : 'No owner.'}`,
    ...[short && `TypeScript also knows it as ${code(short)}.`, nameRule(kind)].filter((text) => text !== undefined),
    `See the ${links.join(' and the ')}.\n`,
    versions(kind),
    `\`\`\`ts\n${example}\n\`\`\`\n`,
    ...ownersMethods(kind, service),
    propertyTable(kind.spec, kind.owner, known),
    ...childTable(service.children.get(kind.className) ?? []),
    ...outputTable('Outputs', 'outputs', 'Status', kind.outputs),
    ...outputTable('Secrets', 'secretOutputs', undefined, kind.secretOutputs),
  ].join('\n');
}

/** The API versions of the kind, each with its first release. */
function versions({ version }: KindModel): string {
  const { kind } = version;
  const all = kind.versionNames.map((name) => {
    const { since, deprecated } = kind.version(name)!.facts;
    const notes = [...(since ? [`since ${since}`] : []), ...(deprecated ? ['to be removed'] : [])];
    return `${code(name)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  return `API versions: ${all.join(', ')}.\n`;
}

function structSection(struct: StructModel, known: Set<string>): string {
  return [
    `### ${struct.name}\n`,
    ...(struct.oneOf ? ['Exactly one of the alternatives has to be given.\n'] : []),
    propertyTable(struct, { kind: 'none' }, known),
  ].join('\n');
}

function enumSection(model: EnumModel): string {
  return [
    `### ${model.name}\n`,
    '| Member | Value |\n|---|---|',
    `${model.members.map(({ name, value }) => `| ${code(name)} | ${cell(code(value))} |`).join('\n')}\n`,
  ].join('\n');
}

function propertyTable(struct: StructModel, owner: OwnerModel, known: Set<string>): string {
  if (struct.properties.length === 0) return 'No properties.\n';
  const required = struct.properties.filter((property) => property.facts.required);
  const optional = struct.properties.filter((property) => !property.facts.required);
  const rows = [...required, ...optional].map((property) => `| ${code(property.propName)} | ${linked(property.type, owner, known)} | ${property.byScope ? 'or by scope' : property.facts.required ? 'yes' : ''} | ${about(property, struct)} |`);
  return ['| Property | Type | Required | |\n|---|---|---|---|', `${rows.join('\n')}\n`].join('\n');
}

function about(property: PropertyModel, struct: StructModel): string {
  const { enum: _, ...withoutEnum } = property.facts;
  const facts = property.type.is === 'declared' ? { ...property, facts: withoutEnum } : property;
  const fallback = (property.facts.default ?? property.doc?.default) === undefined ? [] : [`Default: ${code(whenLeftOut(property, struct))}.`];
  const renamed = property.propName === property.specName ? [] : [`${code(property.specName)} in the manifest.`];
  const texts = [summary(property, struct), ...renamed, ...constraints(facts), ...documentedFacts(property), ...fallback];
  return cell(texts.filter((text) => text !== undefined).join(' '));
}

/** The type, with a link if its table is on the page. */
function linked(type: TypeModel, owner: OwnerModel, known: Set<string>): string {
  const text = cell(code(typeText(type, owner)));
  const inner = innermost(type);
  return inner.is === 'declared' && known.has(inner.name) ? `[${text}](#${inner.name.toLowerCase()})` : text;
}

/** Text for a table cell: a bar would end the cell, even inside code. */
function cell(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/[\r\n]+/g, ' ');
}

/** The methods of owners that create the kind. */
function ownersMethods({ className }: KindModel, { children }: ServiceModel): string[] {
  const methods = [...children].flatMap(([owner, all]) =>
    all.filter(({ kind }) => kind.className === className).map(({ name }) => `[${code(`${owner}.add${name}(id, options)`)}](#${owner.toLowerCase()})`));
  if (methods.length === 0) return [];
  return [`An owner in the app creates it too, with the same properties without ${code('owner')}: ${methods.join(', ')}.\n`];
}

/** The methods that create children. */
function childTable(children: readonly ChildModel[]): string[] {
  if (children.length === 0) return [];
  const rows = children.map(({ kind: { className }, name, property }) => {
    const also = property === undefined ? '' : `; ${code(property)} has the one of this app, or creates it`;
    return `| ${code(`add${name}(id, options)`)} | [${code(className)}](#${className.toLowerCase()})${also} |`;
  });
  return ['| Method | Creates |\n|---|---|', `${rows.join('\n')}\n`];
}

function outputTable(title: string, member: string, source: string | undefined, outputs: OutputModel[]): string[] {
  if (outputs.length === 0) return [];
  const rows = outputs.map((output) =>
    source
      ? `| ${code(`${member}.${output.propName}`)} | ${output.source ? code(`status.${output.source}`) : ''} |`
      : `| ${code(`${member}.${output.propName}`)} |`,
  );
  return [source ? `| ${title} | ${source} |\n|---|---|` : `| ${title} |\n|---|`, `${rows.join('\n')}\n`];
}
