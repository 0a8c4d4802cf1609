import { parseAllDocuments } from 'yaml';
import { converted, differences, fixture, synthesized, type Manifest } from './converting';

const documents = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest)
    .filter(Boolean)
    .flatMap((object) => (object.kind === 'List' ? object.items : [object]));

describe('platform.yaml', () => {
  const text = fixture('platform.yaml');
  const { code, notes, lost, unreadable } = converted(text);

  test('reads as if it were written by hand', () => {
    expect(code).toBe(fixture('platform.expected.ts'));
  });

  test('gives the objects back', () => {
    expect(differences(documents(text), synthesized(code))).toEqual([]);
  });

  test('what is no typed construct is named, and why', () => {
    expect([...notes, ...lost, ...unreadable]).toEqual([
      'file.yaml:90: Secret team-a/db-password: has secret values, which now stand in the code; keep them out of version control',
      expect.stringMatching(/^file\.yaml:148: StorageAccount team-a\/ancient: is kept as an ApiObject: the catalog does not have its version; it has v20250601, .*; write it in one of them$/),
      'file.yaml:153: Workspace team-a/cat: is kept as an ApiObject: the catalog does not have its kind; it is one of a newer operator, or of another one',
    ]);
  });
});

describe('what is odd is kept', () => {
  const text = fixture('odd.yaml');
  const { code, notes, unreadable, lost } = converted(fixture('platform.yaml'), text);

  test('as an object, where it is one', () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'job-', namespace: 'team-a' }, spec: {} };
    const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: ['a.yaml'] };
    const template = { apiVersion: '{{ .Values.x }}', kind: 'Helm' };
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', namespace: 'team-a' },
      data: JSON.parse('{"constructor":"a","__proto__":"b"}') as object,
    };
    const second = {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: 'team-a-rg', namespace: 'team-a' },
      spec: { location: 'westeurope' },
    };
    const live = {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: 'live', namespace: 'team-a' },
      spec: { location: 'westeurope' },
    };
    expect(differences([...documents(fixture('platform.yaml')), job, kustomization, template, config, second, live], synthesized(code))).toEqual([]);
    expect(lost).toEqual([]);
  });

  test('as a comment, where it is none; each is named', () => {
    expect(unreadable).toEqual([
      'file1.yaml:5: is not a Kubernetes object; give an object with apiVersion, kind and metadata',
      expect.stringMatching(/^file1\.yaml:7: has no apiVersion/),
    ]);
    expect(code).toContain('\n// just text\n');
    expect(code).toContain('\n// kind: NoVersion\n');
  });

  test('what the cluster wrote is left out, and said', () => {
    expect(code).not.toContain('one-signed-url');
    expect(notes).toContainEqual(
      expect.stringMatching(
        /ResourceGroup team-a\/live: was read from a cluster; metadata\.uid, metadata\.resourceVersion, the finalizer of the operator, metadata\.annotations\.\S+resource-id, metadata\.annotations\.\S+bi-poller-resume-token, status left out;/,
      ),
    );
    expect(notes).toContainEqual(
      expect.stringMatching(
        /ResourceGroup team-a\/team-a-rg: is kept as an ApiObject: the object stands already in file\.yaml:10; remove one of the two/,
      ),
    );
  });

  test('broken syntax costs its own document only', () => {
    const broken = converted('a: [\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
    expect(broken.unreadable).toEqual([expect.stringMatching(/^file\.yaml:\d: is neither YAML nor JSON: /)]);
    expect(synthesized(broken.code)).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }]);
  });

  test('numbers that JavaScript does not have are named', () => {
    expect(converted('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  n: 12345678901234567890\n').notes).toEqual([
      expect.stringMatching(/^file\.yaml:5: 12345678901234567890 becomes 12345678901234567000/),
    ]);
  });
});

const meta = (name: string, rest: object = {}) => ({ name, namespace: 'ns', ...rest });
const group = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: meta('rg'),
  spec: { location: 'uksouth' },
};
const account = (spec: object, apiVersion = 'storage.azure.com/v20250601', rest: object = {}): Manifest => ({
  apiVersion,
  kind: 'StorageAccount',
  metadata: meta('account', rest),
  spec: { owner: { name: 'rg' }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...spec },
});

