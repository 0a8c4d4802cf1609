import { spawnSync } from 'node:child_process';
import { runCommandLine } from '../../../cli/command-line';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { Catalog } from '../../../src/catalog';
import { crdManifest, type CustomResourceDefinition } from '../../../src/catalog/crd';
import { captured, filesIn } from '../capture';

const catalog = Catalog.default();

const run = async (...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine(['crds', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
};
const crdsOf = async (...args: string[]): Promise<CustomResourceDefinition[]> => {
  const { status, out, err } = await run(...args, '-o', 'json');
  expect([status, err.filter((line) => !line.startsWith('note: '))]).toEqual([0, []]);
  const { apiVersion, kind, items } = JSON.parse(out);
  expect([apiVersion, kind]).toEqual(['v1', 'List']);
  return items;
};
const versionsOf = (crds: readonly CustomResourceDefinition[]) =>
  Object.fromEntries(crds.map(({ metadata, spec }) => [metadata.name, spec.versions.map(({ name }) => name)]));

const object = (apiVersion: string, kind: string, name: string, spec = '{}') =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const group = object('resources.azure.com/v1api20200601', 'ResourceGroup', 'rg', '{location: uksouth}');
const account = (version: string, name = 'sa') =>
  object(`storage.azure.com/${version}`, 'StorageAccount', name, '{owner: {name: rg}, location: uksouth}');
const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n';

describe('the CRDs of files', () => {
  test('are those of the kinds and versions in use, whatever else the files have', async () => {
    const files = filesIn({ 'a.yaml': namespace + group + account('v1api20230101'), 'b.yaml': account('v1api20230101', 'other') });
    expect(versionsOf(await crdsOf(files))).toEqual({
      'resourcegroups.resources.azure.com': ['v1api20200601'], 'storageaccounts.storage.azure.com': ['v1api20230101'],
    });
  });

  test('in YAML are the same as in the catalog, as kubectl reads YAML', async () => {
    const { status, out } = await run('--group', 'insights', '--group', 'containerservice.azure.com', '--group', 'network');
    expect(status).toBe(0);
    const documents = readYaml(out).map(({ value }) => value);
    const kinds = ['insights', 'containerservice', 'network']
      .flatMap((service) => catalog.kindsOf(service))
      .sort((a, b) => (a.crdName < b.crdName ? -1 : 1));
    expect(documents).toEqual(kinds.map((kind) => crdManifest(kind, { versions: [kind.facts.latest] })));
    expect(out).not.toMatch(/[&*]a\d/);
  });

  test('serve several versions only where they are converted', async () => {
    const files = filesIn({ 'a.yaml': group + account('v1api20230101') + account('v1api20220901', 'old') });
    expect(await run(files)).toEqual({
      status: 1,
      out: '',
      err: [
        expect.stringMatching(
          /^storage\.azure\.com\/StorageAccount: is used in the versions v1api20230101 and v1api20220901, .*add --conversion webhook$/,
        ),
      ],
    });
    const crds = await crdsOf(files, '--conversion', 'webhook', '-n', 'aso');
    expect(versionsOf(crds)['storageaccounts.storage.azure.com']).toEqual(['v1api20230101', 'v1api20220901']);
    expect(crds[0]?.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'aso', name: 'azureserviceoperator-webhook-service', path: '/convert', port: 443 } },
      },
    });
    expect((await run(files, '--pattern')).status).toBe(0);
  });

  test('a kind or version that does not exist: nothing is printed', async () => {
    const files = filesIn({
      'a.yaml': group + account('v2') + object('storage.azure.com/v1', 'StorageAcount', 'b') + object('storrage.azure.com/v1', 'X', 'c'),
    });
    expect(await run(files)).toEqual({
      status: 1,
      out: '',
      err: [
        expect.stringMatching(/a\.yaml:7: StorageAccount sa: apiVersion: there is no version v2 of StorageAccount; write one of v/),
        expect.stringMatching(/a\.yaml:12: StorageAcount b: kind: storage\.azure\.com has no kind StorageAcount; write kind StorageAccount$/),
        expect.stringMatching(/a\.yaml:17: X c: apiVersion: there is no group storrage\.azure\.com; did you mean storage\.azure\.com\?$/),
      ],
    });
    expect((await run(filesIn({ 'a.yaml': 'a: [' }))).status).toBe(1);
  });

  test('kinds that objects refer to and that no file has are named', async () => {
    const spec = '{owner: {name: rg}, subnet: {reference: {group: network.azure.com, kind: VirtualNetworksSubnet, name: s}}}';
    const files = filesIn({ 'a.yaml': object('network.azure.com/v1api20240301', 'PrivateEndpoint', 'pe', spec) });
    const { status, err } = await run(files);
    expect([status, err]).toEqual([
      0,
      [
        expect.stringMatching(
          /^note: PrivateEndpoint pe refers to a ResourceGroup by name.*add --kind resources\.azure\.com\/ResourceGroup$/,
        ),
        expect.stringMatching(/add --kind network\.azure\.com\/VirtualNetworksSubnet$/),
      ],
    ]);
    expect((await run(files, '--kind', 'resourcegroup', '--kind', 'network/VirtualNetworksSubnet')).err).toEqual([]);
    const byId = object('storage.azure.com/v1api20230101', 'StorageAccount', 'sa', '{owner: {armId: /subscriptions/0}}');
    expect((await run(filesIn({ 'a.yaml': byId }))).err).toEqual([]);
  });

  test('without Azure objects there are none', async () => {
    expect(await run(filesIn({ 'a.yaml': namespace }))).toEqual({
      status: 0,
      out: '',
      err: [expect.stringContaining('no file has an object of Azure')],
    });
  });
});

