import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { ownedObject, SURROUNDINGS } from '../../properties/owned-object';
import type { Random } from '../../simulation/random';
import { mutate } from '../mutate';

const VERSIONS: readonly KindVersion[] = Catalog.default().allKinds.map((kind) => kind.latest).filter(({ isArm }) => isArm);

/** Kinds that people use most, and that hostile people would choose, come more often than others. */
const FREQUENT = VERSIONS.filter(({ kind: { kind } }) =>
  [
    'ResourceGroup',
    'StorageAccount',
    'UserAssignedIdentity',
    'RoleAssignment',
    'VirtualNetwork',
    'FederatedIdentityCredential',
    'Vault',
    'ManagedCluster',
    'LoadBalancer',
  ].includes(kind),
);

export function randomVersion(random: Random): KindVersion {
  return random.pick(random.chance(0.5) ? FREQUENT : VERSIONS);
}

const ANNOTATIONS = {
  'serviceoperator.azure.com/reconcile-policy': 'manage',
  'serviceoperator.azure.com/credential-from': 'secret',
  'serviceoperator.azure.com/resource-id': '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg',
  'serviceoperator.azure.com/poller-resume-token': '{"version":1}',
  'aso.cdk8s.io/last-put': '{}',
  'aso.cdk8s.io/adopt': 'IfPresent',
};
const EXPRESSIONS = {
  configMapExpressions: [{ name: 'out', key: 'k', value: 'self.metadata.name' }],
  secretExpressions: [{ name: 'out', key: 'k', value: 'self.metadata.name' }],
};

/** Specs of one version: making one takes longer than most entrances. */
const SEEDS = 12;
const owned = new Map<string, Record<string, unknown>[]>();

function ownedObjects(version: KindVersion, seed: number): Record<string, unknown>[] {
  const key = `${version.apiVersion} ${version.kind.kind} ${seed}`;
  let objects = owned.get(key);
  if (!objects) owned.set(key, (objects = ownedObject(version, `x${(seed % 9) + 1}`, seed) as unknown as Record<string, unknown>[]));
  return objects;
}

/** Sound objects: one of a kind, with what it lies in. */
export function soundObjects(random: Random, version = randomVersion(random)): Record<string, unknown>[] {
  const objects = ownedObjects(version, random.between(1, SEEDS));
  const last = structuredClone(objects.at(-1)!);
  if (random.chance(0.3)) last.metadata = { ...(last.metadata as object), annotations: { ...ANNOTATIONS }, labels: { a: 'b' } };
  if (random.chance(0.3)) last.spec = { ...(last.spec as object), operatorSpec: structuredClone(EXPRESSIONS) };
  return [...objects.slice(0, -1), last];
}

/** The same with changes in the last one, and sometimes in one of those around it. */
export function mutatedObjects(random: Random): unknown[] {
  const version = randomVersion(random);
  const objects: unknown[] = [...SURROUNDINGS, ...soundObjects(random, version)];
  const donor = soundObjects(random);
  objects[objects.length - 1] = mutate(objects.at(-1), donor, random);
  if (random.chance(0.2)) {
    const at = random.between(0, objects.length - 1);
    objects[at] = mutate(objects[at], donor, random);
  }
  return objects;
}

/** An object as the API server stores it: a kind that it serves, and texts for names. */
export function asStored(value: unknown, version: KindVersion): KubernetesObject {
  const object = isRecord(value) ? value as Record<string, unknown> : {};
  const metadata = isRecord(object.metadata) ? object.metadata as Record<string, unknown> : {};
  return {
    ...object,
    apiVersion: version.apiVersion,
    kind: version.kind.kind,
    metadata: {
      annotations: textsIn(metadata.annotations),
      labels: textsIn(metadata.labels),
      name: 'x',
      namespace: 'ns',
      uid: '1',
      generation: 1,
      resourceVersion: '1',
    },
  } as unknown as KubernetesObject;
}

function textsIn(value: unknown): Record<string, string> {
  return typeof value === 'object' && value !== null
    ? (Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string')) as Record<string, string>)
    : {};
}
