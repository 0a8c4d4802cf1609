import { mentioned } from './shapes';
import type { KindVersion } from '../src/catalog';

/** Type name → property → the first release of the operator that has it, where what contains the property is older. */
export type LaterReleases = ReadonlyMap<string, ReadonlyMap<string, string>>;

const FIRST = 'v2.0.0';
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });
const ROOT = '';

interface Place {
  readonly type: string;
  readonly property: string;
  readonly path: string;
  readonly parent: string;
}

/** The properties of a kind that came later than the kind, or than the property that contains them. */
export function laterReleases(version: KindVersion): LaterReleases {
  const later = new Map<string, Map<string, string>>();
  if (version.facts.imported) return later;
  const since = firstReleases(version);
  const [own, around] = [new Map<string, string>(), new Map<string, string>()];
  const places = placesIn(version);
  for (const { type, property, path, parent } of places) {
    setEarliest(own, `${type}/${property}`, since.get(path)!);
    setEarliest(around, type, since.get(parent)!);
  }
  for (const { type, property } of places) {
    const release = own.get(`${type}/${property}`)!;
    if (release === around.get(type)) continue;
    later.set(type, (later.get(type) ?? new Map<string, string>()).set(property, minor(release)));
  }
  return later;
}

/** Path of a property → the first release with a version of the kind that has it. */
function firstReleases(version: KindVersion): Map<string, string> {
  const { kind } = version;
  const found = new Map<string, string>();
  const byTypes = new Map<string, { version: KindVersion; release: string }>();
  for (const name of kind.versionNames) {
    const other = kind.version(name)!;
    const release = other.facts.since ?? FIRST;
    const known = byTypes.get(other.typesOf);
    if (!known || isEarlier(release, known.release)) byTypes.set(other.typesOf, { version: other, release });
  }
  for (const { version: other, release } of byTypes.values()) {
    setEarliest(found, ROOT, release);
    for (const { path } of placesIn(other)) setEarliest(found, path, release);
  }
  return found;
}

function placesIn(version: KindVersion): Place[] {
  const places: Place[] = [];
  const walk = (type: string, parent: string, above: readonly string[]): void => {
    // A recursive type is followed once.
    if (above.includes(type)) return;
    for (const [property, facts] of Object.entries(version.type(type).props)) {
      const path = `${parent}.${property}`;
      places.push({ type, property, path, parent });
      for (const inner of mentioned(facts.type)) walk(inner, path, [...above, type]);
    }
  };
  walk(version.facts.spec!, ROOT, []);
  return places;
}

function setEarliest(releases: Map<string, string>, key: string, release: string): void {
  const known = releases.get(key);
  if (known === undefined || isEarlier(release, known)) releases.set(key, release);
}

function isEarlier(release: string, other: string): boolean {
  return BY_NUMBERS.compare(release, other) < 0;
}

/** Patch releases and previews count as their minor release. */
function minor(release: string): string {
  return release.replace(/^v(\d+)\.(\d+)\..*$/, 'v$1.$2.0');
}
