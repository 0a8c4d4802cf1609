import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { AsoAuthentication, AsoCredential } from '../../src/core';
import { ArgoSyncWaves } from '../../src/gitops';
import { UserAssignedIdentity } from '../../src/services/managedidentity/user-assigned-identity';
import { ResourceGroup } from '../../src/services/resources/resource-group';
import { StorageAccount } from '../../src/services/storage/storage-account';

const WAVE = 'argocd.argoproj.io/sync-wave';

/** Name → wave of each object of the chart. */
function wavesOf(chart: Chart): Record<string, string | undefined> {
  return Object.fromEntries((Testing.synth(chart) as any[]).map(({ kind, metadata }) => [kind, metadata.annotations?.[WAVE]]));
}
function shop(): { app: App; chart: Chart; owner: ResourceGroup; identity: UserAssignedIdentity } {
  const app = new App();
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  const identity = new UserAssignedIdentity(chart, 'identity', { owner, location: 'uksouth' });
  return { app, chart, owner, identity };
}
const account = (chart: Chart, owner: ResourceGroup, id = 'data', annotations: Record<string, string> = {}) =>
  new StorageAccount(chart, id, {
    metadata: { annotations }, owner, azureName: `shop${id}`, location: 'uksouth', kind: 'StorageV2' as never, sku: { name: 'Standard_LRS' as never },
  });

test('owners first, then what needs them, then workloads that read their values; the rest has no wave', () => {
  const { chart, identity } = shop();
  ArgoSyncWaves.apply(chart);
  const { configMapName: name, key } = identity.outputs.clientId;
  new ApiObject(chart, 'pod', {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [{ name: 'a', env: [{ name: 'ID', valueFrom: { configMapKeyRef: { name, key } } }] }] },
  });
  new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  expect(wavesOf(chart)).toEqual({ ResourceGroup: '0', UserAssignedIdentity: '1', Pod: '2', Namespace: undefined });
});

test('objects that are added after the call have waves too, and a second synth changes nothing', () => {
  const { chart, owner } = shop();
  ArgoSyncWaves.apply(chart);
  account(chart, owner);
  const waves = wavesOf(chart);
  expect(waves).toEqual({ ResourceGroup: '0', UserAssignedIdentity: '1', StorageAccount: '1' });
  expect(wavesOf(chart)).toEqual(waves);
});

test('a Secret of the app makes no wave of its own', () => {
  const { chart } = shop();
  new AsoCredential(chart, 'credential', {
    subscriptionId: '11111111-2222-3333-4444-555555555555',
    tenantId: '66666666-7777-8888-9999-000000000000',
    authentication: AsoAuthentication.workloadIdentity('aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee'),
  });
  ArgoSyncWaves.apply(chart);
  expect(wavesOf(chart)).toMatchObject({ ResourceGroup: '0', UserAssignedIdentity: '1', Secret: undefined });
});

test('an object keeps its own wave, and what needs it comes later', () => {
  const { chart } = shop();
  const owner = new ResourceGroup(chart, 'late', { metadata: { annotations: { [WAVE]: '5' } }, location: 'uksouth' });
  account(chart, owner);
  ArgoSyncWaves.apply(chart);
  const objects = Testing.synth(chart) as any[];
  expect(objects.map(({ metadata }) => metadata.annotations[WAVE])).toEqual(['0', '1', '5', '6']);
});

test('objects outside of the scope have no waves, and count as being there', () => {
  const { app, chart, owner } = shop();
  const other = new Chart(app, 'other', { namespace: 'shop' });
  account(other, owner);
  ArgoSyncWaves.apply(other);
  expect(wavesOf(other)).toEqual({ StorageAccount: '0' });
  expect(wavesOf(chart)).toEqual({ ResourceGroup: undefined, UserAssignedIdentity: undefined });
});

test('objects that wait for each other have no waves', () => {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  const role = (name: string, other: string) => new ApiObject(chart, name, {
    apiVersion: 'authorization.azure.com/v1api20220401',
    kind: 'RoleAssignment',
    metadata: { name },
    spec: { owner: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: other }, roleDefinitionReference: { wellKnownName: 'Reader' } },
  });
  role('one', 'two');
  role('two', 'one');
  ArgoSyncWaves.apply(chart);
  expect(() => Testing.synth(chart)).toThrow(/ArgoSyncWaves: these wait for each other, so none has a wave: RoleAssignment .* → .*Take one of the references away/);
});
