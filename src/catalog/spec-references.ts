import type { PropertyFacts, TypeExpression, TypeFacts } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from './type-expression';

/** What a spec refers to, and where it does. */
export type SpecReference =
  | { readonly to: 'resource'; readonly path: string; readonly group?: string; readonly kind?: string; readonly name?: string; readonly armId?: string; readonly wellKnownName?: string }
  | { readonly to: 'secret' | 'configMap'; readonly path: string; readonly name: string; readonly key: string }
  /** All keys of a Secret. */
  | { readonly to: 'secretMap'; readonly path: string; readonly name: string };

/** A ConfigMap or Secret that an object's `operatorSpec` writes to. */
export interface SpecDestination {
  readonly store: 'ConfigMap' | 'Secret';
  readonly path: string;
  readonly name: string;
  /** Absent for an expression that gives a whole map. */
  readonly key?: string;
}

/** Specs of real kinds nest some fifteen levels deep. */
const MAX_DEPTH = 64;

/** The types that name a place to write to. */
const DESTINATIONS: ReadonlySet<string> = new Set(['ConfigMapDestination', 'SecretDestination', 'DestinationExpression']);

type Struct = Readonly<Record<string, unknown>>;
type Visit = (value: Struct, type: string, role: PropertyFacts['role'], path: string) => void;

/**
 * Everything that a spec refers to, in the order of the catalog's properties: resources, Secrets, ConfigMaps, each with its place
 * (`spec.identity.userAssignedIdentities[0].reference`). The owner is not among them. What is malformed is left out: checks and conversion
 * complain about it.
 */
export function referencesOf(spec: Struct | undefined, version: KindVersion): SpecReference[] {
  const found: SpecReference[] = [];
  visitCommon(spec, version, (value, _, role, path) => {
    const reference = referenceAt(value, role, path);
    if (reference) found.push(reference);
  });
  return found;
}

/** Every ConfigMap and Secret that a spec has the controller write, in the order of the catalog's properties. What is malformed is left out. */
export function destinationsOf(spec: Struct | undefined, version: KindVersion): SpecDestination[] {
  const found: SpecDestination[] = [];
  visitCommon(spec, version, (value, type, _, path) => {
    const name = text(value, 'name');
    if (!DESTINATIONS.has(type) || name === undefined) return;
    const secret = type === 'SecretDestination' || (type === 'DestinationExpression' && path.includes('.secretExpressions['));
    found.push({ store: secret ? 'Secret' : 'ConfigMap', path, name, key: text(value, 'key') });
  });
  return found;
}

/** Visits every value of a type that all groups share: references and destinations. */
function visitCommon(spec: Struct | undefined, version: KindVersion, visit: Visit): void {
  if (!spec || !version.facts.spec) return;
  walk(spec, { ref: version.facts.spec }, undefined, 'spec', 0);

  function walk(value: unknown, type: TypeExpression, role: PropertyFacts['role'], path: string, depth: number): void {
    if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return;
    if (isConstrained(type)) return walk(value, type.type, role, path, depth);
    if (isArray(type)) {
      if (Array.isArray(value)) value.forEach((element, index) => walk(element, type.array, role, `${path}[${index}]`, depth + 1));
      return;
    }
    if (Array.isArray(value)) return;
    if (isMap(type)) {
      for (const [key, element] of Object.entries(value)) walk(element, type.map, role, `${path}.${key}`, depth + 1);
    } else if (isCommon(type)) {
      visit(value as Struct, type.common, role, path);
    } else if (isRef(type)) {
      for (const [name, facts] of propertiesToFollow(version.type(type.ref), version)) {
        const member = Object.hasOwn(value, name) ? (value as Struct)[name] : undefined;
        if (typeof member === 'object') walk(member, facts.type, facts.role, `${path}.${name}`, depth + 1);
      }
    }
  }
}

const followed = new WeakMap<TypeFacts, [string, PropertyFacts][]>();

/** The properties of a type in which, at whatever depth, references and destinations may be: few have any, and graphs have thousands of specs. */
function propertiesToFollow(type: TypeFacts, version: KindVersion): [string, PropertyFacts][] {
  let properties = followed.get(type);
  if (!properties) {
    properties = Object.entries(type.props).filter(([, facts]) => leadsToCommon(facts.type, version, new Set()));
    followed.set(type, properties);
  }
  return properties;
}

function leadsToCommon(type: TypeExpression, version: KindVersion, seen: Set<TypeFacts>): boolean {
  if (isConstrained(type)) return leadsToCommon(type.type, version, seen);
  if (isArray(type)) return leadsToCommon(type.array, version, seen);
  if (isMap(type)) return leadsToCommon(type.map, version, seen);
  if (!isRef(type)) return isCommon(type);
  const facts = version.type(type.ref);
  if (seen.has(facts)) return false;
  seen.add(facts);
  return Object.values(facts.props).some((property) => leadsToCommon(property.type, version, seen));
}

function referenceAt(value: Struct, role: PropertyFacts['role'], path: string): SpecReference | undefined {
  const name = text(value, 'name');
  const key = text(value, 'key');
  switch (role) {
    case 'armReference':
    case 'wellKnownReference':
      return { to: 'resource', path, group: text(value, 'group'), kind: text(value, 'kind'), name, armId: text(value, 'armId'), wellKnownName: text(value, 'wellKnownName') };
    case 'secret':
    case 'configMap':
      return name && key ? { to: role, path, name, key } : undefined;
    case 'secretMap':
      return name ? { to: role, path, name } : undefined;
    default:
      return undefined;
  }
}

function text(value: Struct, key: string): string | undefined {
  const member = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
}
