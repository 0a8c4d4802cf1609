import { isDeepStrictEqual } from 'node:util';
import type { PropertyChange } from './changes';
import { looksSecret } from './secret-looking';
import { structsIn } from './structs-in';
import { isArray, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression } from '../../src/catalog';
import { member, struct, text, type Struct } from '../../src/util/records';

/** Resolves the references of an old or new spec. */
export interface Meanings {
  /** Equal for references to the same Azure resource. */
  identity(reference: Struct): string;
  /** The text for the report. */
  describe(reference: Struct): string;
}

export interface Side {
  readonly version?: KindVersion | undefined;
  readonly spec: Struct;
  readonly meanings: Meanings;
}

type List = readonly unknown[];
type Facts = Pick<PropertyFacts, 'type'> & { readonly role?: PropertyFacts['role'] | undefined };

/** Properties of a spec that are not settings of the resource; other functions compare them. */
const APART: ReadonlySet<string> = new Set(['owner', 'azureName', 'operatorSpec']);

/** The settings that differ between two specs of one resource. References to the same resource are equal in every notation. */
export function specChanges(old: Side, next: Side): PropertyChange[] {
  const comparison = new Comparison(next.version ?? old.version, old.meanings, next.meanings);
  const root = comparison.rootProperties();
  return keysOf(old.spec, next.spec)
    .filter((key) => !APART.has(root?.[key]?.role ?? key))
    .flatMap((key) => comparison.compare(key, member(old.spec, key), member(next.spec, key), root?.[key]));
}

/** The differences between two values without a schema. */
export function valueChanges(old: unknown, next: unknown, path = ''): PropertyChange[] {
  return new Comparison(undefined, NO_MEANINGS, NO_MEANINGS).compare(path, old, next, undefined);
}

const NO_MEANINGS: Meanings = { identity: (reference) => JSON.stringify(reference), describe: (reference) => JSON.stringify(reference) };

class Comparison {
  public constructor(
    private readonly version: KindVersion | undefined,
    private readonly before: Meanings,
    private readonly after: Meanings,
  ) {}

  public rootProperties(): Readonly<Record<string, Facts>> | undefined {
    return this.version?.facts.spec === undefined ? undefined : ownProperties(this.version.specType.props);
  }

  public compare(path: string, old: unknown, next: unknown, facts: Facts | undefined): PropertyChange[] {
    if (facts?.role === 'secret' || facts?.role === 'secretMap') {
      return isDeepStrictEqual(old, next) ? [] : [secretReference(path, old, next)];
    }
    if (isReference(facts) && !isList(facts)) return this.references(path, old, next);
    if (facts?.role === 'configMap') {
      return isDeepStrictEqual(old, next) ? [] : [change(path, described(old, source('ConfigMap')), described(next, source('ConfigMap')))];
    }
    const type = bare(facts?.type);
    if (Array.isArray(old) || Array.isArray(next)) {
      if ((old === undefined || Array.isArray(old)) && (next === undefined || Array.isArray(next))) {
        const element = type !== undefined && isArray(type) ? { type: type.array, role: facts?.role } : undefined;
        return this.lists(path, [old, next], element);
      }
      return leaf(path, old, next);
    }
    const [oldObject, newObject] = [struct(old), struct(next)];
    if ((oldObject || old === undefined) && (newObject || next === undefined)) {
      return this.objects(path, oldObject, newObject, type, facts?.role);
    }
    return path === 'location' && sameRegion(old, next) ? [] : leaf(path, old, next);
  }

  private objects(
    path: string,
    old: Struct | undefined,
    next: Struct | undefined,
    type: TypeExpression | undefined,
    role: Facts['role'],
  ): PropertyChange[] {
    const keys = keysOf(old ?? {}, next ?? {});
    if (keys.length === 0) return leaf(path, old, next);
    const properties = type !== undefined && isRef(type) && this.version ? ownProperties(this.version.type(type.ref).props) : undefined;
    const every = type !== undefined && isMap(type) ? { type: type.map, role } : undefined;
    return keys.flatMap((key) => this.compare(joined(path, key), member(old, key), member(next, key), properties?.[key] ?? every));
  }

