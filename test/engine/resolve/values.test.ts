import { account, group, lookupOf, object, version } from './objects';
import type { Condition, KubernetesObject } from '../../../engine/kubernetes/types';
import { clusterValues, readyOwnerOf, referencesOf } from '../../../engine/resolve';
import { RESOURCE_ID } from '../../../src/azure/annotations';

const secret: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'ns' },
  data: { password: Buffer.from('hünter2').toString('base64'), user: 'YQ==' },
};
const configMap: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'ns' }, data: { id: '42' } };
const values = clusterValues(
  'ns',
  lookupOf(secret, configMap, group('claimed', { [RESOURCE_ID]: '/subscriptions/s/resourceGroups/claimed' }), group('new')),
);
const rg = (name: string) => ({ group: 'resources.azure.com', kind: 'ResourceGroup', name });

test('Secrets are decoded, ConfigMaps are as they are', () => {
  expect(values.secret('s', 'password')).toBe('hünter2');
  expect(values.secretMap('s')).toEqual({ password: 'hünter2', user: 'a' });
  expect(values.configMap('c', 'id')).toBe('42');
});

test('a reference needs the id that the claim writes, not readiness', () => {
  expect(values.reference(rg('claimed'))).toBe('/subscriptions/s/resourceGroups/claimed');
  expect(values.reference({ armId: '/as/written' })).toBe('/as/written');
});

test.each<[string, () => unknown, string, string]>([
  [
    'no Secret',
    () => values.secret('x', 'k'),
    'SecretNotFound',
    'failed resolving secret references: couldn\'t resolve secret reference ns/x.k: ns/x does not exist (secrets "x" not found)',
  ],
  [
    'no key',
    () => values.secret('s', 'k'),
    'SecretNotFound',
    'failed resolving secret references: couldn\'t resolve secret reference ns/s.k: Secret "ns/s" does not contain key "k"',
  ],
  [
    'no key of JavaScript',
    () => values.secret('s', 'constructor'),
    'SecretNotFound',
    'failed resolving secret references: couldn\'t resolve secret reference ns/s.constructor: Secret "ns/s" does not contain key "constructor"',
  ],
  [
    'no Secret of a map',
    () => values.secretMap('x'),
    'SecretNotFound',
    'failed resolving secret references: couldn\'t resolve secret reference ns/x: ns/x does not exist (secrets "x" not found)',
  ],
  [
    'no ConfigMap',
    () => values.configMap('x', 'k'),
    'ConfigMapNotFound',
    'failed resolving config map references: couldn\'t resolve config map reference ns/x.k: ns/x does not exist (configmaps "x" not found)',
  ],
  [
    'no key in it',
    () => values.configMap('c', 'k'),
    'ConfigMapNotFound',
    'failed resolving config map references: couldn\'t resolve config map reference ns/c.k: ConfigMap "ns/c" does not contain key "k"',
  ],
  [
    'no object',
    () => values.reference(rg('x')),
    'ReferenceNotFound',
    'failed resolving ARM IDs for references: couldn\'t resolve reference ns/x: ns/x does not exist (resourcegroups.resources.azure.com "x" not found)',
  ],
  [
    'not claimed',
    () => values.reference(rg('new')),
    'ReferenceNotFound',
    "failed resolving ARM IDs for references: ref new, Group/Kind: resources.azure.com/ResourceGroup doesn't have an assigned ARM ID",
  ],
  [
    'unknown kind',
    () => values.reference({ group: 'unserved.azure.com', kind: 'K', name: 'n' }),
    'ReferenceNotFound',
    'failed resolving ARM IDs for references: group: "unserved.azure.com", kind: "K" was not in reconciledResourceLookup',
  ],
  [
    'nothing',
    () => values.reference({}),
    'ReferenceNotFound',
    "failed resolving ARM IDs for references: at least one of ['ARMID'] or ['Group', 'Kind', 'Namespace', 'Name'] must be set for ResourceReference",
  ],
])('%s', (_, resolve, reason, message) => {
  expect(resolve).toThrow(expect.objectContaining({ reason, severity: 'Warning', message }));
});

test('an id in the place of a name gets a hint', () => {
  const id = '/subscriptions/s/resourceGroups/g';
  expect(() => values.reference(rg(id))).toThrow(`'${id}' looks like it might be an ARM ID; did you mean 'armID: ${id}'?`);
});

test('everything that a spec refers to, with its place', () => {
  const server = object('dbforpostgresql.azure.com/v20250801', 'FlexibleServer', 'pg', {
    owner: { name: 'rg' },
    administratorLoginPassword: { name: 's', key: 'password' },
    identity: { userAssignedIdentities: [{ reference: { armId: '/a' } }, { reference: { group: 'g', kind: 'k', name: 'n' } }] },
    network: { delegatedSubnetResourceReference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: 'sn' } },
    tags: { a: 'b' },
  });
  expect(referencesOf(server.spec, version(server))).toEqual([
    { to: 'secret', path: 'spec.administratorLoginPassword', name: 's', key: 'password' },
    { to: 'resource', path: 'spec.identity.userAssignedIdentities[0].reference', armId: '/a' },
    { to: 'resource', path: 'spec.identity.userAssignedIdentities[1].reference', group: 'g', kind: 'k', name: 'n' },
    {
      to: 'resource',
      path: 'spec.network.delegatedSubnetResourceReference',
      group: 'network.azure.com',
      kind: 'VirtualNetworksSubnet',
      name: 'sn',
    },
  ]);
  expect(referencesOf(undefined, version(server))).toEqual([]);
  expect(referencesOf({ identity: 'nonsense', administratorLoginPassword: [] }, version(server))).toEqual([]);
});

describe('the claim waits for the owner', () => {
  const ready = (status: Condition['status']): KubernetesObject => ({
    ...group(),
    status: { conditions: [{ type: 'Ready', status, reason: 'r', lastTransitionTime: '' }] },
  });
  const of = account('sa');
  const wait = (...others: KubernetesObject[]) => () => readyOwnerOf(of, version(of), lookupOf(...others));

  test('until it is there and Ready', () => {
    const message =
      'Owner "rg, Group/Kind: resources.azure.com/ResourceGroup" cannot be found. Progress is blocked until the owner is created.';
    const waiting = expect.objectContaining({ reason: 'WaitingForOwner', severity: 'Warning', message });
    expect(wait()).toThrow(waiting);
    expect(wait(group())).toThrow(waiting);
    expect(wait(ready('False'))).toThrow(waiting);
    expect(wait(ready('True'))()?.metadata.name).toBe('rg');
  });

  test('never for one by ARM id', () => {
    const other = account('sa', { owner: { armId: '/subscriptions/s/resourceGroups/g' } });
    expect(readyOwnerOf(other, version(other), lookupOf())).toBeUndefined();
  });
});
