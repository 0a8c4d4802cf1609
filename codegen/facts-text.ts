import type { PropertyModel, StructModel } from './model';
import { phrase } from './words';
import { UUID_NAMED_KINDS } from '../src/azure/uuid-names';
import { visibleText } from '../src/azure/visible-text';
import { isSetByAzure, type KindVersion, type Validations } from '../src/catalog';
import { OWN_GROUPS } from '../src/util/api-groups';
import { capitalized, counted, listed, uncapitalized } from '../src/util/words';

/** Escapes text for a comment: a fact must not end the comment or begin a tag. */
export function safe(text: string): string {
  return visibleText(text.replace(/[\r\n\u2028\u2029]+/g, ' ').replace(/\t/g, ' ')).replace(/\*\//g, '*\\/').replace(/(^|\s|\{)@/g, '$1\\@');
}

/** Formats the text as Markdown code, whatever backticks it contains. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text === '' || text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** The page about the kinds that ASO has not. */
const OWN_KINDS_GUIDE = 'https://cdk8s-aso.github.io/cdk8s-aso/database-access';

/** ASO's reference page of the kind, or our own. */
export function asoReference(version: KindVersion): string {
  const { group, service, kind } = version.kind;
  // ASO has no page of a kind that it has not.
  if (group.endsWith(OWN_GROUPS)) return OWN_KINDS_GUIDE;
  return `https://azure.github.io/azure-service-operator/reference/${service}/${version.name}/#${group}/${version.name}.${kind}`;
}

/** Microsoft's reference page of the ARM resource; undefined for kinds that are no ARM resources. */
export function armReference(version: KindVersion): string | undefined {
  const type = version.facts.arm?.type;
  return type && `https://learn.microsoft.com/azure/templates/${type.toLowerCase()}`;
}

/** The purpose of a property, in a sentence; undefined where that would only repeat its name. */
export function summary(property: PropertyModel, struct: StructModel): string | undefined {
  const { specName, facts, type, doc } = property;
  const words = phrase(specName);
  if (isSetByAzure(doc)) return [doc!.excludes, doc!.text].filter(Boolean).join(' ');
  if (doc?.text !== undefined) return doc.text;
  if (facts.description !== undefined && facts.description.trim() !== '' && facts.role !== 'owner' && facts.role !== 'operatorSpec') {
    return ended(facts.description, specName);
  }
  if (type.is === 'core' && type.name.endsWith('Destination')) return `Where ${code(specName)} is exported to.`;
  const exported = !struct.arm && Object.hasOwn(EXPORTS, specName) ? EXPORTS[specName] : undefined;
  if (exported !== undefined) return exported;
  switch (facts.role) {
    case 'owner':
      return 'The owner: the resource in which Azure keeps this one.';
    case 'azureName':
      return 'Name of the resource in Azure.';
    case 'operatorSpec':
      return 'Settings of the operator for this object: the destinations of exported values and secrets.';
    case 'configMap':
      return `${capitalized(phrase(specName.replace(/FromConfig$/, '')))}, from a ConfigMap: an output of another resource.`;
    case 'secret':
      return `${capitalized(words)}, from a key of a Secret.`;
    case 'secretMap':
      return `${capitalized(words)}, from all keys of a Secret.`;
  }
  return undefined;
}

/** Where the value goes that is no text yet: an output of another resource, or a resource instead of its id. */
export function otherForm({ specName, type }: PropertyModel, other: PropertyModel | undefined, hasSummary: boolean): string | undefined {
  if (!other || type.is !== 'scalar') return undefined;
  const into = `goes into ${code(other.propName)}.`;
  const form = { configMap: 'an output of another resource', armReference: 'a resource of this app' }[other.facts.role as string];
  if (form === undefined) return undefined;
  return hasSummary ? `${capitalized(form)} ${into}` : `${capitalized(phrase(specName))} as text; ${form} ${into}`;
}

/** Removes a repeated name and ends the sentence: `AccessTier: Required for storage accounts` → `Required for storage accounts.` */
function ended(description: string, specName: string): string {
  const text = description.replace(/\s+/g, ' ').trim();
  const name = /^([A-Za-z]\w*): /.exec(text)?.[1];
  const sentence = name?.toLowerCase() === specName.toLowerCase() ? text.slice(name.length + 2) : text;
  return /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Descriptions of the properties of every `operatorSpec`. */
const EXPORTS: Record<string, string> = {
  configMapExpressions: 'Values to export to ConfigMaps, worked out by CEL expressions.',
  configMaps: 'Which values are exported to which ConfigMaps.',
  configmaps: 'Which values are exported to which ConfigMaps.',
  secretExpressions: 'Values to export to Secrets, worked out by CEL expressions.',
  secrets: 'Which secrets are exported to which Secrets.',
};

/** The catalog's constraints on the values of a property, one sentence each. */
export function constraints(property: PropertyModel): string[] {
  const { facts, elements } = property;
  return [
    ...valueConstraints(facts),
    ...(elements ? valueConstraints(elements).map((text) => `Each element: ${uncapitalized(text)}`) : []),
  ];
}

function valueConstraints(rules: Validations): string[] {
  return [
    rules.enum && `Allowed: ${listed(rules.enum.map((value) => code(String(value))), 'or')}.`,
    range(rules.minLength, rules.maxLength, 'character'),
    range(rules.minItems, rules.maxItems, 'element'),
    rules.pattern !== undefined && `Matches ${code(rules.pattern)}.`,
    range(rules.minimum, rules.maximum),
    rules.multipleOf !== undefined && `A multiple of ${rules.multipleOf}.`,
  ].filter((text): text is string => typeof text === 'string');
}

function range(from: number | undefined, to: number | undefined, unit = ''): string | undefined {
  const amount = (count: number) => (unit === '' ? `${count}` : counted(count, unit));
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return from === 0 ? undefined : `At least ${amount(from!)}.`;
  if (from === undefined || (from === 0 && unit !== '')) return `At most ${amount(to)}.`;
  return from === to ? `Exactly ${amount(to)}.` : `${from} to ${amount(to)}.`;
}

/** The path of the value in the ARM body; undefined if it is the name, or the name below `properties`, as for most. */
export function armPath({ specName, facts }: PropertyModel): string | undefined {
  return facts.arm && ![specName, `properties/${specName}`].includes(facts.arm) ? `${code(facts.arm.split('/').join('.'))} in ARM.` : undefined;
}

/** Documented facts that the schema lacks: unit, format, what the property excludes, whether it can be changed, its first release. */
export function documentedFacts(property: PropertyModel): string[] {
  const { doc, facts, since } = property;
  const { unit, format, excludes, immutable } = doc ?? {};
  return [
    unit && `Unit: ${asSentence(unit)}`,
    format && `Format: ${asSentence(format)}`,
    isSetByAzure(doc) ? undefined : excludes,
    typeof immutable === 'string' ? immutable : facts.immutable === true && 'Cannot be changed after creation.',
    since && `Since Azure Service Operator ${since}.`,
  ].filter((text): text is string => typeof text === 'string');
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The default that Azure is documented to have: a value, or words about it. */
function defaultOf(text: string): string {
  return /\s/.test(text) && !/^[`'"[{]/.test(text) ? `- ${text}` : text;
}

const NONE = '- none';
const LEFT_TO_AZURE = '- left to Azure';

/** Whether the effect of omitting a property says something. */
export function saysSomething(leftOut: string): boolean {
  return leftOut !== NONE && leftOut !== LEFT_TO_AZURE;
}

/** The effect of omitting an optional property. */
export function whenLeftOut({ facts, doc, byScope, specName }: PropertyModel, struct: StructModel, alternative?: string): string {
  if (byScope) return specName === 'location' ? '- that of the owner, else of `Defaults`; needed where neither is known' : '- the tier of `Defaults`; needed without one';
  if (facts.default !== undefined) return JSON.stringify(facts.default);
  if (doc?.default !== undefined) return defaultOf(doc.default);
  if (facts.role === 'azureName' && UUID_NAMED_KINDS.has(struct.name.replace(/Props$/, ''))) {
    return '- a GUID that follows from owner and name of the Kubernetes object';
  }
  if (facts.role === 'azureName') return '- the name of the Kubernetes object';
  if (facts.role === 'operatorSpec') return '- nothing but what outputs in use need';
  if (alternative) return `- ${alternative}`;
  return facts.arm === null || !struct.arm ? NONE : LEFT_TO_AZURE;
}
