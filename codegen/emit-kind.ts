import { comment } from './comment';
import { childrenText, propsText } from './emit-children';
import { aboutUnion, declaredText, literal, namesIn } from './emit-types';
import { armReference, asoReference, code } from './facts-text';
import { Imports } from './imports';
import type { ChildModel, KindModel, OutputModel, ServiceModel, StructModel } from './model';
import { optionsOf, refInterfaceOf, refMemberOf } from './names';
import { LIBRARY, type Sources } from './sources';
import { kindNoun, phrase, withArticle } from './words';
import { shortNameOf } from '../src/catalog/short-names';
import { OWN_GROUPS } from '../src/util/api-groups';
import { capitalized, uncapitalized } from '../src/util/words';

/**
 * The file of a kind: reference interface, props, class, outputs, and the types that no other kind uses.
 * @param sources the modules that the code imports
 */
export function kindFile(kind: KindModel, service: ServiceModel, sources: Sources = LIBRARY): string {
  const parts = [
    ownerAlias(kind, sources),
    sources.refs === undefined ? referenceText(kind) : undefined,
    propsText(kind, [`Properties of ${withArticle(kindNoun(kind.className))}: its spec, flat.`, ...aboutUnion(kind.spec)], sources.refs !== undefined),
    classText(kind, childrenIn(kind, service, sources)),
    kind.outputs.length > 0 ? outputsText(kind, kind.outputs, 'Outputs') : undefined,
    kind.secretOutputs.length > 0 ? outputsText(kind, kind.secretOutputs, 'SecretOutputs') : undefined,
    ...kind.own.map((declared) => declaredText(declared, service.uses)),
  ].filter((part) => part !== undefined);
  return `${importsOf(kind, service, sources)}${registration(sources)}\n${parts.join('\n')}`;
}

/** The file of the reference interfaces, which owners and children have in common. */
export function refsFile(service: ServiceModel, sources: Sources = LIBRARY): string {
  const imports = new Imports().type(sources.core, 'AzureResourceReference', 'IAzureResourceRef').text;
  return `${imports}\n${service.kinds.map(referenceText).join('\n')}`;
}

/** The file of the types that several kinds of a service share. */
export function sharedFile(service: ServiceModel, sources: Sources = LIBRARY): string {
  const names = service.shared.flatMap((declared) => (declared.is === 'struct' ? [namesIn(declared)] : []));
  const imports = new Imports()
    .type('cdk8s', ...names.flatMap(({ cdk8s }) => cdk8s))
    .type(sources.core, ...names.flatMap(({ core }) => core)).text;
  return `${imports}${imports === '' ? '' : '\n'}${service.shared.map((declared) => declaredText(declared, service.uses)).join('\n')}`;
}

/** Registers the kinds before a resource of one is created. */
function registration({ registration: from }: Sources): string {
  return from === undefined ? '' : `import '${from}';\n`;
}

/** The reference interface of an owner that is exported only from the library's root. */
function ownerAlias({ owner, className }: KindModel, { builtIn }: Sources): string | undefined {
  if (owner.kind !== 'known' || !builtIn(owner) || owner.className === className) return undefined;
  const name = refInterfaceOf(owner.className);
  return `type ${name} = ${owner.submodule}.${name};\n`;
}

/** The children for which the class has methods. */
function childrenIn(kind: KindModel, service: ServiceModel, { refs }: Sources): readonly ChildModel[] {
  return refs === undefined ? [] : service.children.get(kind.className) ?? [];
}

