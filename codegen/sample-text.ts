import { code } from './facts-text';
import type { KindModel, PropertyModel } from './model';
import { AZURE_NAMES } from './sample-values';
import { wordsOf } from './words';
import { nameFactsOf, nameProblem, nameScopeOf } from '../src/azure/names/name-facts';
import type { Validations } from '../src/catalog';
import { elementAt } from '../src/util/elements';
import { toRegExp } from '../src/util/go-pattern';

const UUID = '11111111-1111-1111-1111-111111111111';
/** The name of the workload in all samples. */
export const THEME = 'shop';

/** Whether a text satisfies the facts. A pattern that JavaScript cannot read allows everything. */
export function fits(text: string, { enum: allowed, pattern, minLength = 0, maxLength = Infinity }: Validations): boolean {
  if (allowed) return allowed.includes(text);
  return text.length >= minLength && text.length <= maxLength && (pattern === undefined || (toRegExp(pattern)?.test(text) ?? true));
}

/** The simplest of some texts that satisfies the facts. */
export function textFor(facts: Validations): string {
  const { minLength = 0, maxLength = Infinity } = facts;
  const padded = THEME.padEnd(minLength, '1');
  const texts = [
    THEME,
    `${THEME}-1`,
    padded,
    'Shop',
    'default',
    '10.0.0.1',
    '10.0.0.0/24',
    'PT5M',
    '1',
    UUID,
    'shop@example.com',
    'https://example.com',
    '2030-01-01T00:00:00Z',
  ];
  return texts.find((text) => fits(text, facts)) ?? padded.slice(0, maxLength);
}

/** The Azure name of a sample; undefined if the name cannot be chosen, or the operator derives it. */
export function azureNameFor(kind: KindModel): string | undefined {
  const property = kind.spec.properties.find(({ specName }) => specName === 'azureName');
  if (!property || kind.version.facts.name !== 'azureName' || isGuid(kind)) return undefined;
  const armType = kind.version.facts.arm?.type;
  const allowed = (name: string) => fits(name, property.facts) && (armType === undefined || nameProblem(armType, name) === undefined);
  return namesFor(kind).find(allowed) ?? textFor(property.facts);
}

/** Whether a sample needs `azureName`, because the object's name is invalid in Azure or may be taken. */
export function needsAzureName(kind: KindModel): boolean {
  const property = kind.spec.properties.find(({ specName }) => specName === 'azureName');
  const armType = kind.version.facts.arm?.type;
  if (!property || !armType) return property !== undefined;
  const usual = `${THEME}-${kind.fileName}-c8000000`.slice(0, 63);
  return (
    nameScopeOf(armType) === 'global'
    || kind.className in AZURE_NAMES
    || !fits(usual, property.facts)
    || nameProblem(armType, usual) !== undefined
  );
}

/** Kinds whose name is a GUID that ASO derives. */
function isGuid(kind: KindModel): boolean {
  const type = kind.version.facts.arm?.type.toLowerCase() ?? '';
  return /\/(sql)?roleassignments$|\/roledefinitions$/.test(type) && !/mongodb/.test(type);
}

function namesFor(kind: KindModel): string[] {
  const words = wordsOf(kind.className).map((word) => word.toLowerCase());
  const last = elementAt(words, words.length - 1);
  const type = kind.version.facts.arm?.type;
  const number = type !== undefined && nameScopeOf(type) === 'global' ? '1401' : '';
  const known = AZURE_NAMES[kind.className];
  const hyphenated = [THEME, last, ...(number ? [number] : [])].join('-');
  return [
    ...(known === undefined ? [] : [known]),
    hyphenated, `${THEME}${last}${number}`, `${THEME}${number}`, `${THEME}-1401`, UUID, `${THEME}-${last}`.slice(0, 12),
  ];
}

/** The rule for the name in Azure, in a sentence; undefined if the name cannot be chosen. */
export function nameRule(kind: KindModel): string | undefined {
  const { name, arm } = kind.version.facts;
  if (name === undefined || name === null || !arm) return undefined;
  if (typeof name === 'object') return `Its name in Azure is always \`${name.fixed}\`.`;
  const facts = nameFactsOf(arm.type);
  const property = kind.spec.properties.find(({ specName }) => specName === 'azureName');
  const scope = kind.owner.kind === 'any' && !facts.scope ? 'parent' : nameScopeOf(arm.type);
  const expected = property?.facts.pattern;
  const pattern = facts.text === undefined && expected !== undefined && expected !== '^.*$' ? ` that match ${code(expected)}` : '';
  return `Name in Azure: ${length(facts, property) || (pattern && 'characters')}${facts.text ? ` ${facts.text}` : pattern}; unique ${WITHIN[scope]}.`.replace(': ;', ':');
}

const WITHIN = {
  global: 'in all of Azure',
  tenant: 'in the tenant',
  subscription: 'in the subscription',
  region: 'in the region',
  resourceGroup: 'in the resource group, among its type',
  parent: 'in its owner, among its type',
} as const;

function length({ min, max, text }: { min?: number; max?: number; text?: string }, property: PropertyModel | undefined): string {
  const from = Math.max(min ?? 0, property?.facts.minLength ?? 0);
  const to = Math.min(max ?? Infinity, property?.facts.maxLength ?? Infinity);
  const unit = text ? '' : ' characters';
  if (to === Infinity) return from > 1 ? `${from} or more${unit}` : text ? 'of' : '';
  return from === to ? `${to}${unit}` : `${from || 1} to ${to}${unit}`;
}
