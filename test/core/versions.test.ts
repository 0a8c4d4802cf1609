import { App, Chart } from 'cdk8s';
import { ResourceGroup, StorageAccount, type Props } from './kinds';
import { DefaultAzureName } from '../../src/core';

function account(props: Props, prepare: (chart: Chart) => void = () => {}) {
  const chart = new Chart(new App(), 'chart');
  prepare(chart);
  const owner = new ResourceGroup(chart, 'rg', { location: 'uksouth' });
  const made = new StorageAccount(chart, 'account', {
    owner,
    location: 'uksouth',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    ...props,
  });
  return { json: made.toJson() as { apiVersion: string; spec: Record<string, any> }, problems: made.node.validate(), made };
}

describe('apiVersion', () => {
  test.each(['v1api20210401', 'storage.azure.com/v1api20210401'])('%s: the object is written in that version', (apiVersion) => {
    const { json, problems, made } = account({ apiVersion });
    expect([json.apiVersion, made.apiVersion, json.spec.apiVersion, problems]).toEqual([
      'storage.azure.com/v1api20210401',
      'storage.azure.com/v1api20210401',
      undefined,
      [],
    ]);
  });

  test('its schema is the one that counts', () => {
    expect(account({ allowCrossTenantReplication: true }).problems).toEqual([]);
    expect(account({ apiVersion: 'v1api20210401', dnsEndpointType: 'Standard' }).problems).toEqual([
      expect.stringMatching(/^StorageAccount dnsEndpointType: there is no such property\./),
    ]);
  });

  test.each(['v1api19990101', 'network.azure.com/v1api20210401', ''])('%j: no version of the kind', (apiVersion) => {
    expect(() => account({ apiVersion })).toThrow(
      /^\[chart\/account\] StorageAccount apiVersion: The catalog has no StorageAccount .* It has: v20250601, /,
    );
  });
});

describe('additionalSpec', () => {
  test('stands at its place in the spec, merged into what the props say', () => {
    const { json, problems } = account({
      encryption: { keySource: 'Microsoft.Storage' },
      additionalSpec: { newThing: { a: [1] }, encryption: { newer: true } },
    });
    expect(problems).toEqual([]);
    expect(json.spec).toMatchObject({ newThing: { a: [1] }, encryption: { keySource: 'Microsoft.Storage', newer: true } });
  });

  test('counts for what is required', () => {
    expect(account({ kind: undefined }).problems).toEqual(['StorageAccount kind: is required, but missing.']);
    expect(account({ kind: undefined, additionalSpec: { kind: 'StorageV9' } }).problems).toEqual([]);
    expect(account({ sku: {}, additionalSpec: { sku: { name: 'New_LRS' } } }).problems).toEqual([]);
  });

  test.each<[Props, string]>([
    [{ additionalSpec: { kind: 'Storage' } }, 'kind'],
    [{ additionalSpec: { sku: { name: 'Premium_LRS' } } }, 'sku.name'],
    [{ tags: { a: 'b' }, additionalSpec: { tags: { c: 'd' } } }, 'tags'],
    [{ additionalSpec: { sku: 'x' } }, 'sku'],
  ])('%j: given twice', (props, path) => {
    expect(account(props).problems).toEqual([`StorageAccount ${path}: is given twice, here and in additionalSpec. Give it once.`]);
  });
});

describe('the default Azure name', () => {
  test('is written out, unless it is to be left out', () => {
    expect(account({}).json.spec.azureName).toBe('account');
    const { json, made } = account({}, DefaultAzureName.leaveOut);
    expect([json.spec, made.azureName]).toEqual([expect.not.objectContaining({ azureName: expect.anything() }), 'account']);
    expect(account({ azureName: 'account' }, DefaultAzureName.leaveOut).json.spec.azureName).toBe('account');
  });

  test('is checked all the same', () => {
    const { problems } = account({ metadata: { name: 'my-account' } }, DefaultAzureName.leaveOut);
    expect(problems).toEqual([expect.stringMatching(/^StorageAccount azureName: 'my-account' does not match .* give azureName\.$/)]);
  });
});
