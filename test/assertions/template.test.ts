import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { assertions } from '../../src';
import { account, chart, group } from '../core/kinds';

const { Match, Template } = assertions;

const accountOf = (name: string, sku: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  metadata: { name, namespace: 'platform' },
  spec: { location: 'uksouth', sku: { name: sku }, ...more },
});

const template = Template.fromObjects([
  accountOf('files', 'Standard_LRS', { tags: { team: 'shop' } }),
  accountOf('logs', 'Standard_GRS'),
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { password: 'hunter2', user: 'admin' } },
  { apiVersion: 'example.com/v1', kind: 'Secret', metadata: { name: 'other' } },
]);

const messageOf = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('no error was thrown');
};

describe('where the objects come from', () => {
  test('a chart, in the order in which it is written', () => {
    const scope = chart();
    account(scope, 'sa1', group(scope));
    expect(Template.fromChart(scope).objects.map(({ kind }) => kind)).toEqual(['ResourceGroup', 'StorageAccount']);
  });

  test('all charts of an app', () => {
    const app: App = Testing.app();
    const one = chart('platform', 'one', app);
    group(one);
    group(new Chart(one, 'inner', { namespace: 'inner' }), 'inner');
    expect(Template.fromChart(one).objects).toHaveLength(1);
    Template.fromApp(app).resourceCountIs('ResourceGroup', 2);
  });

  test('what synthesis finds wrong is said', () => {
    const scope = chart();
    group(scope, 'rg', { location: 3 });
    expect(() => Template.fromChart(scope)).toThrow('[chart/rg] ResourceGroup location');
  });

  test('documents: lists taken apart, empty ones left out', () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [accountOf('a', 'x'), null, accountOf('b', 'x')] };
    Template.fromObjects([null, list]).resourceCountIs('StorageAccount', 2);
  });

  test('what is no object is refused', () => {
    expect(() => Template.fromObjects([accountOf('a', 'x'), { kind: 'Secret' }])).toThrow(
      'Document 2 is no object of Kubernetes: it has no apiVersion.',
    );
    expect(() => Template.fromObjects(['text'])).toThrow('Document 1 is no object of Kubernetes: it has no kind.');
  });
});

describe('types', () => {
  test.each([
    ['StorageAccount', 2],
    ['storage.azure.com/StorageAccount', 2],
    ['storage.azure.com/v20250601/StorageAccount', 2],
    ['storage.azure.com/v20250601', 2],
    ['storage.azure.com/v1/StorageAccount', 0],
    ['network.azure.com/StorageAccount', 0],
    ['Secret', 2],
    ['v1/Secret', 1],
    ['v1', 1],
    ['example.com/v1', 1],
  ])('%s', (type, count) => template.resourceCountIs(type, count));

  test.each(['', 'storage.azure.com', 'a/b/c/Kind', 'storage.azure.com/', '/Kind', undefined])('%s is none', (type) => {
    expect(() => template.resourceCountIs(type as string, 0)).toThrow('names no kind of objects');
  });

  test('that are not there: what there is', () => {
    expect(messageOf(() => template.hasResource('StorageAcount'))).toBe(
      "There is no StorageAcount among the 4 objects. Did you mean 'StorageAccount'? There are: Secret (2), StorageAccount (2).",
    );
    expect(messageOf(() => template.hasResource('v2/Secret'))).toBe(
      'There is no v2/Secret among the 4 objects. There are: v1 keys, example.com/v1 other.',
    );
    expect(messageOf(() => Template.fromObjects([]).hasResource('Secret'))).toBe('There is no Secret: there are no objects at all.');
  });
});