function importsOf(kind: KindModel, service: ServiceModel, sources: Sources): string {
  const structs = [kind.spec, ...kind.own.filter((declared): declared is StructModel => declared.is === 'struct')].map(namesIn);
  const ownNames = new Set(kind.own.map((declared) => declared.name));
  const foreign = structs.flatMap((names) => names.declared).filter((name) => !ownNames.has(name));
  const imports = new Imports()
    .type('constructs', 'Construct')
    .type('cdk8s', ...structs.flatMap((names) => names.cdk8s))
    .value(sources.core, 'AzureReference', 'AzureResource')
    .type(sources.core, 'AzureResourceProps', 'AzureResourceReference', ...structs.flatMap((names) => names.core))
    .type(sources.file('./shared'), ...foreign);
  if (sources.refs === undefined || kind.owner.kind === 'any') imports.type(sources.core, 'IAzureResourceRef');
  if (kind.outputs.length > 0) imports.type(sources.core, 'Output');
  if (isPrincipal(kind)) imports.value(sources.core, 'Principal').type(sources.core, 'IPrincipal');
  if (kind.secretOutputs.length > 0) imports.type(sources.core, 'SecretOutput');
  for (const { kind: child, through } of childrenIn(kind, service, sources)) {
    if (!through) imports.value(sources.file(`./${child.fileName}`), child.className);
    else imports.type(sources.file(`./${child.fileName}`), child.className);
    imports.type(sources.file(`./${child.fileName}`), optionsOf(child.className));
  }
  addReferences(imports, kind, service, sources);
  return imports.text;
}

/** Imports the reference interfaces of the kind and of its owner. */
function addReferences(imports: Imports, { owner, className }: KindModel, { submodule }: ServiceModel, sources: Sources): void {
  if (sources.refs !== undefined) imports.type(sources.refs, refInterfaceOf(className));
  if (owner.kind !== 'known' || owner.className + owner.submodule === className + submodule) return;
  const folder = owner.submodule === submodule ? '.' : `../${owner.submodule}`;
  if (sources.builtIn(owner)) imports.type(sources.core, owner.submodule);
  else imports.type(sources.file(`${folder}/${sources.refs === undefined ? owner.fileName : 'refs'}`), refInterfaceOf(owner.className));
}

