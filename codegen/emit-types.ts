import { comment } from './comment';
import { armPath, constraints, documentedFacts, otherForm, saysSomething, summary, whenLeftOut } from './facts-text';
import type { Declared, EnumModel, OwnerModel, PropertyModel, StructModel, TypeModel } from './model';
import { refInterfaceOf } from './names';
import { visibleLiteral } from '../src/azure/visible-text';
import { listed } from '../src/util/words';

/** The TypeScript of a type. */
export function typeText(type: TypeModel, owner: OwnerModel): string {
  switch (type.is) {
    case 'scalar':
      return type.or === undefined ? type.text : `${type.text} | ${type.or}`;
    case 'array':
      return `${typeText(type.of, owner)}[]`;
    case 'map':
      return `{ [key: string]: ${typeText(type.of, owner)} }`;
    case 'owner':
      return owner.kind === 'known' ? refInterfaceOf(owner.className) : 'IAzureResourceRef';
    default:
      return type.name;
  }
}

/** An interface for a struct of the catalog. */
export function structText(struct: StructModel, owner: OwnerModel, about: string[], base?: string): string {
  const head = `export interface ${struct.name}${base ? ` extends ${base}` : ''} {\n`;
  const body = struct.properties.map((property) => propertyText(property, struct, owner)).join('\n');
  return `${comment(about)}${head}${body}}\n`;
}

function propertyText(property: PropertyModel, struct: StructModel, owner: OwnerModel): string {
  const { facts } = property;
  const other = facts.alternativeTo && struct.properties.find((candidate) => candidate.specName === facts.alternativeTo);
  const replacing = struct.properties.find((candidate) => candidate.facts.alternativeTo === property.specName);
  const optional = facts.required !== true || property.byScope === true;
  const about = summary(property, struct);
  const elsewhere = otherForm(property, replacing, about !== undefined);
  const sibling = other ?? replacing;
  const said = sibling && `Either this or \`${sibling.propName}\`.`;
  const details = [
    property.propName === property.specName ? undefined : `Called \`${property.specName}\` in the manifest.`,
    other ? `Stands for \`${other.propName}\`: give one of the two.` : undefined,
    elsewhere,
    ...constraints(property),
    ...documentedFacts(property).filter((text) => text !== said || !(other ?? elsewhere)),
    property.type.is === 'core' && property.type.name === 'SecretValue' ? 'Give `SecretValue.fromSecret(\'name\', \'key\')`.' : undefined,
    armPath(property),
  ].filter((text) => text !== undefined);
  const paragraphs = [about, details.join(' ')].filter((text): text is string => text !== undefined && text !== '');
  const alternative = elsewhere === undefined && replacing ? `\`${replacing.propName}\`` : undefined;
  const leftOut = struct.oneOf && facts.inline ? '- another alternative is given' : whenLeftOut(property, struct, alternative);
  const tags = optional && saysSomething(leftOut) ? [`@default ${leftOut}`] : [];
  return `${comment(paragraphs, tags, '  ')}  readonly ${property.propName}${optional ? '?' : ''}: ${typeText(property.type, owner)};\n`;
}

export function enumText(model: EnumModel, uses: readonly string[]): string {
  const members = model.members.map(({ name, value }) => `${comment([`\`${value}\``], [], '  ')}  ${name} = ${literal(value)},\n`);
  return `${comment([`Values of ${listed(placesOf(uses))}.`])}export enum ${model.name} {\n${members.join('')}}\n`;
}

/** A struct or enum other than a spec. */
export function declaredText(declared: Declared, uses: ReadonlyMap<string, readonly string[]>): string {
  if (declared.is === 'enum') return enumText(declared, uses.get(declared.name) ?? []);
  return structText(declared, { kind: 'none' }, aboutStruct(declared, uses.get(declared.name) ?? []));
}

function aboutStruct(struct: StructModel, uses: readonly string[]): string[] {
  return [...aboutUnion(struct), `The value of ${listed(placesOf(uses))}.`];
}

/** The first places of many. */
function placesOf(uses: readonly string[]): readonly string[] {
  const places = uses.map((place) => `\`${place}\``);
  return places.length > 4 ? [...places.slice(0, 3), `${places.length - 3} others`] : places;
}

/** The doc comment of a union; empty for other structs. */
export function aboutUnion(struct: StructModel): string[] {
  const alternatives = struct.properties.filter((property) => property.facts.inline).map((property) => `\`${property.propName}\``);
  return struct.oneOf ? [`One of several shapes: give exactly one of ${listed(alternatives, 'or')}.`] : [];
}

/** A TypeScript literal in single quotes, with invisible characters escaped. */
export function literal(text: string): string {
  return `'${visibleLiteral(JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, '\\\''))}'`;
}

/** Names from this service, from core and from cdk8s that the types of properties mention. */
export function namesIn(struct: StructModel): { declared: string[]; core: string[]; cdk8s: string[] } {
  const declared: string[] = [];
  const core: string[] = [];
  const cdk8s: string[] = [];
  const visit = (type: TypeModel): void => {
    if (type.is === 'declared') declared.push(type.name);
    else if (type.is === 'core') core.push(type.name);
    else if (type.is === 'scalar' && type.or !== undefined) cdk8s.push(type.or);
    else if (type.is === 'array' || type.is === 'map') visit(type.of);
  };
  struct.properties.forEach((property) => visit(property.type));
  return { declared, core, cdk8s };
}
