import fc from 'fast-check';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { convertObject } from '../../../engine/version-conversion/convert-object';
import { KEPT_MEMBERS } from '../../../src/azure/annotations';
import { Catalog, type Kind, type KindVersion } from '../../../src/catalog';
import { randomSpec } from '../../engine/convert/random-spec';

const kinds: Kind[] = Catalog.default().allKinds.filter((kind) => kind.versionNames.length > 1);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function objectOf(version: KindVersion, seed: number, annotations?: Record<string, string>): KubernetesObject {
  const metadata = { name: 'x', namespace: 'default', ...(annotations && { annotations }) };
  return plain({ apiVersion: version.apiVersion, kind: version.kind.kind, metadata, spec: randomSpec(version, seed) }) as KubernetesObject;
}

const journey = (object: KubernetesObject, ...versions: KindVersion[]) =>
  versions.reduce((current, version) => plain(convertObject(current, version)) as KubernetesObject, object);

test('every kind with several versions: a → b → a gives the same object, for all pairs of versions', () => {
  let pairs = 0;
  for (const kind of kinds) {
    const versions = kind.versionNames.map((name) => kind.version(name)!);
    for (const a of versions) {
      for (const b of versions) {
        if (a === b) continue;
        for (const seed of [1, 2, 3]) {
          const object = objectOf(a, seed + pairs);
          expect(journey(object, b, a)).toEqual(object);
        }
        pairs += 1;
      }
    }
  }
  process.stderr.write(`conversion: ${kinds.length} kinds, ${pairs} pairs of versions, a → b → a without loss\n`);
  expect(kinds.length).toBeGreaterThan(150);
});

const stops = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
const journeys = fc.record({ kind: fc.constantFrom(...kinds), seed: fc.nat(), stops, annotated: fc.boolean() })
  .map(({ kind, seed, stops: at, annotated }) => {
    const versions = kind.versionNames.map((name) => kind.version(name)!);
    const versionAt = (stop: number) => versions[stop % versions.length]!;
    const [from, by] = [versionAt(seed), at.map(versionAt)];
    return { from, by, object: objectOf(from, seed, annotated ? { mine: 'kept' } : undefined) };
  });

test('any way through the versions comes back to the same object', () => {
  fc.assert(fc.property(journeys, ({ from, by, object }) => {
    expect(journey(object, ...by, from)).toEqual(object);
  }), { numRuns: 1500 });
});

test('whatever the way, a version shows only members that it has, and metadata is left alone but for the annotation', () => {
  fc.assert(fc.property(journeys, ({ by, object }) => {
    const target = by.at(-1)!;
    const result = journey(object, ...by);
    expect(result.apiVersion).toBe(target.apiVersion);
    for (const name of Object.keys(result.spec!)) expect(Object.keys(target.specType.props)).toContain(name);
    const { [KEPT_MEMBERS]: _, ...annotations } = result.metadata.annotations ?? {};
    expect({ ...result.metadata, annotations }).toEqual({ ...object.metadata, annotations: object.metadata.annotations ?? {} });
  }), { numRuns: 500 });
});
