import fc from 'fast-check';
import { converted, type Manifest } from './converting';
import { chartClassOf } from '../../../cli/convert/names';

const queue = (name: string): Manifest => ({
  apiVersion: 'servicebus.azure.com/v1api20211101',
  kind: 'NamespacesQueue',
  metadata: { name, namespace: 'team-a' },
  spec: { owner: { name: 'bus' } },
});
const group = (name: string): Manifest => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name, namespace: 'team-a' },
  spec: { location: 'x' },
});
const variables = (...objects: Manifest[]) => converted(objects).charts.flatMap((chart) => [...chart.variables.values()]);

test.each<[string[], string[]]>([
  [['team-a-orders'], ['queue']],
  [['team-a-orders', 'team-a-invoices'], ['ordersQueue', 'invoicesQueue']],
  [['orders-queue', 'invoices-queue'], ['ordersQueue', 'invoicesQueue']],
  [['q-1', 'q-2'], ['queue1', 'queue2']],
  [['orders', 'orders.dead'], ['ordersQueue', 'ordersDeadQueue']],
])('queues %j are %j', (names, expected) => {
  expect(variables(...names.map(queue))).toEqual(expected);
});

test.each<[string[], string[]]>([
  [['team-a-rg', 'shared-rg'], ['resourceGroup', 'sharedResourceGroup']],
  [['import', 'export'], ['importResourceGroup', 'exportResourceGroup']],
])('groups %j are %j', (names, expected) => {
  expect(variables(...names.map(group))).toEqual(expected);
});

test('a variable is never a word of the language or an imported service', () => {
  const object = (kind: string): Manifest => ({ apiVersion: 'example.com/v1', kind, metadata: { name: 'x', namespace: 'team-a' } });
  expect(variables(object('Function'), object('Servicebus'), object('Class'), queue('a'))).toEqual([
    'functionResource',
    'servicebusResource',
    'classResource',
    'queue',
  ]);
});

test('whatever the objects are called: names are distinct identifiers, and so are construct ids', () => {
  const name = fc.oneof(
    fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,12}[a-z0-9])?$/),
    fc.constantFrom('a', 'a-1', 'a1', '1', 'a.b', 'a-b', 'ab', 'queue', 'namespace'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), (names) => {
      const { code, charts } = converted(names.flatMap((one) => [queue(one), group(one)]));
      const all = charts.flatMap((chart) => [...chart.variables.values()]);
      expect(new Set(all).size).toBe(names.length * 2);
      expect(all.filter((variable) => !/^[a-z][A-Za-z0-9]*$/.test(variable))).toEqual([]);
      const ids = [...code.matchAll(/\(this, '([^']+)'/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(names.length * 2);
    }),
    { numRuns: 60 },
  );
});

test.each([['team-a', 'TeamAChart'], ['7up', 'Namespace7upChart'], ['a.b', 'ABChart']])('the chart of %s is %s', (namespace, className) => {
  expect(chartClassOf(namespace)).toBe(className);
});
