import fc from 'fast-check';
import type { ClusterState } from '../../../cli/migrate/cluster-state';
import { kindsForAso } from '../../../cli/migrate/to-aso/kinds-for-aso';
import { toAsoFindings } from '../../../cli/migrate/to-aso/preflight';
import { returnedObject, sentGeneration } from '../../../cli/migrate/to-aso/returned';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { convertObject } from '../../../engine/version-conversion/convert-object';
import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import { convertAsAso } from '../../e2e/migration/aso-conversion';
import { asoCrd } from '../../e2e/migration/aso-crd';
import { asoInstallation } from '../../e2e/migration/aso-installation';
import { randomSpec } from '../../engine/convert/random-spec';

const catalog = Catalog.default();
const account = catalog.kind('storage.azure.com', 'StorageAccount')!;
const asObject = (value: unknown) => value as KubernetesObject;
const webhooks = { port: 443, caBundle: '' };
const ours = asObject(crdManifest(account));
const asos = [asObject(asoCrd(account, webhooks)), ...asoInstallation({ webhooks, settings: {}, kinds: [account] }).map(asObject)];
const asoDeployment = asos.find(({ kind }) => kind === 'Deployment')!;
const controller = asObject({ ...asoDeployment, status: { availableReplicas: 1 }, spec: { template: { metadata: { annotations: { 'aso.cdk8s.io/settings-digest': 'x' } }, spec: { containers: [{ name: 'manager', image: 'c:1.2.3' }] } } } });

test.each(account.versionNames.filter((name) => name !== account.facts.storageVersion))('%s: what the annotation keeps is there again', (name) => {
  const from = account.version(name)!;
  const to = account.version(account.facts.storageVersion)!;
  fc.assert(fc.property(fc.nat(), (seed) => {
    const metadata = { name: 'o', namespace: 'n', annotations: { 'a': 'b', 'aso.cdk8s.io/last-put': 'x', 'aso.cdk8s.io/adopt': 'Never' } };
    const before: KubernetesObject = { apiVersion: from.apiVersion, kind: 'StorageAccount', metadata, spec: randomSpec(from, seed), status: { id: 'x' } };
    const stored = convertObject(before, to);
    // ASO's conversion knows nothing of the annotation.
    const { object, last, status } = returnedObject(convertAsAso(catalog, stored, from.apiVersion) as KubernetesObject, from, stored);
    expect(object.spec).toEqual(before.spec);
    expect({ ...object.metadata.annotations, ...last?.annotations }).toMatchObject({ 'a': 'b', 'aso.cdk8s.io/adopt': 'Never' });
    expect((last ?? object.metadata).annotations).toEqual({ 'a': 'b', 'aso.cdk8s.io/adopt': 'Never' });
    expect(status).toBeUndefined();
  }), { numRuns: 20 });
});

test('a value that was set since goes before that of the annotation', () => {
  const from = account.version('v1api20220901')!;
  const to = account.version(account.facts.storageVersion)!;
  const spec = { sku: { name: 'Standard_LRS', tier: 'Standard' } };
  const stored = convertObject({ apiVersion: from.apiVersion, kind: 'StorageAccount', metadata: { name: 'o', namespace: 'n' }, spec }, to);
  const applied = { ...stored, apiVersion: from.apiVersion, spec: { sku: { name: 'Standard_LRS', tier: 'Premium' } } };
  expect(returnedObject(applied, from, stored).object.spec).toEqual(applied.spec);
});

