import type { ClusterState, KindObjects } from '../../../cli/migrate/cluster-state';
import { sortCrds } from '../../../cli/migrate/migrated-kinds';
import { policyProbes } from '../../../cli/migrate/policy-probe';
import { mergedRecords, originalVersionOf, recordOf } from '../../../cli/migrate/recorded-versions';
import { findingsOf } from '../../../cli/migrate/state-findings';
import { isStorageVersion } from '../../../cli/migrate/storage-versions';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import { asoCrd } from '../../e2e/migration/aso-crd';
import { asoInstallation } from '../../e2e/migration/aso-installation';

const catalog = Catalog.default();
const account = catalog.kind('storage.azure.com', 'StorageAccount')!;
const webhooks = { port: 443, caBundle: '' };
const asObject = (value: unknown) => value as KubernetesObject;
const crd = asObject(asoCrd(account, webhooks));
const deployment = asObject({ ...asoInstallation({ webhooks, settings: {}, kinds: [account] }).find((object: any) => object.kind === 'Deployment'), status: { availableReplicas: 2 } });
const object = (metadata: object = {}, originalVersion = 'v20250601'): KubernetesObject => asObject({
  apiVersion: 'storage.azure.com/v20250601storage',
  kind: 'StorageAccount',
  metadata: { name: 'data', namespace: 'shop', uid: '1', finalizers: ['serviceoperator.azure.com/finalizer'], ...metadata },
  spec: { originalVersion },
});

function state(change: Partial<ClusterState> = {}, objects: readonly KubernetesObject[] = [object()]): ClusterState {
  const crds = sortCrds([crd], [], catalog);
  const kinds: KindObjects[] = crds.migrated.map((kind) => ({ kind, objects }));
  return {
    kubernetes: { major: 1, minor: 34, text: 'v1.34.4' },
    clockDifferenceMs: 0,
    controllers: [deployment],
    crds,
    kinds,
    installed: new Map([[crd.metadata.name, crd]]),
    unknownKinds: [],
    unread: [],
    ...change,
  };
}
const lines = (of: ClusterState, install: readonly KubernetesObject[] = []) =>
  findingsOf(of, install, catalog).filter(({ severity }) => severity !== 'note').map(({ severity, check, message }) => `${severity} ${check}: ${message}`);

test('a healthy cluster has nothing but notes', () => expect(lines(state())).toEqual([]));

const bundled = asObject({ ...deployment, metadata: { ...deployment.metadata, name: 'ours' }, spec: { template: { spec: { containers: [{ name: 'manager', args: ['--kinds=x'] }] } } } });
const install = [asObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'elsewhere' } })];

