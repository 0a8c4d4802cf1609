import fc from 'fast-check';
import { managedFieldsOf } from '../../../cli/migrate/managed-fields';
import { rewriteOf } from '../../../cli/migrate/rewritten';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { convertObject } from '../../../engine/version-conversion/convert-object';
import { KEPT_MEMBERS } from '../../../src/azure/annotations';
import { Catalog, type Kind, type KindVersion } from '../../../src/catalog';
import { convertAsAso } from '../../e2e/migration/aso-conversion';
import { randomSpec } from '../../engine/convert/random-spec';

const catalog = Catalog.default();
const KINDS = ([['storage', 'StorageAccount'], ['insights', 'ScheduledQueryRule'], ['containerservice', 'ManagedCluster'], ['network', 'VirtualNetwork']] as const)
  .map(([service, kind]) => catalog.kind(`${service}.azure.com`, kind)!);
const pairs = KINDS.flatMap((kind) => kind.versionNames
  .filter((name) => name !== kind.facts.storageVersion)
  .map((name): [string, Kind, KindVersion, KindVersion] => [`${kind.kind} ${name}`, kind, kind.version(name)!, kind.version(kind.facts.storageVersion)!]));

function left(version: KindVersion, seed: number): KubernetesObject {
  const managedFields = [
    { manager: 'kubectl', operation: 'Update', apiVersion: version.apiVersion, time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } },
    { manager: 'aso', operation: 'Update', apiVersion: `${version.kind.group}/v1storage`, time: '2026-01-02T00:00:00Z', fieldsV1: { 'f:metadata': {} } },
  ];
  const ownerReferences = [{ apiVersion: 'resources.azure.com/v1api20200601storage', kind: 'ResourceGroup', name: 'g', uid: '1' }];
  const metadata = { name: 'o', namespace: 'n', uid: '2', generation: 3, finalizers: ['f'], annotations: { a: 'b' }, ownerReferences, managedFields };
  return { apiVersion: version.apiVersion, kind: version.kind.kind, metadata, spec: randomSpec(version, seed), status: { id: 'x', conditions: [] } };
}

/** The members that the annotation keeps; their order has no meaning. */
const keptOf = ({ metadata }: KubernetesObject): string[] =>
  (JSON.parse(metadata.annotations?.[KEPT_MEMBERS] ?? '{"spec":[]}') as { spec: unknown[] }).spec.map((entry) => JSON.stringify(entry)).sort();
const typeOf = ({ group, kind, facts: { plural } }: Kind, version: string) => ({ group, version, plural, kind, namespaced: true });
const read = (object: KubernetesObject, version: KindVersion) => convertAsAso(catalog, object, version.apiVersion) as KubernetesObject;

test.each(pairs)('%s: nothing is lost, and a second time changes nothing', (_, kind, from, to) => {
  fc.assert(fc.property(fc.nat(), (seed) => {
    const before = left(from, seed);
    const options = { type: typeOf(kind, to.name), applied: from, stored: to, storedVersionOf: () => 'v1api20200601' };
    // The storage form between them is what ASO reads both from.
    const inStorage = convertAsAso(catalog, before as any, `${kind.group}/${to.name}storage`) as KubernetesObject;
    const stored = read(inStorage, to);
    const { object, managedFields } = rewriteOf({ applied: read(inStorage, from), stored }, options);
    expect(convertObject(object, from).spec).toEqual(before.spec);
    expect(object.metadata).toMatchObject({ uid: '2', generation: 3, finalizers: ['f'], annotations: { a: 'b' } });
    expect(object.metadata.ownerReferences![0]!.apiVersion).toBe('resources.azure.com/v1api20200601');
    expect(JSON.stringify(managedFields)).not.toContain('storage"');
    // A process that was killed: ASO's conversion from the new form knows nothing of the annotation.
    const again = rewriteOf({ applied: read(object, from), stored: object }, options).object;
    expect([again.spec, again.status, keptOf(again)]).toEqual([object.spec, object.status, keptOf(object)]);
  }), { numRuns: 20 });
});

test('an object that was applied in the stored version gets no annotation, and keeps its records', () => {
  const [, kind, , to] = pairs[0]!;
  const stored = left(to, 1);
  const options = { type: typeOf(kind, to.name), applied: to, stored: to, storedVersionOf: () => undefined };
  const { object, status, restoresManagedFields } = rewriteOf({ stored }, options);
  expect(object.metadata.annotations).toEqual({ a: 'b' });
  expect(object.metadata.annotations).not.toHaveProperty([KEPT_MEMBERS]);
  expect(object.spec).toEqual(stored.spec);
  // The owner's kind is not known: its reference stays.
  expect(object.metadata.ownerReferences).toEqual(stored.metadata.ownerReferences);
  expect([status, restoresManagedFields]).toEqual([undefined, false]);
  expect(managedFieldsOf(object)[1]!.apiVersion).toBe(to.apiVersion);
});
