import { capacityOf } from '../../../cli/capacity/capacity';
import { capacityText } from '../../../cli/capacity/text';
import { parseManifests } from '../../../cli/manifests/manifests';
import { captured } from '../capture';

const [ONE, OTHER] = ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222'];
const HOUR = 3_600_000;

const object = (apiVersion: string, kind: string, namespace: string, name: string, spec: unknown = {}, annotations = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace, annotations },
  spec,
});
const group = (namespace: string, name: string, annotations = {}) =>
  object('resources.azure.com/v1api20200601', 'ResourceGroup', namespace, name, { location: 'uksouth' }, annotations);
const credential = (namespace: string, subscription: string, client: string, name = 'aso-credential') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  stringData: { AZURE_SUBSCRIPTION_ID: subscription, AZURE_TENANT_ID: ONE, AZURE_CLIENT_ID: client },
});
const clientId = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
const groups = (namespace: string, count: number) => Array.from({ length: count }, (_, index) => group(namespace, `rg${index}`));

function capacity(objects: unknown[], syncPeriod: number | undefined = HOUR, subscriptionId?: string) {
  const { manifests, problems } = parseManifests(objects.map((o) => JSON.stringify(o)).join('\n---\n'), 'f.yaml');
  expect(problems).toEqual([]);
  const { report, problems: found } = capacityOf(manifests, { syncPeriod, subscriptionId });
  expect(found).toEqual([]);
  return report;
}

const text = (report: ReturnType<typeof capacity>) => capacityText(report, captured().style, false);

test('a token bucket for each principal in each subscription, whatever the Secrets are called', () => {
  const { buckets, objects } = capacity([
    credential('a', ONE, clientId(1)),
    credential('b', ONE, clientId(1)),
    credential('c', ONE, clientId(2)),
    credential('d', OTHER, clientId(1)),
    ...['a', 'b', 'c', 'd'].flatMap((namespace) => groups(namespace, 2)),
  ]);
  expect(objects).toBe(8);
  expect(buckets.map(({ subscription, principal, secrets, objects: count }) => [subscription, principal, secrets, count])).toEqual([
    [ONE, `client ${clientId(1)}`, ['a/aso-credential', 'b/aso-credential'], 4],
    [ONE, `client ${clientId(2)}`, ['c/aso-credential'], 2],
    [OTHER, `client ${clientId(1)}`, ['d/aso-credential'], 2],
  ]);
});

test("an object of another subscription than its credential's counts where it is", () => {
  const account = object('storage.azure.com/v1api20230101', 'StorageAccount', 'a', 'sa', {
    owner: { armId: `/subscriptions/${OTHER}/resourceGroups/rg` },
    location: 'uksouth',
  });
  expect(capacity([credential('a', ONE, clientId(1)), account]).buckets.map(({ subscription }) => subscription)).toEqual([OTHER]);
});

test('what is above subscriptions has limits of its own', () => {
  const { buckets } = capacity([
    credential('a', ONE, clientId(1)), group('a', 'rg'),
    object('subscription.azure.com/v1api20211001', 'Alias', 'a', 'new', { properties: { displayName: 'x' } }),
  ]);
  expect(buckets.map(({ tenant, subscription, objects }) => [tenant, subscription, objects])).toEqual([
    [false, ONE, 1],
    [true, undefined, 1],
  ]);
});

test('what is not known: the subscription that is given, or none', () => {
  expect(capacity([group('a', 'rg')], HOUR, OTHER).buckets[0]).toMatchObject({ subscription: OTHER, principal: undefined });
  const unknown = capacity([group('a', 'rg')]);
  expect(unknown.buckets[0]!.subscription).toBeUndefined();
  expect(text(unknown)).toContain('A subscription that is not known (--subscription), a credential that is not in the files\n  1 object');
});

test('what Azure Resource Manager has nothing to do with is counted apart', () => {
  const report = capacity([object('entra.azure.com/v1', 'SecurityGroup', 'a', 'team', { displayName: 'x', mailNickname: 'x' })]);
  expect(report).toMatchObject({ objects: 0, elsewhere: 1, buckets: [], readySeconds: 1 });
  expect(text(report)).toContain('0 objects in Azure Resource Manager, 1 elsewhere');
});