test('owners of restored fields stay the same when the process is killed between the writes, or another writer is faster', () => {
  const from = account.version('v1api20220901')!;
  const to = account.version(account.facts.storageVersion)!;
  const fields = (of: object) => ({ fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:sku': of } } });
  const update = { operation: 'Update', apiVersion: from.apiVersion };
  const record = (manager: string, time: string, of: object) => ({ manager, ...update, time, ...fields(of) });
  const users = record('kubectl', '2026-01-01T00:00:00Z', { 'f:name': {}, 'f:tier': {} });
  const spec = { sku: { name: 'Standard_LRS', tier: 'Standard' } };
  const stored = convertObject({ apiVersion: from.apiVersion, kind: 'StorageAccount', metadata: { name: 'o', namespace: 'n' }, spec }, to);
  const withFields = (object: KubernetesObject, ...managedFields: object[]) =>
    asObject({ ...object, metadata: { ...object.metadata, managedFields } });
  const first = returnedObject(withFields(convertAsAso(catalog, stored, from.apiVersion) as KubernetesObject, users), from, stored);
  expect(first.last).toEqual({ annotations: {}, managedFields: [users] });
  // The answer to the first write: the server has given the restored member to its writer.
  const taken = [record('kubectl', users.time, { 'f:name': {} }), record('cdk8s-aso-migrate', '2026-01-02T00:00:00Z', { 'f:tier': {} })];
  const note = record('note', '2026-01-02T00:00:01Z', {});
  const again = returnedObject(withFields(first.object, ...taken, note), from, first.object);
  expect(again).toEqual({ object: expect.objectContaining({ spec }) });
  expect(again.object.metadata).toMatchObject({ annotations: {}, managedFields: [users, note] });
  const edited = record('kubectl', '2026-01-03T00:00:00Z', { 'f:name': {} });
  const afterEdit = returnedObject(withFields(first.object, edited, taken[1]!), from, first.object);
  expect(afterEdit.object.metadata).toMatchObject({ managedFields: [edited] });
});

test.each([
  ['no JSON', '{"spec":'],
  ['other types', '{"spec":[1,null,{"path":1}],"status":[]}'],
  ['a prototype', '{"spec":[{"path":["__proto__","polluted"],"value":true},{"path":["constructor","prototype","polluted"],"value":true}]}'],
  ['deep nesting', `{"spec":[{"path":["sku","tier"],"value":${'['.repeat(5_000)}${']'.repeat(5_000)}}]}`],
  ['a quarter of a megabyte', JSON.stringify({ spec: [{ path: Array.from({ length: 60_000 }, () => 'a'), value: 1 }] })],
])('an annotation with %s, written by a tenant, changes nothing else', (_, text) => {
  const from = account.version('v1api20220901')!;
  const spec = { sku: { name: 'Standard_LRS', tier: 'Standard' } };
  const metadata = { name: 'o', namespace: 'n', annotations: { 'aso.cdk8s.io/kept-members': text } };
  const object: KubernetesObject = { apiVersion: from.apiVersion, kind: 'StorageAccount', metadata, spec };
  const returned = returnedObject(object, from, { ...object, apiVersion: account.version('v20250601')!.apiVersion });
  expect(returned.object.spec).toEqual(spec);
  expect(returned.object.metadata.annotations).toEqual({});
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('an object whose spec was sent counts as sent when restored members have made its generation grow', () => {
  const key = 'serviceoperator.azure.com/latest-reconciled-generation';
  const at = (generation: number, sent: string): KubernetesObject => (
    asObject({ metadata: { name: 'o', generation, annotations: { [key]: sent } } }));
  expect(sentGeneration(at(2, '2'), 3)).toEqual({ [key]: '3' });
  // The user has edited it since.
  expect(sentGeneration(at(3, '2'), 4)).toEqual({});
});

test('kinds that ASO has a CRD with a storage version for', () => {
  expect(kindsForAso([ours], asos, catalog)).toEqual({
    migrated: [expect.objectContaining({ kind: 'StorageAccount', from: 'v20250601', to: 'v20250601storage' })], missing: [], own: [],
  });
  expect(kindsForAso([ours], [asoDeployment], catalog)).toEqual({ migrated: [], missing: ['storageaccounts.storage.azure.com'], own: [] });
  expect(kindsForAso([ours], [ours, asoDeployment], catalog)).toMatchObject({ migrated: [], missing: ['storageaccounts.storage.azure.com'] });
  // The user installs ASO, and its CRDs are not there yet.
  expect(kindsForAso([ours], [], catalog)).toEqual(kindsForAso([ours], asos, catalog));
});

test('kinds that ASO stores in their only version, and kinds that it never had', () => {
  const users = catalog.kind('dbforpostgresql.azure.com', 'User')!;
  const access = catalog.kind('databases.aso.cdk8s.io', 'DatabaseAccess')!;
  const cluster = [users, access].map((kind) => asObject(crdManifest(kind)));
  const expected = { migrated: [expect.objectContaining({ crd: users.crdName, from: 'v1', to: 'v1' })], missing: [], own: [access.crdName] };
  expect(kindsForAso(cluster, [asObject(asoCrd(users, webhooks)), asoDeployment], catalog)).toEqual(expected);
  expect(kindsForAso(cluster, [], catalog)).toEqual(expected);
});

describe('findings', () => {
  const object = (change: object = {}): KubernetesObject => asObject({
    apiVersion: 'storage.azure.com/v1api20220901', kind: 'StorageAccount', metadata: { name: 'data', namespace: 'shop' }, ...change,
  });
  const [kind] = kindsForAso([ours], asos, catalog).migrated;
  const state = (change: Partial<ClusterState> = {}, objects: readonly KubernetesObject[] = [object()]): ClusterState => ({
    kubernetes: { major: 1, minor: 34, text: 'v1.34.4' },
    clockDifferenceMs: 0,
    controllers: [controller],
    crds: { migrated: [kind!], unknown: [], foreign: [] },
    installed: new Map(),
    kinds: [{ kind: kind!, objects }],
    unknownKinds: [],
    unread: [],
    ...change,
  });
  const lines = (of: ClusterState, install: readonly KubernetesObject[] = asos, missing: readonly string[] = []) =>
    toAsoFindings(of, missing, install, catalog).filter(({ severity }) => severity !== 'note').map(({ severity, check, message }) => `${severity} ${check}: ${message}`);

  test('a healthy cluster has none', () => expect(lines(state())).toEqual([]));

  const elsewhere = asObject({ ...asoDeployment, metadata: { ...asoDeployment.metadata, namespace: 'elsewhere' } });
  const group = asObject({ apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'g', namespace: 'n' } });
  test.each<[string, () => string[], string]>([
    ['ASO is there', () => lines(state({ controllers: [controller, asoDeployment] })), 'stop installation: ASO is there already'],
    ['no controller', () => lines(state({ controllers: [] })), "stop installation: this package's controller has no Deployment"],
    ['a controller that is scaled to 0', () => lines(state({ controllers: [asObject({ ...controller, spec: { ...controller.spec, replicas: 0 } })] })), 'stop installation: the Deployment azureserviceoperator-system/azureserviceoperator-controller-manager is scaled to 0'],
    ['several controllers', () => lines(state({ controllers: [controller, controller] })), 'stop installation: there are several Deployments'],
    ['another namespace', () => lines(state(), [asos[0]!, elsewhere]), "stop installation: ASO's manifests are for the namespace elsewhere"],
    ['no manifests', () => lines(state(), []), 'warning install: without --install, you install ASO in the middle'],
    ['no CRD of ASO', () => lines(state(), asos, ['storageaccounts.storage.azure.com']), 'stop crds: the manifests have no CRD with a storage version of ASO for storageaccounts.storage.azure.com'],
    ['a version that ASO does not serve', () => lines(state({}, [object({ apiVersion: 'storage.azure.com/v2' })])), 'stop crds: the CRD storageaccounts.storage.azure.com of ASO does not serve v2'],
    ['webhooks that do not answer', () => lines(state({ kinds: [{ kind: kind!, objects: [], conversionError: 'x' }] })), "stop webhooks: this controller's webhook does not convert"],
    ['no Deployment', () => lines(state(), [asos[0]!]), 'stop install: the manifests have no Deployment'],
    ['the wrong manifests', () => lines(state(), [asos[0]!, controller]), "is this package's controller"],
    ['Azure objects', () => lines(state(), [...asos, group]), 'stop install: the manifests have Azure objects: ResourceGroup n/g'],
    ['an operation', () => lines(state({}, [object({ metadata: { name: 'data', namespace: 'shop', annotations: { 'serviceoperator.azure.com/poller-resume-token': '{}' } } })])), 'warning objects: Azure works on 1 object: StorageAccount shop/data'],
  ])('%s', (_, found, line) => expect(found()).toEqual([expect.stringContaining(line)]));
});