/** Converts, synthesizes, compares; answers the code and the notes. */
function roundTrip(...objects: Manifest[]) {
  const result = converted(objects);
  expect([differences(objects, synthesized(result.code)), result.lost]).toEqual([[], []]);
  return result;
}

describe('types are given up as far as they have to be', () => {
  test('the newest version needs no apiVersion, others keep theirs', () => {
    expect(roundTrip(group, account({})).code).not.toContain('apiVersion');
    expect(roundTrip(group, account({}, 'storage.azure.com/v1api20210401')).code).toContain('apiVersion: \'v1api20210401\'');
  });

  test.each<[string, object, string, RegExp]>([
    [
      'a property that no class has',
      { news: { a: 1 } },
      'additionalSpec: { news: { a: 1 } }',
      /spec\.news is not a property of StorageAccountProps; spec\.news is in additionalSpec/,
    ],
    [
      'one inside a struct',
      { sku: { name: 'Standard_LRS', tier: 'Standard' } },
      "additionalSpec: { sku: { tier: 'Standard' } }",
      /spec\.sku\.tier is not a property of Sku/,
    ],
    [
      'a value that the enum lacks',
      { accessTier: 'Icy' },
      "additionalSpec: { accessTier: 'Icy' }",
      /spec\.accessTier is 'Icy' that StorageAccountAccessTier does not have/,
    ],
    [
      'a wrong type',
      { allowBlobPublicAccess: 'yes' },
      "additionalSpec: { allowBlobPublicAccess: 'yes' }",
      /spec\.allowBlobPublicAccess is not a boolean/,
    ],
    [
      'something wrong in a list',
      { networkAcls: { defaultAction: 'Deny', ipRules: [{ value: 5 }] } },
      'additionalSpec: { networkAcls: { ipRules: [{ value: 5 }] } }',
      /spec\.networkAcls\.ipRules\[0\]\.value is not a string; spec\.networkAcls\.ipRules is in additionalSpec/,
    ],
    [
      'what the check refuses',
      { sasPolicy: { expirationAction: 'Log', sasExpirationPeriod: '1.00:00:00' }, customDomain: { useSubDomainName: true } },
      'additionalSpec: { customDomain: { useSubDomainName: true } }',
      /spec\.customDomain has no 'name', which CustomDomain requires/,
    ],
  ])('%s goes to additionalSpec', (_, spec, text, note) => {
    const { code, notes } = roundTrip(group, account(spec));
    expect(code).toContain(text);
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  test('a property that only newer versions have is refused by the check and moved', () => {
    const { code, notes } = roundTrip(group, account({ dnsEndpointType: 'Standard' }, 'storage.azure.com/v1api20210401'));
    expect(code).toContain('additionalSpec: { dnsEndpointType: \'Standard\' }');
    expect(notes).toEqual([expect.stringMatching(/spec\.dnsEndpointType is refused \(dnsEndpointType: there is no such property/)]);
  });

  test.each<[string, Manifest, RegExp]>([
    [
      'a required property that is wrong',
      account({ kind: 'Shed' }),
      /kept as an ApiObject: spec\.kind is 'Shed' that StorageAccountKind does not have; write StorageAccount once it fits/,
    ],
    ['a required property that is missing', account({ sku: undefined }), /spec has no 'sku', which StorageAccountProps requires/],
    ['an odd owner', account({ owner: { name: 'rg', group: 'x' } }), /spec\.owner has 'group', which is not understood/],
    [
      'a bad policy',
      account({}, undefined, { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skpi' } }),
      /reconcilePolicy: 'skpi' is not a policy/,
    ],
    ['no name', { ...account({}), metadata: { namespace: 'ns' } }, /metadata has no name/],
    ['a status of its own', { ...account({}), status: { id: 'x' } }, /its class would write status differently/],
  ])('%s makes it an ApiObject', (_, object, note) => {
    const { code, notes } = roundTrip(group, object);
    expect(code).toContain('new ApiObject(this, \'storage-account\'');
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  test('what refers to an ApiObject names it by its construct', () => {
    const service = {
      apiVersion: 'storage.azure.com/v20250601',
      kind: 'StorageAccountsBlobService',
      metadata: meta('blobs'),
      spec: { owner: { name: 'account' } },
    };
    const { code } = roundTrip(service, account({ kind: 'Shed' }), group);
    expect(code).toContain('owner: storage.StorageAccount.fromName(storageAccount.name)');
    expect(code).toContain('owner: { name: resourceGroup.name }');
  });

  test('two that wait for each other: one is an ApiObject', () => {
    const vnet = (name: string, other: string) => ({
      apiVersion: 'network.azure.com/v1api20240301',
      kind: 'VirtualNetworksVirtualNetworkPeering',
      metadata: meta(name),
      spec: {
        owner: { name: 'vnet' },
        remoteVirtualNetwork: { reference: { group: 'network.azure.com', kind: 'VirtualNetworksVirtualNetworkPeering', name: other } },
      },
    });
    const { notes } = roundTrip(vnet('a', 'b'), vnet('b', 'a'));
    expect(notes).toEqual([expect.stringMatching(/wait for each other/)]);
  });
});

describe('azureName', () => {
  test('stays away where it was away, and stays where it was', () => {
    expect(roundTrip(group).code).toContain('DefaultAzureName.leaveOut(this)');
    expect(roundTrip({ ...group, spec: { ...group.spec, azureName: 'rg' } }).code).not.toContain('DefaultAzureName');
  });
});

describe('nulls', () => {
  test('in a spec they mean what left out means', () => {
    const { notes } = roundTrip(group, account({ accessTier: null, networkAcls: { defaultAction: 'Deny', bypass: null } }));
    expect(notes).toEqual([expect.stringMatching(/spec\.accessTier is null/), expect.stringMatching(/spec\.networkAcls\.bypass is null/)]);
  });

  test('elsewhere they are kept', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: meta('thing'), spec: { 'a/b': { '~c': null } } };
    expect(synthesized(converted([object]).code)).toEqual([object]);
  });
});

test('two charts need each other\'s namespace: nothing refers across', () => {
  const other = { ...group, metadata: { name: 'rg', namespace: 'other' } };
  const { code } = roundTrip(other, account({}));
  expect(code).toContain('owner: resources.ResourceGroup.fromName(\'rg\')');
  expect(code.match(/^export class \w+/gm)).toEqual(['export class OtherChart', 'export class NsChart']);
});

test('a credential with ids only is an AsoCredential, one with a secret is not', () => {
  const ids = {
    AZURE_SUBSCRIPTION_ID: '11111111-2222-3333-4444-555555555555',
    AZURE_TENANT_ID: '11111111-2222-3333-4444-666666666666',
    AZURE_CLIENT_ID: '11111111-2222-3333-4444-777777777777',
  };
  const secret = (stringData: object, name = 'aso-credential') => ({ apiVersion: 'v1', kind: 'Secret', metadata: meta(name), stringData });
  expect(roundTrip(secret({ ...ids, AUTH_MODE: 'podidentity' }, 'mine'))).toMatchObject({
    code: expect.stringContaining('AsoAuthentication.managedIdentity('),
    notes: [],
  });
  expect(roundTrip(secret(ids)).code).toContain('AsoAuthentication.servicePrincipal(');
  expect(roundTrip(secret({ ...ids, AZURE_CLIENT_SECRET: 'x' }))).toMatchObject({
    code: expect.stringContaining('new ApiObject('),
    notes: [expect.stringContaining('has secret values')],
  });
  expect(roundTrip(secret({ ...ids, AZURE_TENANT_ID: 'x' })).code).toContain('new ApiObject(');
});


test('a null in metadata is left out: the object becomes its class', () => {
  const { code, lost } = converted('apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg, namespace: null, labels: null, annotations: null, finalizers: null}\nspec: {location: uksouth}\n');
  expect(code).toContain('new resources.ResourceGroup(this');
  expect(lost).toEqual([]);
  expect(synthesized(code)).toEqual([
    { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'rg' }, spec: { location: 'uksouth' } },
  ]);
});

test('what is nested too deeply to be read is kept as a comment', () => {
  const { code, unreadable } = converted(`a: ${'['.repeat(20000)}`);
  expect(unreadable).toEqual([expect.stringMatching(/^file\.yaml: is nested more than 250 levels deep/)]);
  expect(code).toContain('// a: [[[');
});