test('1,200 objects: 1,200 PUTs an hour by ASO\'s formula, and here not one', () => {
  const { buckets: [bucket] } = capacity([credential('a', ONE, clientId(1)), ...groups('a', 1200)]);
  expect(bucket?.aso.putsPerHour).toBe(1200);
  // Each resource is read by itself once in 18 to 24 hours; four queries are for all of them, each three quarters of an hour.
  expect(bucket!.steady.perHour.reads).toBeCloseTo(1200 / 21);
  expect(bucket?.steady.perHour.writes).toBe(0);
  expect(bucket!.queriesPerHour).toBeCloseTo(4 / 0.75);
  expect(bucket!.steady.peakPerSecond.reads).toBeCloseTo(1200 / 21 / 1800);
  // 1,000 PUTs behind those that the bucket has at first.
  expect(bucket?.firstCreation).toMatchObject({ requests: { reads: 0, writes: 1200 }, seconds: 100, boundBy: 'writes' });
  expect(bucket?.restart).toEqual({ requests: { reads: 1200, writes: 0 }, seconds: 38 });
  expect(text(capacity([credential('a', ONE, clientId(1)), ...groups('a', 1200)]))).toContain(
    '1,200 PUTs an hour under Azure Service Operator; here 62 requests an hour, of which 0 are writes.',
  );
});

test('the policy of the object or of its namespace: only read, by both controllers', () => {
  const skip = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b', annotations: skip } };
  const { buckets: [bucket] } = capacity([group('a', 'one', skip), namespace, group('b', 'two'), group('a', 'three')]);
  expect(bucket).toMatchObject({ objects: 3, onlyRead: 2, firstCreation: { requests: { reads: 2, writes: 1 } }, aso: { putsPerHour: 1 } });
});

test('more than Azure takes is said, with the period that it takes', () => {
  const keys = { operatorSpec: { secrets: { key1: { name: 'keys', key: 'one' } } } };
  const account = (_: unknown, index: number) => object('storage.azure.com/v1api20230101', 'StorageAccount', 'a', `sa${index}`, {
    owner: { armId: `/subscriptions/${ONE}/resourceGroups/rg` }, location: 'uksouth', ...keys,
  });
  const objects = [credential('a', ONE, clientId(1)), ...Array.from({ length: 1000 }, account)];
  const report = capacity(objects, 60_000);
  expect(report.buckets[0]?.shortestSyncPeriodSeconds).toBe(200);
  expect(text(report)).toContain('More than Azure takes at the peak: give a sync period of at least 3 min 20 s, or several principals.');
  expect(text(capacity(objects, 200_000))).not.toContain('More than');
});

test('children are listed where there are several, and who exports keys is looked at by itself', () => {
  const queue = (namespace: string, name: string) => object('servicebus.azure.com/v1api20211101', 'NamespacesQueue', 'a', name, {
    owner: { armId: `/subscriptions/${ONE}/resourceGroups/rg/providers/Microsoft.ServiceBus/namespaces/${namespace}` },
  });
  const reads = (...objects: unknown[]) => capacity([credential('a', ONE, clientId(1)), ...objects]).buckets[0]!.steady.perHour.reads;
  expect(reads(queue('one', 'a'))).toBe(1);
  expect(reads(queue('one', 'a'), queue('two', 'b'))).toBe(2);
  expect(reads(queue('one', 'a'), queue('one', 'b'), queue('one', 'c'))).toBeCloseTo(1 / 0.75 + 3 / 21);
});

test('principals of one subscription share fifteen times what one has', () => {
  const namespaces = ['a', 'b'];
  const objects = namespaces.flatMap((namespace, index) => [credential(namespace, ONE, clientId(index)), ...groups(namespace, 100)]);
  const { shared, buckets } = capacity(objects);
  const reads = expect.closeTo((2 * buckets[0]!.steady.peakPercent.reads) / 15) as number;
  expect(shared).toEqual([{ subscription: ONE, principals: 2, peakPercent: { reads, writes: 0 } }]);
});

test('names cannot command a terminal', () => {
  const report = capacity([{ ...group('a', 'rg'), metadata: { name: 'x\u001b[31m\u009b2J', namespace: 'a' } }]);
  expect(text(report)).not.toMatch(/[\u001b\u009b]/);
});
