import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import { SECURE_VALUES } from '../../src/azure/secure-values';
import { Catalog, isRef } from '../../src/catalog';
import { SecureDefaults } from '../../src/core';
import { ManagedCluster } from '../../src/services/containerservice';
import { DatabaseAccount } from '../../src/services/documentdb';
import { Vault } from '../../src/services/keyvault';
import { ResourceGroup } from '../../src/services/resources';
import { Namespace } from '../../src/services/servicebus';
import { MinimumTlsVersion, SkuName, StorageAccount, StorageAccountKind, type StorageAccountProps } from '../../src/services/storage';
import { Site } from '../../src/services/web';

const owner = ResourceGroup.fromName('shared');
const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';

function chartOf() {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  SecureDefaults.of(chart).apply();
  return chart;
}

const specOf = (chart: Chart) => (Testing.synth(chart) as { spec: any }[])[0]!.spec;
const account = (chart: Chart, more: Partial<StorageAccountProps> = {}) => new StorageAccount(chart, 'data', {
  owner, location: 'uksouth', azureName: 'shopdata', kind: StorageAccountKind.STORAGE_V2, sku: { name: SkuName.STANDARD_LRS }, ...more,
});

test('nothing is set without being asked for', () => {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  account(chart);
  expect(Object.keys(specOf(chart)).sort()).toEqual(['azureName', 'kind', 'location', 'owner', 'sku']);
});

test('the values of the list are set, and a value of the resource stays', () => {
  const chart = chartOf();
  account(chart, { minimumTlsVersion: MinimumTlsVersion.TLS1_3, allowBlobPublicAccess: true });
  expect(specOf(chart)).toMatchObject({
    minimumTlsVersion: 'TLS1_3', allowBlobPublicAccess: true, supportsHttpsTrafficOnly: true, allowSharedKeyAccess: false, allowCrossTenantReplication: false,
  });
});

test('keys that the app reads are not switched off', () => {
  const chart = chartOf();
  account(chart).secretOutputs.key1;
  expect(specOf(chart)).not.toHaveProperty('allowSharedKeyAccess');
  const other = chartOf();
  new Namespace(other, 'bus', { owner, location: 'uksouth', azureName: 'shop-bus', operatorSpec: { secrets: { endpoint: { name: 'bus', key: 'endpoint' } } } });
  expect(specOf(other)).not.toHaveProperty('disableLocalAuth');
  expect(specOf(other).minimumTlsVersion).toBe('1.2');
});

test('a value goes where it does not break the resource', () => {
  const files = chartOf();
  account(files, { kind: StorageAccountKind.FILE_STORAGE, sku: { name: SkuName.PREMIUM_LRS } });
  expect(specOf(files)).not.toHaveProperty('supportsHttpsTrafficOnly');
  const cluster = chartOf();
  new ManagedCluster(cluster, 'cluster', { owner, location: 'uksouth', dnsPrefix: 'shop' });
  expect(specOf(cluster)).not.toHaveProperty('disableLocalAccounts');
  const mongo = chartOf();
  new DatabaseAccount(mongo, 'db', { owner, location: 'uksouth', azureName: 'shop-db', databaseAccountOfferType: 'Standard' as any, locations: [{ locationName: 'uksouth' }], kind: 'MongoDB' as any });
  expect(specOf(mongo)).not.toHaveProperty('disableLocalAuth');
});

test('parents are created only where that is safe', () => {
  const vault = chartOf();
  new Vault(vault, 'vault', { owner, location: 'uksouth', azureName: 'shop-vault', properties: { tenantId: TENANT, sku: { family: 'A', name: 'standard' } as any } });
  expect(specOf(vault).properties).toMatchObject({ enableRbacAuthorization: true, enablePurgeProtection: true });
  const site = chartOf();
  new Site(site, 'site', { owner, location: 'uksouth', azureName: 'shop-site', siteConfig: { minTlsVersion: '1.3' as any } });
  expect(specOf(site)).toMatchObject({ httpsOnly: true, siteConfig: { minTlsVersion: '1.3', ftpsState: 'FtpsOnly' } });
});

test('every property of the list exists in the catalog, and takes the value', () => {
  for (const { kind, path, value, see } of SECURE_VALUES) {
    const [group, name] = kind.split('/') as [string, string];
    const version = Catalog.default().kind(group, name)!.latest;
    const [first, second] = path as [string, string?];
    const outer = version.specType.props[first];
    const facts = second === undefined || !outer || !isRef(outer.type) ? outer : version.type(outer.type.ref).props[second];
    expect([kind, path, facts?.type]).toEqual([kind, path, typeof value]);
    if (facts?.enum) expect([kind, path, facts.enum]).toEqual([kind, path, expect.arrayContaining([value])]);
    expect(see).toMatch(/^https:\/\/learn\.microsoft\.com\/azure\//);
  }
});

/** `UPDATE_DOCS=1 npx jest test/core/secure-defaults` writes the table. */
test('docs/secure-defaults.md has the list', () => {
  const path = join(__dirname, '..', '..', 'docs', 'secure-defaults.md');
  const text = readFileSync(path, 'utf8');
  const rows = SecureDefaults.list().map(({ kind, property, value, reason, link, exceptIf }) =>
    `| \`${kind.slice(kind.indexOf('/') + 1)}\` (${kind.slice(0, kind.indexOf('.'))}) | \`${property}\` | \`${String(value)}\` | ${reason}${exceptIf === undefined ? '' : ` Not if ${exceptIf}.`} | [Azure](${link}) |`);
  const table = ['| Kind | Property | Value | Why | |', '|---|---|---|---|---|', ...rows].join('\n');
  const page = text.replace(/\| Kind \|[\s\S]*?\n\n/, () => `${table}\n\n`);
  if (process.env.UPDATE_DOCS) writeFileSync(path, page);
  expect(process.env.UPDATE_DOCS ? page : text).toBe(page);
});
