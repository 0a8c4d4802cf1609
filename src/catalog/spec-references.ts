import type { PropertyFacts, TypeExpression, TypeFacts } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from './type-expression';
import type { Struct } from '../util/records';

/** A reference in a spec, with its path. */
export type SpecReference =
  | { readonly to: 'resource'; readonly path: string } & { readonly [K in 'group' | 'kind' | 'name' | 'armId' | 'wellKnownName']: string | undefined }
  | { readonly to: 'secret' | 'configMap'; readonly path: string; readonly name: string; readonly key: string }
  /** All keys of a Secret. */
  | { readonly to: 'secretMap'; readonly path: string; readonly name: string };

/** A ConfigMap or Secret that an object's `operatorSpec` writes to. */
export interface SpecDestination {
  readonly store: 'ConfigMap' | 'Secret';
  readonly path: string;
  readonly name: string;
  /** Absent for an expression that gives a whole map. */
  readonly key: string | undefined;
}

/** Guards against deep nesting; specs of real kinds have some fifteen levels. */
const MAX_DEPTH = 64;

/** Types of export destinations. */
const DESTINATIONS: ReadonlySet<string> = new Set(['ConfigMapDestination', 'SecretDestination', 'DestinationExpression']);

/** The references and destinations of a spec. */
export interface Named {
  readonly references: SpecReference[];
  readonly destinations: SpecDestination[];
}

interface NamedProperty {
  readonly name: string;
  readonly facts: PropertyFacts;
}

/**
 * All references of a spec, in the order of the catalog's properties: resources, Secrets, ConfigMaps, each with its path
 * (`spec.identity.userAssignedIdentities[0].reference`). The owner is not included. Malformed references are skipped: checks and conversion
 * report them.
 */
export function referencesOf(spec: Struct | undefined, version: KindVersion): SpecReference[] {
  return namedIn(spec, version).references;
}

/**
 * All ConfigMaps and Secrets that the controller writes for a spec, in the order of the catalog's properties. Malformed ones are skipped.
 */
export function destinationsOf(spec: Struct | undefined, version: KindVersion): SpecDestination[] {
  return namedIn(spec, version).destinations;
}

/** References and destinations, in one walk. */
export function namedIn(spec: Struct | undefined, version: KindVersion): Named {
  const found: Named = { references: [], destinations: [] };
  if (spec && version.facts.spec) walk(spec, { ref: version.facts.spec }, undefined, 'spec', 0, version, found);
  return found;
}

/** Visits every value of a shared type: references and destinations. */
function walk(
  value: unknown,
  type: TypeExpression,
  role: PropertyFacts['role'],
  path: string,
  depth: number,
  version: KindVersion,
  found: Named,
): void {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return;
  if (isConstrained(type)) return walk(value, type.type, role, path, depth, version, found);
  if (isArray(type)) {
    if (Array.isArray(value)) {
      value.forEach((element, index) => walk(element, type.array, role, `${path}[${index}]`, depth + 1, version, found));
    }
    return;
  }
  if (Array.isArray(value)) return;
  if (isMap(type)) {
    for (const [key, element] of Object.entries(value)) walk(element, type.map, role, `${path}.${key}`, depth + 1, version, found);
  } else if (isCommon(type)) {
    const reference = referenceAt(value as Struct, role, path);
    if (reference) found.references.push(reference);
    const destination = destinationAt(value as Struct, type.common, path);
    if (destination) found.destinations.push(destination);
  } else if (isRef(type)) {
    for (const { name, facts } of propertiesToFollow(version.type(type.ref), version)) {
      const member = Object.hasOwn(value, name) ? (value as Struct)[name] : undefined;
      if (typeof member === 'object') walk(member, facts.type, facts.role, `${path}.${name}`, depth + 1, version, found);
    }
  }
}

const followed = new WeakMap<TypeFacts, NamedProperty[]>();

/**
 * The properties of a type that may contain references or destinations, at any depth. Cached, because few have any, and graphs have
 * thousands of specs.
 */
function propertiesToFollow(type: TypeFacts, version: KindVersion): NamedProperty[] {
  let properties = followed.get(type);
  if (!properties) {
    const all = Object.entries(type.props).map(([name, facts]) => ({ name, facts }));
    properties = all.filter(({ facts }) => facts.role !== 'owner' && leadsToCommon(facts.type, version, new Set()));
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
  switch (role) {
    case 'armReference':
    case 'wellKnownReference':
      return {
        to: 'resource',
        path,
        group: text(value, 'group'),
        kind: text(value, 'kind'),
        name: text(value, 'name'),
        armId: text(value, 'armId'),
        wellKnownName: text(value, 'wellKnownName'),
      };
    case 'secret':
    case 'configMap': {
      const [name, key] = [text(value, 'name'), text(value, 'key')];
      return name && key ? { to: role, path, name, key } : undefined;
    }
    case 'secretMap': {
      const name = text(value, 'name');
      return name ? { to: role, path, name } : undefined;
    }
    default:
      return undefined;
  }
}

function destinationAt(value: Struct, type: string, path: string): SpecDestination | undefined {
  const name = DESTINATIONS.has(type) ? text(value, 'name') : undefined;
  if (name === undefined) return undefined;
  const secret = type === 'SecretDestination' || (type === 'DestinationExpression' && path.includes('.secretExpressions['));
  return { store: secret ? 'Secret' : 'ConfigMap', path, name, key: text(value, 'key') };
}

function text(value: Struct, key: string): string | undefined {
  const member = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
}