  private lists(
    path: string,
    written: readonly [old: List | undefined, next: List | undefined],
    facts: Facts | undefined,
  ): PropertyChange[] {
    const [old, next] = [written[0] ?? [], written[1] ?? []];
    if (isReference(facts)) return this.referenceLists(path, old, next);
    // Lists of strings and numbers are short, so they are reported whole.
    if (![...old, ...next].some((element) => typeof element === 'object')) return leaf(path, ...written);
    const [oldReferences, newReferences] = [wrappedReferences(old), wrappedReferences(next)];
    if (oldReferences && newReferences) return this.referenceLists(path, oldReferences, newReferences);
    const [oldNames, newNames] = [namesOf(old), namesOf(next)];
    if (oldNames && newNames) {
      return [...new Set([...oldNames.keys(), ...newNames.keys()])]
        .sort()
        .flatMap((name) => this.compare(`${path}[${name}]`, oldNames.get(name), newNames.get(name), facts));
    }
    return Array.from({ length: Math.max(old.length, next.length) }, (_, index) => index).flatMap((index) =>
      this.compare(`${path}[${index}]`, old[index], next[index], facts),
    );
  }

  private references(path: string, old: unknown, next: unknown): PropertyChange[] {
    const [before, after] = [struct(old), struct(next)];
    if (before && after && this.before.identity(before) === this.after.identity(after)) return [];
    if (!before && !after) return leaf(path, old, next);
    const was = described(old, (reference) => this.before.describe(reference));
    return [change(path, was, described(next, (reference) => this.after.describe(reference)))];
  }

  /** Compares lists of references as sets: added and removed elements. */
  private referenceLists(path: string, old: readonly unknown[], next: readonly unknown[]): PropertyChange[] {
    const [before, after] = [structsIn(old), structsIn(next)];
    const [oldIds, newIds] = [
      new Set(before.map((value) => this.before.identity(value))),
      new Set(after.map((value) => this.after.identity(value))),
    ];
    return [
      ...before
        .filter((value) => !newIds.has(this.before.identity(value)))
        .map((value) => change(`${path}[]`, this.before.describe(value), undefined)),
      ...after
        .filter((value) => !oldIds.has(this.after.identity(value)))
        .map((value) => change(`${path}[]`, undefined, this.after.describe(value))),
    ];
  }
}

/** The change of one value; values that may be secrets are left out. */
function leaf(path: string, old: unknown, next: unknown): PropertyChange[] {
  if (isDeepStrictEqual(old, next)) return [];
  const texts = [old, next].flatMap((value) => (Array.isArray(value) ? value as unknown[] : [value]));
  return [looksSecret(path, ...texts) ? { path, secret: 'value' } : change(path, old, next)];
}

function change(path: string, old: unknown, next: unknown): PropertyChange {
  return { path, ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
}

function secretReference(path: string, old: unknown, next: unknown): PropertyChange {
  return { ...change(path, described(old, source('Secret')), described(next, source('Secret'))), secret: 'reference' };
}

/** A value that is not a reference is hidden: it may be the secret itself. */
function described(value: unknown, describe: (reference: Struct) => string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const reference = struct(value);
  return reference ? describe(reference) : '(not a reference)';
}

function source(store: string): (reference: Struct) => string {
  return (reference) => {
    const [name, key] = [text(reference, 'name') ?? '?', text(reference, 'key')];
    return key === undefined ? `${store} ${name}` : `${store} ${name}, key ${key}`;
  };
}

function isReference(facts: Facts | undefined): boolean {
  return facts?.role === 'armReference' || facts?.role === 'wellKnownReference';
}

function isList(facts: Facts | undefined): boolean {
  const type = bare(facts?.type);
  return type !== undefined && (isArray(type) || isMap(type));
}

function bare(type: TypeExpression | undefined): TypeExpression | undefined {
  return type !== undefined && isConstrained(type) ? type.type : type;
}

/** The references of `[{ reference: … }]`, the form of identities and subnets. */
function wrappedReferences(list: readonly unknown[]): Struct[] | undefined {
  const references = list.flatMap((element) => {
    const reference = struct(member(element, 'reference'));
    return reference && Object.keys(element as Struct).length === 1 ? [reference] : [];
  });
  return references.length === list.length ? references : undefined;
}

/** The elements of a list by name; undefined unless every element has a unique name. */
function namesOf(list: readonly unknown[]): Map<string, unknown> | undefined {
  const names = new Map(list.map((element) => [text(element, 'name'), element]));
  return names.size === list.length && !names.has(undefined) ? (names as Map<string, unknown>) : undefined;
}

function keysOf(old: Struct, next: Struct): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
}

/** The properties without those that every object inherits. */
function ownProperties(properties: Readonly<Record<string, PropertyFacts>>): Readonly<Record<string, Facts>> {
  return Object.getPrototypeOf(properties) === null ? properties : Object.assign(Object.create(null) as Record<string, Facts>, properties);
}

function joined(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Whether two spellings name the same region: `UK South` is `uksouth`. */
export function sameRegion(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.replace(/\s/g, '').toLowerCase() === b.replace(/\s/g, '').toLowerCase();
}
