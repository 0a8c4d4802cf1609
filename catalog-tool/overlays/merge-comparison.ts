import type { ComparisonFacts, ComparisonOverlay } from './overlays';
import { isArray, isConstrained, isMap, isRef, SPELLINGS } from '../../src/catalog';
import type { PropertyFacts, ServiceFacts, TypeExpression, TypeFacts } from '../../src/catalog';

const FILE = 'overlays/comparison.yaml';
/** The facts that these overlays give. */
const KEYS: readonly (keyof ComparisonFacts)[] = [
  'spelling', 'ordered', 'caseSensitiveKeys', 'identity', 'filledByAzure', 'childType', 'addedByAzure',
];

/**
 * Merges the facts of properties for comparisons of a resource with its spec into the facts of a service. Facts of earlier overlays are
 * replaced.
 * @throws when an overlay has an unknown fact, or a type or property that no version has
 */
export function withComparisonFacts(facts: ServiceFacts, overlays: readonly ComparisonOverlay[]): ServiceFacts {
  for (const overlay of overlays) refuseUnknown(facts, overlay);
  const types = mapValues(facts.types, (byName) => mapValues(byName, (type, name) => (
    { ...type, props: mapValues(type.props, (own, property) => merged(own, property, { name, byName, service: facts.service, overlays })) }
  )));
  return { ...facts, types };
}

interface Place {
  /** The type with the property. */
  readonly name: string;
  readonly byName: Readonly<Record<string, TypeFacts>>;
  readonly service: string;
  readonly overlays: readonly ComparisonOverlay[];
}

function merged(facts: PropertyFacts, property: string, { name, byName, service, overlays }: Place): PropertyFacts {
  const others = Object.entries(facts).filter(([key]) => !(KEYS as readonly string[]).includes(key));
  const kept = Object.fromEntries(others) as unknown as PropertyFacts;
  const own: ComparisonFacts = {};
  for (const { facts: given, names = [], properties = {}, tags, identities } of overlays) {
    const isNamed = names.includes(property) && isText(facts);
    const isListed = properties[service]?.[name]?.includes(property) ?? false;
    const isTags = tags === true && property === 'tags' && isMap(facts.type);
    if (isNamed || isListed || isTags) Object.assign(own, given);
    const identity = identities && defaultIdentity(facts.type, identities, byName);
    if (identity) Object.assign(own, { identity });
  }
  const ordered = Object.fromEntries(KEYS.flatMap((key) => (own[key] === undefined || own[key] === false ? [] : [[key, own[key]]])));
  return { ...kept, ...ordered };
}

/** A text, or a list of texts, that is sent to Azure and is no reference. */
function isText({ type, role, arm, inline }: PropertyFacts): boolean {
  if (role !== undefined || arm === null || inline) return false;
  const element = isArray(type) ? type.array : type;
  return (isConstrained(element) ? element.type : element) === 'string';
}

/** The first of the usual members that the elements of a list have. */
function defaultIdentity(type: TypeExpression, usual: readonly string[], byName: Place['byName']): readonly string[] | undefined {
  if (!isArray(type) || !isRef(type.array)) return undefined;
  const members = membersOf(type.array.ref, byName);
  const found = usual.find((name) => members.has(name));
  return found === undefined ? undefined : [found];
}

/** The texts in ARM's object of a type; of a union, those that all its alternatives have. */
function membersOf(name: string, byName: Place['byName']): ReadonlySet<string> {
  const facts = byName[name];
  if (!facts) return new Set();
  if (!facts.oneOf) {
    const isPlain = ({ type, arm }: PropertyFacts) => arm !== null && !isArray(type) && !isMap(type) && !isRef(type);
    return new Set(Object.entries(facts.props).flatMap(([property, own]) => (isPlain(own) ? [own.arm ?? property] : [])));
  }
  const alternatives = Object.values(facts.props)
    .flatMap(({ type, inline }) => (inline && isRef(type) ? [membersOf(type.ref, byName)] : []));
  const [first = new Set<string>(), ...others] = alternatives;
  return new Set([...first].filter((member) => others.every((other) => other.has(member))));
}

function refuseUnknown({ service, types }: ServiceFacts, { facts = {}, properties = {} }: ComparisonOverlay): void {
  const unknown = Object.keys(facts).find((key) => !(KEYS as readonly string[]).includes(key));
  if (unknown !== undefined) throw new Error(`${FILE}: ${unknown} is no fact that comparisons read; there are ${KEYS.join(', ')}`);
  if (facts.spelling !== undefined && !SPELLINGS.includes(facts.spelling)) {
    throw new Error(`${FILE}: ${String(facts.spelling)} is no spelling; there are ${SPELLINGS.join(', ')}`);
  }
  for (const [name, listed] of Object.entries(properties[service] ?? {})) {
    const versions = Object.values(types).flatMap((byName) => (Object.hasOwn(byName, name) ? [byName[name]!] : []));
    if (versions.length === 0) throw new Error(`${FILE}: ${service}: no version has the type ${name}`);
    const missing = listed.find((property) => !versions.some(({ props }) => Object.hasOwn(props, property)));
    if (missing !== undefined) throw new Error(`${FILE}: ${service}: no version of ${name} has the property ${missing}`);
  }
}

/**
 * Properties that are sent as null or empty where the spec has nothing, and of which no overlay says whether that removes what Azure has:
 * `service: Type.property`.
 */
export function undecidedEmpties({ service, types }: ServiceFacts, overlays: readonly ComparisonOverlay[]): string[] {
  const decided = new Set(overlays.filter(({ facts }) => facts?.filledByAzure !== undefined)
    .flatMap(({ properties }) => Object.entries(properties?.[service] ?? {}))
    .flatMap(([name, listed]) => listed.map((property) => `${name}.${property}`)));
  const sent = Object.values(types).flatMap((byName) => Object.entries(byName).flatMap(([name, { props }]) => (
    Object.entries(props).flatMap(([property, { emit }]) => (emit === undefined ? [] : [`${name}.${property}`])))));
  return [...new Set(sent)].filter((each) => !decided.has(each)).sort().map((each) => `${service}: ${each}`);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
