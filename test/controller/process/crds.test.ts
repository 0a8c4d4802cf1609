import { join } from 'node:path';
import { installCrds, releaseLabel } from '../../../controller/crds/install';
import { crdLabels } from '../../../controller/crds/labels';
import { kindsOfCatalog, matchingKinds } from '../../../controller/crds/patterns';
import { migrateStoredVersions } from '../../../controller/crds/stored-versions';
import { anonymousAccess, Connection, RestClient } from '../../../engine/kubernetes';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { silentLogger } from '../../../runtime/log/log';
import { startKubernetes } from '../../../sandbox';
import { LAST_VERSION_LABEL } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { CRD_VERSION_LABEL } from '../../../src/catalog/crd';
import { rowTitle } from '../../docs/spec-tables';

const catalog = Catalog.default();
const kinds = catalog.allKinds;
const names = (pattern: string) => matchingKinds(pattern, kinds).map(({ group, kind }) => `${group}/${kind}`);

const PATTERNS = 'docs/spec/crds.md#patterns';
const INSTALLATION = 'docs/spec/crds.md#installation';

describe(PATTERNS, () => {
  test(rowTitle(PATTERNS, 'separator', 'a semicolon; the case does not count'), () => {
    expect(names('resources.azure.com/ResourceGroup; STORAGE.azure.com/storageaccount ').sort()).toEqual([
      'resources.azure.com/ResourceGroup',
      'storage.azure.com/StorageAccount',
    ]);
  });
  test(rowTitle(PATTERNS, 'wildcards', '* any text, ? one character'), () => {
    expect(names('resources.azure.com/*')).toEqual(['resources.azure.com/ResourceGroup']);
    expect(names('resources.azure.com/ResourceGrou?')).toEqual(['resources.azure.com/ResourceGroup']);
    expect(names('*')).toHaveLength(kinds.length);
    expect(() => names('resources.azure.com/ResourceGroup?')).toThrow('no match');
  });
  test(rowTitle(PATTERNS, 'empty part', 'is left out'), () => expect(names('resources.azure.com/*;')).toHaveLength(1));
  test(rowTitle(PATTERNS, 'no match', 'each part has to match'), () => {
    expect(() => names('resources.azure.com/*;resources.azure.com/ResourceGruop')).toThrow(
      '--crd-pattern: 1 of 2 did not match: no match for "resources.azure.com/ResourceGruop" (did you mean "resources.azure.com/ResourceGroup"?)',
    );
    expect(() => names('stroage.azure.com/*')).toThrow(
      /1 of 1 did not match: no match for "stroage.azure.com\/\*" \(available candidates were .*storage\.azure\.com/,
    );
  });
  test('a dot is a dot', () => expect(() => names('resourcesXazure.com/ResourceGroup')).toThrow('no match'));
});

describe('kinds of a catalog that is read as far as the patterns need it', () => {
  const DIRECTORY = join(__dirname, '../../../catalog');

  test.each(['storage.azure.com/*', 'resources.azure.com/ResourceGroup;*.azure.com/VirtualNetwork', '*Account', '*', 's*/Server', 'storage?azure.com?Storage*'])(
    '%s: the same as of the whole catalog',
    (pattern) => {
      const found = kindsOfCatalog(pattern, new Catalog(DIRECTORY), '--kinds');
      expect(found.map(({ crdName }) => crdName)).toEqual(matchingKinds(pattern, kinds, '--kinds').map(({ crdName }) => crdName));
    },
  );

  test('other services are not read', () => {
    const read = jest.spyOn(Catalog.prototype, 'service');
    kindsOfCatalog('storage.azure.com/*; resources.azure.com/ResourceGroup', new Catalog(DIRECTORY), '--kinds');
    expect(new Set(read.mock.calls.map(([service]) => service))).toEqual(new Set(['storage', 'resources']));
    read.mockRestore();
  });

  test('a mistake is explained with all kinds; without a pattern it is all of them', () => {
    expect(() => kindsOfCatalog('resources.azure.com/StorageAccount', new Catalog(DIRECTORY), '--kinds')).toThrow(
      'did you mean "storage.azure.com/StorageAccount"?',
    );
    for (const none of [undefined, '']) expect(kindsOfCatalog(none, new Catalog(DIRECTORY))).toHaveLength(kinds.length);
  });
});

describe('docs/spec/crds.md#labels', () => {
  test('labels, separated by commas and semicolons', () =>
    expect(crdLabels(' team=a ,env=prod; x.y/z=,;')).toEqual({ 'team': 'a', 'env': 'prod', 'x.y/z': '' }));
  test.each([
    ['form', 'team', 'label "team" must be in key=value form'],
    ['form', '=a', 'label "=a" must be in key=value form'],
    ['Kubernetes rules', 'te am=a', 'invalid label key "te am": '],
    ['Kubernetes rules', 'Team/x=a', 'invalid label key "Team/x": '],
    ['Kubernetes rules', 'team=a b', 'invalid value for label "team": '],
    ['duplicate', 'a=b,a=c', 'label "a" was specified more than once'],
    [
      'reserved',
      'app.kubernetes.io/name=x',
      'label "app.kubernetes.io/name" is reserved for use by Azure Service Operator and cannot be overridden',
    ],
    ['reserved', 'serviceoperator.azure.com/x=y', 'is reserved for use by Azure Service Operator and cannot be overridden'],
  ])('%s: %s', (name, text, message) => {
    expect(rowTitle('docs/spec/crds.md#labels', name, text)).toContain(name);
    expect(() => crdLabels(text)).toThrow(message);
  });
});

describe(INSTALLATION, () => {
  let kubernetes: Awaited<ReturnType<typeof startKubernetes>>;
  let connection: Connection;
  let client: RestClient;
  beforeEach(async () => {
    kubernetes = await startKubernetes({ crds: [] });
    connection = new Connection(anonymousAccess(kubernetes.url));
    client = new RestClient(connection);
  });
  afterEach(async () => {
    await connection.close();
    await kubernetes.close();
  });
  const install = (pattern: string, version = '1.0.0', more: object = {}) =>
    installCrds({ client, catalog, logger: silentLogger(), namespace: 'aso', pattern, labels: {}, version, ...more });
  const IDENTITIES = 'userassignedidentities.managedidentity.azure.com';

  test(rowTitle(INSTALLATION, 'goal', 'creates what the pattern names, once'), async () => {
    expect(await install('managedidentity.azure.com/UserAssignedIdentity')).toEqual([IDENTITIES]);
    expect(await install('managedidentity.azure.com/UserAssignedIdentity')).toEqual([]);
    expect((await client.get(CRD_KIND, IDENTITIES))?.metadata.labels).toEqual({
      'app.kubernetes.io/name': 'azure-service-operator',
      [CRD_VERSION_LABEL]: 'cdk8s-aso-1.0.0',
    });
  });
  test(rowTitle(INSTALLATION, 'goal', 'empty'), async () =>
    expect(install('')).rejects.toThrow('No existing CRDs in cluster and no --crd-pattern specified'),
  );
  test(rowTitle(INSTALLATION, 'out of date', 'another version replaces; labels and annotations of others are kept'), async () => {
    await install('managedidentity.azure.com/UserAssignedIdentity');
    await client.patch(
      CRD_KIND,
      IDENTITIES,
      undefined,
      { metadata: { labels: { mine: 'x' }, annotations: { note: 'y' } } },
      'application/merge-patch+json',
    );
    expect(await install('', '1.1.0', { labels: { team: 'a' } })).toEqual([IDENTITIES]);
    const { labels, annotations } = (await client.get(CRD_KIND, IDENTITIES))!.metadata;
    expect(labels).toMatchObject({ mine: 'x', team: 'a', [CRD_VERSION_LABEL]: releaseLabel('1.1.0') });
    expect(annotations).toMatchObject({ note: 'y' });
  });
  test(rowTitle(INSTALLATION, 'conversion', 'the webhook is that of the own namespace, and its authority is kept'), async () => {
    await install('managedidentity.azure.com/UserAssignedIdentity', '1.0.0', { webhooks: { certManager: true } });
    const conversion = async () => (await client.get(CRD_KIND, IDENTITIES))!.spec!.conversion;
    expect(await conversion()).toMatchObject({
      strategy: 'Webhook',
      webhook: { clientConfig: { service: { namespace: 'aso', name: 'azureserviceoperator-webhook-service', path: '/convert' } } },
    });
    await client.patch(
      CRD_KIND,
      IDENTITIES,
      undefined,
      { spec: { conversion: { webhook: { clientConfig: { caBundle: 'Q0E=' } } } } },
      'application/merge-patch+json',
    );
    await install('', '1.1.0', { webhooks: { certManager: true } });
    expect(await conversion()).toMatchObject({ webhook: { clientConfig: { caBundle: 'Q0E=' } } });
    await install('', '1.2.0');
    expect(await conversion()).toMatchObject({ strategy: 'Webhook' });
  });
  test(rowTitle(INSTALLATION, 'replicas', 'both end well, each CRD is written once'), async () => {
    const written = await Promise.all([
      install('managedidentity.azure.com/UserAssignedIdentity'),
      install('managedidentity.azure.com/UserAssignedIdentity'),
    ]);
    expect(written.flat()).toEqual([IDENTITIES]);
  });

  test(
    rowTitle('docs/spec/crds.md#stored-versions', 'condition', 'versions are dropped when every object was written by this release'),
    async () => {
      await install('managedidentity.azure.com/UserAssignedIdentity');
      const type = {
        group: 'managedidentity.azure.com',
        version: 'v1api20230131',
        plural: 'userassignedidentities',
        kind: 'UserAssignedIdentity',
        namespaced: true,
      };
      const crd = (await client.get(CRD_KIND, IDENTITIES))!;
      const versions = crd.spec!.versions as { name: string; storage: boolean }[];
      const storage = versions.find((version) => version.storage)!.name;
      const stored = [versions.find((version) => !version.storage)!.name, storage];
      await client.patchStatus(CRD_KIND, IDENTITIES, undefined, { status: { storedVersions: stored } }, 'application/merge-patch+json');
      await client.create(type, {
        apiVersion: 'managedidentity.azure.com/v1api20230131',
        kind: 'UserAssignedIdentity',
        metadata: { name: 'rg', namespace: 'default' },
        spec: { location: 'uksouth', owner: { name: 'rg' } },
      });
      const migrate = () => migrateStoredVersions({ client, types: [type], version: '1.0.0', logger: silentLogger() });
      expect(await migrate()).toEqual([]);
      await client.patch(
        type,
        'rg',
        'default',
        { metadata: { labels: { [LAST_VERSION_LABEL]: '1.0.0' } } },
        'application/merge-patch+json',
      );
      expect(await migrate()).toEqual([IDENTITIES]);
      expect((await client.get(CRD_KIND, IDENTITIES))!.status!.storedVersions).toEqual([storage]);
      expect(await migrate()).toEqual([]);
    },
  );
});
