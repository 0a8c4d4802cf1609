import { reportOf } from './environment';
import { PROPERTY_CHANGES } from '../../../cli/upgrade-check/property-changes';
import { Catalog, isRef, type PropertyFacts, type TypeExpression, type TypeFacts } from '../../../src/catalog';

const object = (apiVersion: string, kind: string, spec = '{}', annotations = '{}') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: it, annotations: ${annotations} }\nspec: ${spec}\n`;
const account = (version: string, more = '') =>
  object(`storage.azure.com/${version}`, 'StorageAccount', `{ owner: { name: shop }, location: uksouth, kind: StorageV2, sku: { name: Standard_LRS } ${more} }`);
const cluster = (version: string, spec: string) =>
  object(`containerservice.azure.com/${version}`, 'ManagedCluster', `{ owner: { name: shop }, location: uksouth, ${spec} }`);

const rules = async (text: string, ...args: string[]) =>
  (await reportOf(text, ...args)).findings.filter(({ rule }) => !/^(tls|workers|sync|crd-pattern|storage-version|releases)/.test(rule))
    .map(({ severity, rule, field, fix, fixable }) => [severity, rule, field, fixable, fix] as const);

test.each([
  ['removed, with a version of the same date', account('v1beta20210401'), ['--to', '2.19'],
    [['error', 'version-removed', 'apiVersion', true, 'write storage.azure.com/v20210401']]],
  ['removed, with a later version only', cluster('v1api20240402preview', 'dnsPrefix: shop'), ['--to', '2.19'],
    [['error', 'version-removed', 'apiVersion', true, 'write containerservice.azure.com/v1api20240901']]],
  ['removed by a later release than the target', cluster('v1api20240402preview', 'dnsPrefix: shop'), ['--to', '2.18'],
    [['warning', 'version-going', 'apiVersion', true, 'write containerservice.azure.com/v1api20240901']]],
  ['not there yet in the target', account('v20250601'), ['--to', '2.10'],
    [['error', 'version-newer', 'apiVersion', true, 'write storage.azure.com/v1api20230101']]],
  ['of no release', account('v20200101'), ['--to', '2.10'],
    [['error', 'version-unknown', 'apiVersion', true, 'write storage.azure.com/v1api20210401']]],
  ['that is newer than the catalog', account('v20990101'), ['--to', '2.10'],
    [['warning', 'version-unknown', 'apiVersion', false, 'give the catalog that import-crds writes of its CRD: --catalog FILE; or correct the version']]],
  ['of ASO v1', object('azure.microsoft.com/v1alpha1', 'StorageAccount'), ['--to', '2.10'],
    [['error', 'kind-dropped', 'apiVersion', true, 'write storage.azure.com/v1api20230101, kind StorageAccount: cdk8s-aso upgrade-check --fix writes it']]],
  ['of ASO v1 without a successor', object('azure.microsoft.com/v1alpha1', 'AzureSqlAction'), [],
    [['error', 'kind-dropped', 'apiVersion', false, expect.stringContaining('write another one into the Secret') as string]]],
  ['of another operator', object('karpenter.azure.com/v1beta1', 'AKSNodeClass'), ['--to', '2.10'], []],
  ['that stays', account('v1api20230101'), ['--from', '2.9', '--to', '2.10'], []],
] as const)('a version %s', async (_, text, args, expected) => {
  expect(await rules(text, ...args)).toEqual(expected);
});

test('a password as a text, which is not printed, and only from the release that wants a Secret', async () => {
  const text = cluster('v1api20240901', 'dnsPrefix: shop, windowsProfile: { adminUsername: adm, adminPassword: hunter2 }');
  const before = await reportOf(text, '--to', '2.7');
  expect(before.findings.map(({ rule }) => rule)).not.toContain('property-secret');
  const report = await reportOf(text, '--from', '2.7', '--to', '2.8');
  expect(report.findings).toContainEqual(expect.objectContaining({
    severity: 'error', rule: 'property-secret', field: 'spec.windowsProfile.adminPassword', fixable: false,
  }));
  expect(JSON.stringify(report)).not.toContain('hunter2');
});

test('the CRD of the newest release decides about fields', async () => {
  expect(await rules(account('v20250601', ', accessTier: 3'))).toEqual([
    ['error', 'schema', 'spec.accessTier', false, expect.any(String)],
  ]);
  expect(await rules(account('v1api20230101', ', accessTier: 3'), '--to', '2.10')).toEqual([]);
});

test('a credential of another namespace', async () => {
  const text = object('resources.azure.com/v1api20200601', 'ResourceGroup', '{ location: uksouth }', '{ serviceoperator.azure.com/credential-from: other/secret }');
  expect((await rules(text, '--from', '2.0', '--to', '2.1')).map(([, rule]) => rule)).toEqual(['credential-namespace']);
  expect(await rules(text, '--from', '2.1', '--to', '2.2')).toEqual([]);
});

test.each([
  ['', '2.7', '2.8', [['info', 'sync-period-empty']]],
  ['never', '2.7', '2.8', []],
  ['', '2.8', '2.9', []],
])('the setting AZURE_SYNC_PERIOD %p from %s to %s', async (period, from, to, expected) => {
  const secret = (key: string, value: string) => `apiVersion: v1\nkind: Secret\nmetadata: { name: aso-controller-settings }\n${key}: { AZURE_SYNC_PERIOD: "${value}" }\n`;
  const chart = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: aso }\nspec: { chart: { spec: { chart: azure-service-operator } }, values: { azureSyncPeriod: "${period}" } }\n`;
  for (const text of [secret('stringData', period), secret('data', Buffer.from(period).toString('base64')), chart]) {
    const { findings } = await reportOf(text, '--from', from, '--to', to);
    const found = findings.filter(({ rule }) => rule === 'sync-period-empty').map(({ severity, rule }) => [severity, rule]);
    expect(found).toEqual(expected.map(([, rule]) => ['error', rule]));
  }
  const { findings } = await reportOf(account('v1api20220901'), '--from', from, '--to', to);
  expect(findings.some(({ severity, rule }) => rule === 'sync-period-empty' && severity === 'info')).toBe(from === '2.7');
});

