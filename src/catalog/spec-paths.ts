import type { PropertyFacts, Scalar, TypeExpression } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef, isScalar } from './type-expression';

/** A step of a path: a property, every element of a list, or every value of a map. */
export type SpecStep = { readonly property: string } | 'elements' | 'values';

/** The place of a scalar value below `spec`. */
export interface SpecPath {
  /** `locations[].locationName`; `{}` stands for every value of a map. */
  readonly text: string;
  readonly steps: readonly SpecStep[];
  readonly type: Scalar;
}

interface Place {
  readonly text: string;
  readonly steps: readonly SpecStep[];
  /** Types that contain the place: a recursive type is followed once. */
  readonly inside: readonly string[];
}

const known = new WeakMap<KindVersion, readonly SpecPath[]>();

/** Every place of a scalar value below the spec of a version, except the owner's. */
export function specPathsOf(version: KindVersion): readonly SpecPath[] {
  let paths = known.get(version);
  if (!paths) {
    const found: SpecPath[] = [];
    if (version.facts.spec !== undefined) walk({ ref: version.facts.spec }, { text: '', steps: [], inside: [] }, version, found);
    paths = found;
    known.set(version, paths);
  }
  return paths;
}

/** A path without the marks of lists and maps: `locations.locationName`. */
export function plainPath(text: string): string {
  return text.replace(/\[\]|\{\}/g, '');
}

function walk(type: TypeExpression, place: Place, version: KindVersion, found: SpecPath[]): void {
  const { text, steps, inside } = place;
  if (isConstrained(type)) return walk(type.type, place, version, found);
  if (isArray(type)) return walk(type.array, { ...place, text: `${text}[]`, steps: [...steps, 'elements'] }, version, found);
  if (isMap(type)) return walk(type.map, { ...place, text: `${text}{}`, steps: [...steps, 'values'] }, version, found);
  if (isRef(type) || isCommon(type)) {
    const name = isRef(type) ? type.ref : `common:${type.common}`;
    if (inside.includes(name)) return;
    const { props } = isRef(type) ? version.type(type.ref) : version.commonType(type.common);
    return walkProperties(props, { ...place, inside: [...inside, name] }, version, found);
  }
  if (isScalar(type)) found.push({ text, steps, type });
}

function walkProperties(props: Readonly<Record<string, PropertyFacts>>, place: Place, version: KindVersion, found: SpecPath[]): void {
  for (const [property, facts] of Object.entries(props)) {
    if (facts.role === 'owner') continue;
    walk(
      facts.type,
      { ...place, text: place.text === '' ? property : `${place.text}.${property}`, steps: [...place.steps, { property }] },
      version,
      found,
    );
  }
}