test.each<[string, ClusterState, string]>([
  ['an old API server', state({ kubernetes: { major: 1, minor: 29, text: 'v1.29.1' } }), 'stop versions: Kubernetes v1.29.1 has no ValidatingAdmissionPolicy'],
  ['clocks that differ', state({ clockDifferenceMs: -65_000 }), "warning clocks: this machine's clock is 65 s behind the API server's"],
  ['half an installation', state({ controllers: [] }), 'stop installation: ASO has no Deployment'],
  ['a Deployment that is scaled to 0', state({ controllers: [asObject({ ...deployment, spec: { ...deployment.spec, replicas: 0 } })] }), 'stop installation: the Deployment azureserviceoperator-system/azureserviceoperator-controller-manager is scaled to 0'],
  ['pods that are not ready', state({ controllers: [asObject({ ...deployment, status: {} })] }), 'stop installation: no pod of the Deployment azureserviceoperator-system/azureserviceoperator-controller-manager is ready'],
  ['annotations without room', state({}, [object({ annotations: { a: 'x'.repeat(230 * 1024) } }, 'v1api20220901')]), 'stop objects: the annotations of 1 object leave no room for what the stored version has no place for: StorageAccount shop/data'],
  ['both controllers', state({ controllers: [deployment, bundled] }), "stop installation: this package's controller runs already: Deployment azureserviceoperator-system/ours"],
  ['a split installation', state({ controllers: [deployment, deployment] }), 'stop installation: ASO has several Deployments'],
  ['a right that is missing', state({ unread: [{ what: 'CRDs', why: 'forbidden', isForbidden: true }] }), 'stop rights: CRDs cannot be read: forbidden'],
  ['a CRD that is older than its objects', state({ unread: [{ what: 'fleets.containerservice.azure.com', why: 'request to convert CR from an invalid group/version', isForbidden: false }] }), 'stop objects: fleets.containerservice.azure.com cannot be read: request to convert'],
  ['an unknown kind', state({ unknownKinds: [{ crd: 'news.azure.com', objects: 2 }] }), 'stop crds: the catalog has no kind for news.azure.com, of which there are 2 objects'],
  ['an unknown kind without objects', state({ unknownKinds: [{ crd: 'news.azure.com', objects: 0 }] }), 'warning crds: the catalog has no kind for news.azure.com'],
  ['a version that is gone', state({}, [object({}, 'v1beta20210401')]), 'stop versions: the catalog has no version v1beta20210401 of StorageAccount, in which 1 object was applied: StorageAccount shop/data'],
  ['webhooks that do not answer', state({ kinds: state().kinds.map((kind) => ({ ...kind, conversionError: 'no endpoints' })) }), "stop webhooks: ASO's webhook does not convert storageaccounts.storage.azure.com: no endpoints"],
  ['an operation', state({}, [object({ annotations: { 'serviceoperator.azure.com/poller-resume-token': '{}' } })]), 'warning objects: Azure works on 1 object: StorageAccount shop/data'],
  ['a deletion', state({}, [object({ deletionTimestamp: '2026-01-01T00:00:00Z' })]), 'warning objects: 1 object is being deleted: StorageAccount shop/data'],
  ['no finalizer', state({}, [object({ finalizers: [] })]), "warning objects: 1 object without ASO's finalizer: StorageAccount shop/data"],
])('%s', (_, of, line) => expect(lines(of)).toEqual([expect.stringContaining(line)]));

test('an installation that does not fit', () => {
  expect(lines(state(), install)).toEqual([expect.stringContaining('stop installation: the new installation is in the namespace elsewhere, ASO in azureserviceoperator-system')]);
  const group = asObject(crdManifest(catalog.kind('resources.azure.com', 'ResourceGroup')!));
  const azure = asObject({ apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'g', namespace: 'n' } });
  expect(lines(state(), [group, azure])).toEqual([
    'stop install: the manifests have no Deployment',
    'stop install: the manifests have Azure objects: ResourceGroup n/g',
    'stop install: the manifests have no CRD storageaccounts.storage.azure.com, of which there are 1 object',
  ]);
  const one = asObject(crdManifest(account, { versions: ['v20250601'] }));
  const here = asObject({ ...install[0], metadata: { name: 'd', namespace: 'azureserviceoperator-system' } });
  expect(lines(state({}, [object({}, 'v1api20220901')]), [here, one])).toEqual([expect.stringContaining('does not serve v1api20220901')]);
});

test('a CRD of another project that --install would overwrite', () => {
  const foreign = asObject({ ...crd, metadata: { name: crd.metadata.name } });
  const crds = { ...sortCrds([crd], [], catalog), foreign: [foreign] };
  const here = asObject({ ...install[0], metadata: { name: 'd', namespace: 'azureserviceoperator-system' } });
  expect(lines(state({ crds }), [here, asObject(crdManifest(account))])).toEqual(["stop crds: --install has CRDs that are in the cluster without ASO's label: storageaccounts.storage.azure.com"]);
});

test('an earlier record goes before what a rewritten object seems to be', () => {
  const earlier = { at: 'then', versions: { v1api20220901: ['1', '2'], v1api20230101: ['3'] } };
  expect(mergedRecords(earlier, { at: 'now', versions: { v1api20230101: ['2'], v20250101: ['4'] } })).toEqual({
    at: 'then', versions: { v1api20220901: ['1'], v1api20230101: ['2', '3'], v20250101: ['4'] },
  });
});