test.each([
  ['2.19', '2.20', []],
  ['2.9', '2.12', ['releases-skipped']],
  ['2.1', '2.4', ['stop-at-release', 'releases-skipped']],
])('the way from %s to %s', async (from, to, expected) => {
  const { findings } = await reportOf('apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n', '--from', from, '--to', to);
  expect(findings.map(({ rule }) => rule).filter((rule) => /^(stop|releases)/.test(rule))).toEqual(expected);
});

test('the kinds that will be stored in another version', async () => {
  const { findings } = await reportOf(account('v1api20230101'), '--from', '2.17', '--to', '2.18');
  expect(findings.find(({ rule }) => rule === 'storage-version')?.message)
    .toBe('1 kind will be stored in a newer version: StorageAccount (v1api20230101 → v20250601)');
});

test('every changed property is one of the catalog, of the type that the table says', () => {
  const wanted = { secret: ['secret', 'secretMap'], reference: ['armReference'] };
  for (const { group, kind: kindName, path, change, name } of PROPERTY_CHANGES) {
    const kind = Catalog.default().kind(group, kindName)!;
    const version = kind.version(kind.latest.name)!;
    let type: TypeFacts | undefined = version.specType;
    let role: string | undefined;
    for (const step of (name ?? path).split('.')) {
      const facts: PropertyFacts | undefined = type?.props[step.replace('[]', '')];
      expect([kindName, path, step, facts !== undefined]).toEqual([kindName, path, step, true]);
      role = facts!.role;
      const inner: TypeExpression = step.endsWith('[]') ? (facts!.type as { array: TypeExpression }).array : facts!.type;
      type = isRef(inner) ? version.type(inner.ref) : undefined;
    }
    expect([path, wanted[change].includes(role!)]).toEqual([path, true]);
  }
});
