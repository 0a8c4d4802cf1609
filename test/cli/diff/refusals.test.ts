import { account, advised, changesOf, group, object } from './objects';
import type { ResourceChange } from '../../../cli/diff/changes';
import { reportOf } from '../../../cli/diff/report';

const inGroup = (spec: Record<string, unknown>) => ({ owner: { name: 'rg' }, location: 'uksouth', ...spec });
const cluster = (pools: readonly object[], spec: Record<string, unknown> = {}) =>
  object('containerservice.azure.com/v1api20250801', 'ManagedCluster', 'aks', inGroup({ agentPoolProfiles: pools, ...spec }));
const plan = (spec: Record<string, unknown>) => object('web.azure.com/v1api20220301', 'ServerFarm', 'plan', inGroup(spec));
const network = (name: string) => object('network.azure.com/v1api20240301', 'VirtualNetwork', name, inGroup({}));
const link = (target: object) => object('network.azure.com/v1api20240601', 'PrivateDnsZonesVirtualNetworkLink', 'link', {
  owner: { name: 'zone' }, location: 'global', virtualNetwork: { reference: target },
});

function changed(before: object, after: object, others: readonly object[] = []): ResourceChange {
  const [found] = changesOf([group(), ...others, before] as never, [group(), ...others, after] as never).resources;
  return found!;
}

test('a change that Azure refuses is refused, with its code at the property', () => {
  const found = changed(account('files', { isHnsEnabled: false }), account('files', { isHnsEnabled: true }));
  expect(found).toMatchObject({
    fate: 'refused',
    properties: [{ path: 'isHnsEnabled', old: false, new: true, refusal: { code: 'PropertyChangeNotAllowed' } }],
  });
  expect(advised(found)).toContain('Azure refuses this change: isHnsEnabled: false → true (PropertyChangeNotAllowed)');
});

test('what Azure takes is changed, without a refusal', () => {
  expect(changed(account('files', { kind: 'BlobStorage' }), account('files', { kind: 'StorageV2' }))).toMatchObject({
    fate: 'changed', properties: [{ path: 'kind', old: 'BlobStorage', new: 'StorageV2' }],
  });
  expect(changed(account('files', { kind: 'StorageV2' }), account('files', { kind: 'Storage' }))).toMatchObject({ fate: 'refused' });
});

test('elements of a list are found by their names', () => {
  const [a, b] = [{ name: 'a', vmSize: 'Standard_D2s_v5' }, { name: 'b', vmSize: 'Standard_D4s_v5' }];
  const found = changed(cluster([a, b]), cluster([{ ...b, vmSize: 'Standard_D8s_v5' }, a]));
  expect(found).toMatchObject({ fate: 'refused', properties: [{ path: 'agentPoolProfiles[b].vmSize', refusal: { code: 'PropertyChangeNotAllowed' } }] });
});

test('what Azure refuses only at times is changed, and the condition is said', () => {
  const found = changed(plan({ reserved: false }), plan({ reserved: true }));
  expect(found).toMatchObject({ fate: 'changed', properties: [{ path: 'reserved', refusal: { when: 'while the plan has apps' } }] });
  expect(advised(found)).toContain('Azure refuses this change while the plan has apps');
});

test('a reference to the same resource in another spelling is no change, to another one it is', () => {
  const named = (name: string) => ({ group: 'network.azure.com', kind: 'VirtualNetwork', name });
  const id = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/one';
  const networks = [network('one'), network('two')];
  expect(changed(link(named('one')), link({ armId: id.toUpperCase() }), networks)).toBeUndefined();
  expect(changed(link(named('one')), link(named('two')), networks)).toMatchObject({ fate: 'refused' });
});

test('values that may be secrets are in no message', () => {
  const machine = (adminUsername: string) => object('compute.azure.com/v1api20220301', 'VirtualMachine', 'vm', inGroup({ osProfile: { adminUsername } }));
  const found = changed(machine('password=hunter2'), machine('password=hunter3'));
  expect(found.fate).toBe('refused');
  expect(JSON.stringify([found, reportOf(changesOf([group(), machine('password=hunter2')], [group(), machine('password=hunter3')]), true)]))
    .not.toContain('hunter');
});