test('CRDs are sorted, also in the middle of a migration', () => {
  const moved = asObject({ ...crd, spec: { ...crd.spec, versions: (crd.spec!.versions as any[]).map((version) => ({ ...version, storage: version.name === 'v20250601' })) }, status: { storedVersions: ['v20250601storage', 'v20250601'] } });
  const foreign = asObject({ ...crd, metadata: { name: 'buckets.storage.azure.com' } });
  const unknown = asObject({ ...crd, metadata: { ...crd.metadata, name: 'news.storage.azure.com' } });
  const ours = asObject(crdManifest(catalog.kind('resources.azure.com', 'ResourceGroup')!));
  const sorted = sortCrds([moved, foreign, unknown, ours], [], catalog);
  expect(sorted.migrated).toEqual([
    // One of this package, replaced by an earlier run: its objects stay as they are stored.
    expect.objectContaining({ kind: 'ResourceGroup', from: 'v1api20200601', to: 'v1api20200601' }),
    expect.objectContaining({ kind: 'StorageAccount', from: 'v20250601storage', to: 'v20250601' }),
  ]);
  expect([sorted.foreign, sorted.unknown].map((all) => all.map(({ metadata }) => metadata.name))).toEqual([
    ['buckets.storage.azure.com'], ['news.storage.azure.com'],
  ]);
  // The manifests of the installation decide what is stored.
  expect(sortCrds([crd], [asObject(crdManifest(account, { storage: 'v20230101' }))], catalog).migrated[0]!.to).toBe('v20230101');
});

test('versions are recorded where they are not the stored one', () => {
  const [kind] = sortCrds([crd], [], catalog).migrated;
  const objects = [object(), object({ uid: '2' }, 'v1api20220901'), object({ uid: '3' }, '')];
  expect(objects.map((each) => originalVersionOf(each, kind!))).toEqual(['v20250601', 'v1api20220901', 'v20250601']);
  expect(recordOf(kind!, objects, 'now')).toEqual({ at: 'now', versions: { v1api20220901: ['2'] } });
});

test('kinds that ASO stores in their only version are handed over, too', () => {
  const users = ['dbforpostgresql.azure.com', 'dbformysql.azure.com', 'sql.azure.com'].map((group) => asObject(asoCrd(catalog.kind(group, 'User')!, webhooks)));
  expect(users.map(({ spec }) => spec?.conversion)).toEqual(users.map(() => expect.objectContaining({ strategy: 'Webhook' })));
  const sorted = sortCrds([...users, crd], [], catalog);
  expect(sorted.migrated.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ['StorageAccount', 'v20250601storage', 'v20250601'], ['User', 'v1', 'v1'], ['User', 'v1', 'v1'], ['User', 'v1', 'v1'],
  ]);
  const installed = new Map([...users, crd].map((each) => [each.metadata.name, each]));
  expect(lines(state({ crds: sorted, kinds: sorted.migrated.map((kind) => ({ kind, objects: [] })), installed }))).toEqual([]);
});

test('the probe of the policy has what the schema of a storage version requires', () => {
  const role = catalog.kind('authorization.azure.com', 'RoleAssignment')!;
  const user = catalog.kind('dbforpostgresql.azure.com', 'User')!;
  const crds = new Map([account, role, user].map((kind) => [kind.crdName, asObject(asoCrd(kind, webhooks))]));
  const probes = policyProbes(sortCrds([...crds.values()], [], catalog).migrated, (name) => crds.get(name));
  expect(probes.map(({ kind: { kind }, version, spec }) => [kind, isStorageVersion(version), spec])).toEqual([
    ['RoleAssignment', true, { owner: {}, roleDefinitionReference: {} }],
    ['StorageAccount', true, { owner: {} }],
  ]);
});