function referenceText({ className, version }: KindModel): string {
  const member = refMemberOf(className);
  return [
    comment([`${capitalized(withArticle(kindNoun(className)))}: the construct, or what \`${className}.fromName\`${version.isArm || version.facts.imported ? ` and \`${className}.fromArmId\` give` : ' gives'}.`]),
    `export interface ${refInterfaceOf(className)} extends IAzureResourceRef {\n`,
    comment([`Reference to the ${kindNoun(className)}.`], [], '  '),
    `  readonly ${member}: AzureResourceReference;\n}\n`,
  ].join('');
}

/** The paragraphs of the class's doc comment. */
export function aboutClass(kind: KindModel): string[] {
  const { version } = kind;
  const { arm, scope, since, deprecated } = version.facts;
  const learn = version.facts.imported ? undefined : armReference(version);
  const short = version.facts.imported ? undefined : shortNameOf(version.kind.service, kind.className);
  const owner =
    kind.owner.kind === 'unlisted'
      ? 'The CRD does not say of which kind the owner is.'
      : kind.owner.kind === 'known'
        ? `Owned by ${withArticle(kindNoun(kind.owner.className))}.`
        : kind.owner.kind === 'any'
          ? (arm ? 'Owned by whatever resource it extends.' : 'Its owner is a database.')
          : 'Has no owner.';
  return [
    arm ? `${capitalized(withArticle(kindNoun(kind.className)))}: ${code(arm.type)}, api-version ${arm.apiVersion}.` : isUntold(kind) ? `${capitalized(withArticle(kindNoun(kind.className)))}: ${code(version.apiVersion)}, of which the CRD does not say what it is in Azure.` : `${capitalized(withArticle(kindNoun(kind.className)))}: no resource of Azure Resource Manager, but one that ${version.kind.group.endsWith(OWN_GROUPS) ? 'the controller of this library makes; Azure Service Operator has no such kind' : 'the operator makes by other means'}.`,
    [
      scope === 'location' ? 'Stands in the subscription itself.' : owner,
      fixedName(kind),
      since && `In Azure Service Operator since ${since}.`,
      deprecated && 'This version is announced to be removed.',
      short && `TypeScript also knows it as ${code(short)}.`,
    ].filter(Boolean).join(' '),
    ...(learn ? [`Properties in the words of Azure: ${learn}`] : []),
  ];
}

/** Whether the ARM type is unknown: the kind was imported from a CRD that does not contain it. */
function isUntold({ version: { facts } }: KindModel): boolean {
  return facts.imported === true && facts.arm === undefined && facts.handwritten !== true;
}

function fixedName({ version }: KindModel): string | undefined {
  const { name } = version.facts;
  return typeof name === 'object' && name !== null ? `Its name in Azure is always ${code(name.fixed)}.` : undefined;
}

function classText(kind: KindModel, children: readonly ChildModel[]): string {
  const { className, version } = kind;
  const identity = `{ group: ${literal(version.kind.group)}, kind: ${literal(className)}, version: ${literal(version.name)} }`;
  const allOptional = kind.spec.properties.every(({ facts, byScope }) => facts.required !== true || byScope);
  return [
    comment(aboutClass(kind), version.facts.imported ? [] : [`@see ${asoReference(version)}`]),
    `export class ${className} extends AzureResource implements ${refInterfaceOf(className)}${isPrincipal(kind) ? ', IPrincipal' : ''} {\n`,
    fromText(kind),
    '\n',
    isText(kind),
    '\n',
    comment(
      [`Makes the object of ${withArticle(kindNoun(kind.className))}; the operator creates the resource in Azure.`],
      ['@param scope the scope', '@param id name of the construct in its scope', '@param props the spec, metadata, policy and credential'],
      '  ',
    ),
    `  public constructor(scope: Construct, id: string, props: ${className}Props${allOptional ? ' = {}' : ''}) {\n`,
    `    super(scope, id, ${identity}, props);\n  }\n\n`,
    comment([`Reference to the ${kindNoun(kind.className)}.`], [], '  '),
    `  public get ${refMemberOf(className)}(): AzureResourceReference {\n    return this.reference;\n  }\n`,
    isPrincipal(kind) ? principalText(kind) : '',
    kind.outputs.length > 0
      ? getter(
        'outputs',
        `${className}Outputs`,
        'Values that exist once Azure has made the resource, exported to a ConfigMap by being asked for.',
      )
      : '',
    kind.secretOutputs.length > 0
      ? getter(
        'secretOutputs',
        `${className}SecretOutputs`,
        'Secrets that Azure makes with the resource, exported to a Secret by being asked for.',
      )
      : '',
    childrenText(children),
    '}\n',
  ].join('');
}

/** Whether the kind has an identity that roles can be granted to. */
function isPrincipal({ outputs, version: { facts } }: KindModel): boolean {
  return !facts.imported && outputs.some(({ specName }) => specName === 'principalId');
}

/** The text of the output is a part of the comment where it names another output, the identity that is meant more often. */
function principalText({ outputs }: KindModel): string {
  const about = outputs.find(({ specName }) => specName === 'principalId')?.about;
  const special = about?.includes('`') ? [`The ${uncapitalized(about)}`] : [];
  return [
    '\n',
    comment(['The service principal of the identity, for `grant`.', ...special], [], '  '),
    '  public get principal(): Principal {\n    return Principal.fromConfig(this.output(\'principalId\'));\n  }\n',
  ].join('');
}

function getter(name: string, type: string, about: string): string {
  return `\n${comment([about], [], '  ')}  public get ${name}(): ${type} {\n    return new ${type}(this);\n  }\n`;
}

function fromText(kind: KindModel): string {
  const { className, version } = kind;
  const group = literal(version.kind.group);
  const refInterface = refInterfaceOf(className);
  const body = (expression: string) =>
    `    const { azureResourceRef } = ${expression};\n    return { azureResourceRef, ${refMemberOf(className)}: azureResourceRef };\n  }\n`;
  const byName = [
    comment(
      [`${capitalized(withArticle(kindNoun(className)))} of the same namespace that is not in this app.`],
      ['@param name name of the Kubernetes object', '@throws when the name is no Kubernetes name'],
      '  ',
    ),
    `  public static fromName(name: string): ${refInterface} {\n`,
    body(`AzureReference.fromName(${group}, '${className}', name)`),
  ].join('');
  if (isUntold(kind)) return [byName, '\n', untypedFromArmId(kind)].join('');
  if (!version.facts.arm) return byName;
  return [
    byName,
    '\n',
    comment(
      [`${capitalized(withArticle(kindNoun(className)))} that is in Azure already, by its ARM id.`],
      ['@param armId ' + safeUri(version.facts.arm.uri), '@throws when the text is no ARM id, or the id of another type'],
      '  ',
    ),
    `  public static fromArmId(armId: string): ${refInterface} {\n`,
    body(`AzureReference.fromTypedArmId(armId, ${literal(version.facts.arm.type)}, ${group}, '${className}')`),
    '\n',
    armIdForText(kind),
  ].join('');
}

/** `fromArmId` for a kind of unknown ARM type: accepts an id of any type. */
function untypedFromArmId({ className, version }: KindModel): string {
  return [
    comment(
      [
        `${capitalized(withArticle(kindNoun(className)))} that is in Azure already, by its ARM id. The id of another type is not refused: the CRD does not say which type it is.`,
      ],
      [
        '@param armId e.g. `/subscriptions/<id>/resourceGroups/<name>/providers/<namespace>/<type>/<name>`',
        '@throws when the text is no ARM id',
      ],
      '  ',
    ),
    `  public static fromArmId(armId: string): ${refInterfaceOf(className)} {\n`,
    '    const { azureResourceRef: byId } = AzureReference.fromArmId(armId);\n',
    `    const azureResourceRef = { ...byId, group: ${literal(version.kind.group)}, kind: '${className}' };\n`,
    `    return { azureResourceRef, ${refMemberOf(className)}: azureResourceRef };\n  }\n`,
  ].join('');
}

/** The `is…` method; `instanceof` fails if an app has loaded two copies of the library, but this method does not. */
function isText({ className, version }: KindModel): string {
  return [
    comment(
      [`Whether something is ${withArticle(kindNoun(className))} of this library, whichever copy of it.`],
      ['@param construct what is asked about'],
      '  ',
    ),
    `  public static is${className}(construct: any): construct is ${className} {\n`,
    `    return AzureResource.isAzureResource(construct) && construct.kind === ${literal(className)} && construct.apiGroup === ${literal(version.kind.group)};\n  }\n`,
  ].join('');
}

function armIdForText({ className }: KindModel): string {
  return [
    comment(
      [`The ARM id that ${withArticle(kindNoun(className))} has or will have.`],
      [
        '@param resource the construct, or what `fromArmId` gives',
        '@param subscriptionId the subscription for which its credential is, a UUID',
        '@throws when the id is not known before the objects are applied',
      ],
      '  ',
    ),
    `  public static armIdFor(resource: ${refInterfaceOf(className)}, subscriptionId: string): string {\n`,
    '    return AzureReference.armIdFor(resource, subscriptionId);\n  }\n',
  ].join('');
}

function safeUri(uri: string): string {
  return `e.g. ${code(uri.replace(/\{([^{}]*)\}/g, '<$1>'))}`;
}

function outputsText(kind: KindModel, outputs: OutputModel[], suffix: 'Outputs' | 'SecretOutputs'): string {
  const { className } = kind;
  const secret = suffix === 'SecretOutputs';
  const [type, method] = secret ? ['SecretOutput', 'secretOutput'] : ['Output', 'output'];
  const getters = outputs.map(({ specName, propName, source, about: sentence }) =>
    [
      comment(
        [
          sentence ?? (secret
            ? `${capitalized(phrase(specName))}.`
            : `${capitalized(phrase(specName))}${source ? `: ${code(`status.${source}`)}` : ''}.`),
        ],
        [],
        '  ',
      ),
      `  public get ${propName}(): ${type} {\n    return this.resource.${method}(${literal(specName)});\n  }\n`,
    ].join(''),
  );
  const about = secret
    ? `Secrets of ${withArticle(kindNoun(kind.className))}. Asking for one makes the operator export it to a Secret.`
    : `Values of ${withArticle(kindNoun(kind.className))} that exist once Azure has made it. Asking for one makes the operator export it to a ConfigMap.`;
  return [
    comment([about]),
    `export class ${className}${suffix} {\n`,
    comment([], ['@param resource the resource whose they are'], '  '),
    `  public constructor(private readonly resource: ${className}) {}\n\n`,
    getters.join('\n'),
    '}\n',
  ].join('');
}