describe('hasResource', () => {
  test('a plain object is partial at any depth', () => {
    template.hasResource('StorageAccount', { metadata: { name: 'logs' }, spec: { sku: { name: 'Standard_GRS' } } });
    template.hasResource('StorageAccount');
  });

  test('shows the closest object and where it differs', () => {
    expect(messageOf(() => template.hasResource('StorageAccount', { metadata: { name: 'files' }, spec: { sku: { name: 'Standard_ZRS' }, tags: { team: 'bank', cost: 7 }, loction: 'uksouth' } }))).toBe(`None of the 2 StorageAccount is as wanted; the closest is StorageAccount platform/files (storage.azure.com/v20250601), which differs in 4 places.

  spec.sku.name
    want: 'Standard_ZRS'
    got:  'Standard_LRS'

  spec.tags.team
    want: 'bank'
    got:  'shop'

  spec.tags.cost
    want: 7
    got:  nothing

  spec.loction
    want: 'uksouth'
    got:  nothing (there is 'location')

The object:

  apiVersion: storage.azure.com/v20250601
  kind: StorageAccount
  metadata:
    name: files
    namespace: platform
  spec:
    location: uksouth
    sku:
      name: Standard_LRS
    tags:
      team: shop`);
  });

  test('tells text from numbers', () => {
    const numbers = Template.fromObjects([accountOf('a', 'x', { port: 80 })]);
    expect(messageOf(() => numbers.hasResource('StorageAccount', { spec: { port: '80' } }))).toContain("The only StorageAccount is not as wanted: StorageAccount platform/a (storage.azure.com/v20250601) differs in one place.\n\n  spec.port\n    want: '80'\n    got:  80");
  });

  test('never shows what is in a Secret', () => {
    const message = messageOf(() =>
      template.hasResource('v1/Secret', { stringData: { password: 'swordfish', user: Match.absent() }, type: 'Opaque' }),
    );
    expect(message).not.toMatch(/hunter2|swordfish|admin/);
    expect(message).toContain('  stringData.password\n    want: (not shown: a Secret)\n    got:  \'(not shown)\'');
    expect(message).toContain("  type\n    want: 'Opaque'\n    got:  nothing");
    expect(messageOf(() => template.hasNoResource('v1/Secret'))).not.toMatch(/hunter2|admin/);
    expect(
      messageOf(() => template.hasResource('v1/Secret', Match.not(Match.objectLike({ stringData: { password: 'hunter2' } })))),
    ).not.toMatch(/hunter2|admin/);
    template.hasResource('v1/Secret', { stringData: { password: 'hunter2' } });
  });

  test('keys that are no identifiers', () => {
    const labelled = Template.fromObjects([
      new ApiObject(chart(), 'pod', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { labels: { 'azure.workload.identity/use': 'false' } },
      }).toJson(),
    ]);
    expect(messageOf(() => labelled.hasResource('Pod', { metadata: { labels: { 'azure.workload.identity/use': 'true' } } }))).toContain(
      "  metadata.labels['azure.workload.identity/use']\n    want: 'true'\n    got:  'false'",
    );
  });
});

describe('counting and finding', () => {
  test('how many', () => {
    template.resourceCountIs('StorageAccount', 2);
    expect(messageOf(() => template.resourceCountIs('StorageAccount', 1))).toBe(
      'There should be 1 StorageAccount, but there are 2: StorageAccount platform/files (storage.azure.com/v20250601), StorageAccount platform/logs (storage.azure.com/v20250601).',
    );
    expect(messageOf(() => template.resourceCountIs('Pod', 1))).toBe(
      'There should be 1 Pod, but there are 0. There is no Pod among the 4 objects. There are: Secret (2), StorageAccount (2).',
    );
  });

  test('which', () => {
    expect(template.findResources('StorageAccount', { spec: { tags: Match.absent() } }).map(({ metadata }) => metadata.name)).toEqual([
      'logs',
    ]);
    expect(template.findResources('Pod')).toEqual([]);
  });

  test('none', () => {
    template.hasNoResource('StorageAccount', { spec: { location: 'westeurope' } });
    template.hasNoResource('Pod');
    expect(messageOf(() => template.hasNoResource('StorageAccount', { metadata: { name: 'logs' } }))).toMatch(
      /^There should be no such StorageAccount, but there is 1: StorageAccount platform\/logs .*The first:\n\n {2}apiVersion/s,
    );
  });
});
