import { isDeepStrictEqual } from 'node:util';
import { comparable, propertyPaths, type PropertyPaths } from './property-paths';
import type { Catalog, Kind, KindVersion } from '../../src/catalog';
import type { Struct } from '../../src/util/records';

/** The differences between two catalogs. */
export interface CatalogDiff {
  readonly kinds: { readonly added: readonly AddedKind[]; readonly removed: readonly string[]; readonly changed: readonly Changed[] };
  readonly versions: { readonly added: readonly AddedVersion[]; readonly removed: readonly string[]; readonly changed: readonly Changed[] };
  readonly properties: { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly Changed[] };
}

export interface AddedKind {
  /** The kind, e.g. `storage.azure.com/StorageAccount`. */
  readonly kind: string;
  readonly versions: readonly string[];
  readonly since?: string;
}

export interface AddedVersion {
  /** The version, e.g. `storage.azure.com/StorageAccount v20250601`. */
  readonly version: string;
  readonly since?: string;
  /** The newest version in the older catalog. */
  readonly before?: string;
  /** Properties of spec and status that `before` lacks. */
  readonly brings?: readonly string[];
  /** Properties of `before` that the version lacks. */
  readonly lacks?: readonly string[];
}

/** A fact that differs, with both values. */
export interface Changed {
  readonly what: string;
  readonly fact: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** @param before the older catalog */
export function diffCatalogs(before: Catalog, after: Catalog): CatalogDiff {
  const [old, new_] = [kindsByName(before), kindsByName(after)];
  const both = [...new_].flatMap(([name, kind]): [Kind, Kind][] => {
    const known = old.get(name);
    return known ? [[known, kind]] : [];
  });
  const pairs = both.flatMap(([one, other]) => versionPairs(one, other));
  return {
    kinds: {
      added: [...new_].filter(([name]) => !old.has(name)).map(([name, kind]) => addedKind(name, kind)),
      removed: [...old.keys()].filter((name) => !new_.has(name)),
      changed: both.flatMap(([one, other]) => kindChanges(one, other)),
    },
    versions: {
      added: both.flatMap(([one, other]) => addedVersions(one, other)),
      removed: both.flatMap(([one, other]) => missingVersions(one, other).map((name) => `${nameOf(one)} ${name}`)),
      changed: pairs.flatMap(([one, other]) => versionChanges(one, other)),
    },
    properties: propertyChanges(pairs),
  };
}

/** Whether the catalogs are equal. */
export function isEmptyDiff({ kinds, versions, properties }: CatalogDiff): boolean {
  return [kinds, versions, properties].every((part) => Object.values(part).every((list) => list.length === 0));
}

function addedKind(kind: string, { latest, versionNames }: Kind): AddedKind {
  return { kind, versions: versionNames, ...(latest.facts.since === undefined ? {} : { since: latest.facts.since }) };
}

function nameOf(kind: Kind): string {
  return `${kind.group}/${kind.kind}`;
}

function fullName(version: KindVersion): string {
  return `${nameOf(version.kind)} ${version.name}`;
}

function versionPairs(before: Kind, after: Kind): [KindVersion, KindVersion][] {
  return after.versionNames.flatMap((name): [KindVersion, KindVersion][] => {
    const old = before.version(name);
    return old ? [[old, after.version(name)!]] : [];
  });
}

function kindChanges(before: Kind, after: Kind): Changed[] {
  const { versions: _, ...old } = before.facts;
  const { versions: __, ...new_ } = after.facts;
  return factChanges(nameOf(after), old, new_);
}

/** Compares the facts behind `sameAs`, not which version has them. */
function versionChanges(before: KindVersion, after: KindVersion): Changed[] {
  const { sameAs: _, ...old } = before.facts;
  const { sameAs: __, ...new_ } = after.facts;
  return factChanges(fullName(after), old, new_);
}

function kindsByName(catalog: Catalog): Map<string, Kind> {
  return new Map(catalog.allKinds.map((kind) => [nameOf(kind), kind]));
}

function factChanges(what: string, before: object, after: object): Changed[] {
  const [old, new_]: [Struct, Struct] = [{ ...before }, { ...after }];
  const names = [...new Set([...Object.keys(old), ...Object.keys(new_)])];
  const changed = names.filter((fact) => !isDeepStrictEqual(old[fact], new_[fact]));
  return changed.map((fact) => ({ what, fact, before: old[fact], after: new_[fact] }));
}

function missingVersions(kind: Kind, other: Kind): string[] {
  return kind.versionNames.filter((name) => !other.version(name));
}

function addedVersions(before: Kind, after: Kind): AddedVersion[] {
  return missingVersions(after, before).map((name) => {
    const version = after.version(name)!;
    const [old, new_] = [propertyPaths(before.latest), propertyPaths(version)];
    const since = version.facts.since === undefined ? {} : { since: version.facts.since };
    return { version: fullName(version), ...since, before: before.latest.name, brings: without(new_, old), lacks: without(old, new_) };
  });
}

function propertyChanges(pairs: readonly [KindVersion, KindVersion][]): CatalogDiff['properties'] {
  const added: string[] = [];
  const removed: string[] = [];
  const changed: Changed[] = [];
  for (const [before, after] of pairs) {
    // The differences are reported for the version of `sameAs`.
    if (before.facts.sameAs !== undefined && before.facts.sameAs === after.facts.sameAs) continue;
    const [old, new_] = [propertyPaths(before), propertyPaths(after)];
    added.push(...without(new_, old).map((path) => `${fullName(after)} ${path}`));
    removed.push(...without(old, new_).map((path) => `${fullName(after)} ${path}`));
    for (const [path, facts] of new_) {
      const known = old.get(path);
      if (known) changed.push(...factChanges(`${fullName(after)} ${path}`, comparable(known), comparable(facts)));
    }
  }
  return { added, removed, changed };
}

/** Paths of the first that the second lacks, without children of listed paths. */
function without(paths: PropertyPaths, others: PropertyPaths): string[] {
  const missing = [...paths.keys()].filter((path) => !others.has(path));
  const listed = new Set(missing);
  return missing.filter((path) => !parents(path).some((parent) => listed.has(parent)));
}

function parents(path: string): string[] {
  const segments = path.split('.');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('.').replace(/(\[\]|\[\*\])+$/, ''));
}