describe('named kinds', () => {
  test('serve the newest stable version, with the webhook all versions', async () => {
    const kind = catalog.kind('storage.azure.com', 'StorageAccount')!;
    expect(versionsOf(await crdsOf('--kind', 'StorageAccount'))).toEqual({ [kind.crdName]: [kind.facts.latest] });
    expect(versionsOf(await crdsOf('--kind', 'storage.azure.com/storageaccount', '--conversion', 'webhook'))).toEqual({
      [kind.crdName]: kind.versionNames,
    });
  });

  test('do not add versions to what the files use', async () => {
    const files = filesIn({ 'a.yaml': group + account('v1api20220901') });
    expect(versionsOf(await crdsOf(files, '--group', 'storage'))['storageaccounts.storage.azure.com']).toEqual(['v1api20220901']);
  });

  test.each<[string[], RegExp]>([
    [[], /^crds: give files with manifests, --kind, --group or --all$/],
    [['--group', 'storrage'], /^--group storrage: there is no such group\. Did you mean 'storage'\? /],
    [['--group', '../status/storage'], /there is no such group/],
    [['--kind', 'StorageAcount'], /^--kind StorageAcount: there is no such kind\. Did you mean 'storage\.azure\.com\/StorageAccount'\?/],
    [['--kind', 'subnet'], /Did you mean 'network\.azure\.com\/VirtualNetworksSubnet'\?/],
    [['--kind', 'FlexibleServer'], /^--kind FlexibleServer: several groups have it; give one of dbformysql\.azure\.com\/FlexibleServer, /],
    [['--kind', ''], /there is no such kind/],
    [['--all', '--namespace', 'A_b'], /Give the name of a namespace/],
    [['--all', '--release', 'a b'], /Give a version such as/],
    [['--all', '--cert-manager'], /add --conversion webhook$/],
  ])('%j makes no sense', async (args, line) => {
    expect(await run(...args)).toEqual({ status: 2, out: '', err: [expect.stringMatching(line)] });
  });
});

describe('labels and annotations', () => {
  const metadataOf = async (...args: string[]) => (await crdsOf('--kind', 'ResourceGroup', ...args))[0]!.metadata;
  const name = { 'app.kubernetes.io/name': 'azure-service-operator' };

  test('are those of the operator, and the user\'s', async () => {
    expect(await metadataOf()).toEqual({ name: 'resourcegroups.resources.azure.com', labels: name });
    expect((await metadataOf('--release', 'v2.21.0')).labels).toEqual({ ...name, 'app.kubernetes.io/version': 'v2.21.0' });
    expect((await metadataOf('--labels', ' team = a ,; example.com/tier=b;', '--labels', 'empty=')).labels).toEqual({
      ...name,
      'team': 'a',
      'example.com/tier': 'b',
      'empty': '',
    });
    expect((await metadataOf('--conversion', 'webhook')).annotations).toBeUndefined();
    expect((await metadataOf('--conversion', 'webhook', '-n', 'aso', '--cert-manager')).annotations).toEqual({
      'cert-manager.io/inject-ca-from': 'aso/azureserviceoperator-serving-cert',
    });
  });

  test.each([
    ['team', 'label "team" must be in key=value form'],
    ['=a', 'label "=a" must be in key=value form'],
    ['a b=c', 'invalid label key "a b": '],
    ['a/b/c=d', 'invalid label key "a/b/c": '],
    [`${'a'.repeat(64)}=b`, `invalid label key "${'a'.repeat(64)}": `],
    ['a=b c', 'invalid value for label "a": '],
    ['a=b,a=c', 'label "a" was specified more than once'],
    ['app.kubernetes.io/name=x', 'label "app.kubernetes.io/name" is reserved for use by Azure Service Operator and cannot be overridden'],
    [
      'app.kubernetes.io/version=x',
      'label "app.kubernetes.io/version" is reserved for use by Azure Service Operator and cannot be overridden',
    ],
    [
      'serviceoperator.azure.com/x=y',
      'label "serviceoperator.azure.com/x" is reserved for use by Azure Service Operator and cannot be overridden',
    ],
  ])('%j is refused', async (labels, message) => {
    expect(await run('--all', '--labels', labels)).toEqual({ status: 2, out: '', err: [expect.stringContaining(message)] });
  });
});

describe('the pattern', () => {
  test('names kinds, and groups that are used as a whole', async () => {
    const files = filesIn({ 'a.yaml': group + account('v1api20230101') });
    expect(await run('--pattern', files)).toEqual({ status: 0, out: 'resources.azure.com/*;storage.azure.com/StorageAccount', err: [] });
    expect((await run('--pattern', files, '-o', 'json')).out).toBe(
      '{"crdPattern":"resources.azure.com/*;storage.azure.com/StorageAccount"}',
    );
    expect((await run('--pattern', '--group', 'storage')).out).toBe('storage.azure.com/*');
    const own = await run('--pattern', '--group', 'storage', '--kind', 'DatabaseAccess');
    expect(own.out).toBe('storage.azure.com/*');
    expect(own.err.join()).toContain('Azure Service Operator has no DatabaseAccess');
  });
});

test('the built command prints them to a pipe that ends early', () => {
  const { stdout, status } = spawnSync('sh', ['-c', `"${process.execPath}" lib/cli/main.js crds --all | head -1`], { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['---\n', 0]);
});
