import { differences, fixture, parameterized, synthesized, type Manifest } from './converting';
import { readYaml } from '../../../engine/yaml/read-yaml';

const documents = (text: string) => readYaml(text).map(({ value }) => value as Manifest);

describe('objects in the objects of Cluster API', () => {
  const text = fixture('capz.yaml');
  const { code, notes, lost } = parameterized(text);

  test('are constructs, which refer to each other', () => {
    expect(code).toBe(fixture('capz.expected.ts'));
    expect([...notes, ...lost]).toEqual([]);
  });

  test('come out where they were', () => {
    const values: Record<string, string> = {
      CLUSTER_NAME: 'shop', ASO_CREDENTIAL_SECRET_NAME: 'sp', AZURE_LOCATION: 'westeurope', KUBERNETES_VERSION: 'v1.31.0', AZURE_NODE_MACHINE_TYPE: 'Standard_D2s_v5',
    };
    const filled = text.replace(/\$\{(\w+)(?::=(\w+))?\}/g, (_, name: string, otherwise: string) => values[name] ?? otherwise);
    const props = {
      clusterName: 'shop', asoCredentialSecretName: 'sp', azureLocation: 'westeurope', kubernetesVersion: 'v1.31.0', azureNodeMachineType: 'Standard_D2s_v5',
    };
    expect(differences(documents(filled), synthesized(code, props))).toEqual([]);
  });
});

const GROUP = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'rg' }, spec: { location: 'westeurope' } };
const ACCOUNT = {
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  metadata: { name: 'data' },
  spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } },
};

function holder(...resources: Manifest[]): Manifest {
  const apiVersion = 'infrastructure.cluster.x-k8s.io/v1alpha1';
  return { apiVersion, kind: 'AzureASOManagedCluster', metadata: { name: 'shop', namespace: 'shop' }, spec: { resources } };
}

test('an object alone at its place is one', () => {
  const object = {
    apiVersion: 'kubernetes.crossplane.io/v1alpha2',
    kind: 'Object',
    metadata: { name: 'shop' },
    spec: { forProvider: { manifest: { ...GROUP, metadata: { name: 'rg', namespace: 'shop' } } } },
  };
  const { code } = parameterized([object]);
  expect(code).toContain('manifest: objectResourceManifest.toJson()[0]');
  expect(differences([object], synthesized(code))).toEqual([]);
});

test.each<[string, Manifest]>([
  ['objects of other kinds beside', holder({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b' } }, GROUP)],
  ['an order that is not that of references', holder(ACCOUNT, GROUP)],
  ['an object that its class cannot hold', holder(GROUP, { ...ACCOUNT, spec: {} })],
  ['none that a class can hold', holder({ ...GROUP, spec: {} })],
  ['something that is no object', holder(GROUP, { text: 'x' })],
  ['two of one name', holder(GROUP, GROUP)],
  ['objects in objects in objects', holder(holder(GROUP), GROUP)],
])('%s: the object comes out as it was', (_, object) => {
  const { code, lost } = parameterized([object]);
  expect(lost).toEqual([]);
  expect(differences([object], synthesized(code))).toEqual([]);
});

test('an object of the files is not confused with one of the same name in another object', () => {
  const outer = { ...GROUP, metadata: { name: 'rg', namespace: 'shop' } };
  const { code, notes } = parameterized([outer, holder(GROUP, ACCOUNT)]);
  expect(notes).toEqual([]);
  expect(differences([outer, holder(GROUP, ACCOUNT)], synthesized(code))).toEqual([]);
});

test('objects of a template stay as they are; a note names them', () => {
  const template = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'shop' },
    spec: {
      schema: { apiVersion: 'v1alpha1', kind: 'Shop', spec: { name: 'string' } },
      resources: [{ id: 'group', template: { ...GROUP, metadata: { name: '${schema.spec.name}' } } }],
    },
  };
  const { code, notes } = parameterized([template]);
  expect(notes).toEqual([expect.stringContaining('ResourceGraphDefinition shop: holds 1 Azure object (ResourceGroup), which stays as written; it is a template of another tool')]);
  expect(differences([template], synthesized(code))).toEqual([]);
});
