import { Metrics } from '../../../controller/metrics';
import { resourceGauge } from '../../../controller/telemetry/resource-gauge';
import { createCelEngine } from '../../../engine/export';
import { Catalog } from '../../../src/catalog';
import { specRows } from '../../docs/spec-tables';

const KEY = { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'default', name: 'a' };
const CONTROLLER = 'storageazurecom_storageaccount';
const ARM = { resource: 'Microsoft.Storage/storageAccounts', requestType: 'PUT' };

function after(act: (metrics: Metrics) => void): Metrics {
  const metrics = new Metrics();
  act(metrics);
  return metrics;
}

const report = (result: object) =>
  ({ key: KEY, result, actions: [], object: { apiVersion: 'v1', kind: 'x', metadata: { name: 'a' } } }) as unknown as Parameters<
    Metrics['reconciled']
  >[0];
const failure = (severity: string) => report({ kind: 'failure', failure: { severity, reason: 'x', message: 'x' } });
const request = { method: 'PUT' as const, resource: ARM.resource, seconds: 0.2 };
const queued = (metrics: Metrics) => metrics.queue.onAdded(KEY);
const working = (metrics: Metrics) => {
  queued(metrics);
  metrics.queue.onStarted(KEY);
};
const worked = (metrics: Metrics) => {
  working(metrics);
  metrics.queue.onEnded(KEY);
};
const QUEUE = { controller: CONTROLLER, name: CONTROLLER };
const identity = Catalog.default().kind('managedidentity.azure.com', 'UserAssignedIdentity')!.version('v1api20230131')!;
const compiling = (metrics: Metrics) => {
  const engine = createCelEngine((observation) => metrics.expression(observation));
  engine.compile(identity, 'self.metadata.name');
  engine.compile(identity, 'self.metadata.name');
};

/** Rows of docs/spec/metrics.md#metrics and our own: name, what happens, labels, value. */
const ROWS: readonly [name: string, act: (metrics: Metrics) => void, labels: Record<string, string>, value: number | 'positive'][] = [
  ['azure_successful_requests_total', (m) => m.armRequest({ ...request, status: 404 }), { ...ARM, responseCode: '404' }, 1],
  ['azure_failed_requests_total', (m) => m.armRequest(request), ARM, 1],
  ['azure_requests_time_seconds_count', (m) => m.armRequest(request), ARM, 1],
  ['cel_env_cache_hits_total', (m) => m.expression({ resource: 'X', environment: 'hit', program: 'miss' }), { resource: 'X' }, 1],
  ['cel_env_cache_misses_total', (m) => m.expression({ resource: 'X', environment: 'miss', program: 'miss' }), { resource: 'X' }, 1],
  ['cel_program_cache_hits_total', compiling, { resource: 'UserAssignedIdentity' }, 1],
  ['cel_program_cache_misses_total', compiling, { resource: 'UserAssignedIdentity' }, 1],
  ['cel_compilation_time_seconds_count', compiling, { resource: 'UserAssignedIdentity' }, 1],
  [
    'controller_runtime_reconcile_total',
    (m) => m.reconciled(report({ kind: 'success' })),
    { controller: CONTROLLER, result: 'success' },
    1,
  ],
  [
    'controller_runtime_reconcile_errors_total',
    (m) => m.reconcileError(KEY.group, KEY.kind, new Error('x')),
    { controller: CONTROLLER },
    1,
  ],
  ['controller_runtime_terminal_reconcile_errors_total', (m) => m.reconciled(failure('Error')), { controller: CONTROLLER }, 1],
  [
    'controller_runtime_reconcile_panics_total',
    (m) => m.reconcileError(KEY.group, KEY.kind, new TypeError('x')),
    { controller: CONTROLLER },
    1,
  ],
  ['controller_runtime_reconcile_time_seconds_count', worked, { controller: CONTROLLER }, 1],
  ['controller_runtime_max_concurrent_reconciles', (m) => m.kindServed(KEY.group, KEY.kind, 4), { controller: CONTROLLER }, 4],
  ['controller_runtime_active_workers', working, { controller: CONTROLLER }, 1],
  [
    'controller_runtime_webhook_requests_total',
    (m) => m.webhook({ webhook: '/x', code: 200, seconds: 0.1 }),
    { webhook: '/x', code: '200' },
    1,
  ],
  ['controller_runtime_webhook_requests_in_flight', (m) => m.webhookBegan('/x'), { webhook: '/x' }, 1],
  ['controller_runtime_webhook_latency_seconds_count', (m) => m.webhook({ webhook: '/x', code: 200, seconds: 0.1 }), { webhook: '/x' }, 1],
  ['controller_runtime_webhook_panics_total', (m) => m.webhook({ webhook: '/x', code: 500, seconds: 0.1 }), {}, 1],
  ['workqueue_depth', queued, QUEUE, 1],
  ['workqueue_adds_total', queued, QUEUE, 1],
  ['workqueue_queue_duration_seconds_count', worked, QUEUE, 1],
  ['workqueue_work_duration_seconds_count', worked, QUEUE, 1],
  ['workqueue_unfinished_work_seconds', working, QUEUE, 'positive'],
  ['workqueue_longest_running_processor_seconds', working, QUEUE, 'positive'],
  ['workqueue_retries_total', (m) => m.reconciled(failure('Warning')), QUEUE, 1],
  [
    'rest_client_requests_total',
    (m) => m.kubernetesRequest({ method: 'GET', host: 'h:1', status: 200 }),
    { code: '200', method: 'GET', host: 'h:1' },
    1,
  ],
  [
    'rest_client_requests_total',
    (m) => m.kubernetesRequest({ method: 'GET', host: 'h:1' }),
    { code: '<error>', method: 'GET', host: 'h:1' },
    1,
  ],
  ['certwatcher_read_certificate_total', (m) => m.certificateRead(true), {}, 1],
  ['certwatcher_read_certificate_errors_total', (m) => m.certificateRead(false), {}, 1],
  ['leader_election_master_status', (m) => m.leading('lease', true), { name: 'lease' }, 1],
  ['process_cpu_seconds_total', (m) => m.collectProcess(), {}, 'positive'],
  ['cdk8s_aso_arm_throttled_total', (m) => m.armRequest({ ...request, status: 429 }), ARM, 1],
  [
    'cdk8s_aso_arm_remaining_requests',
    (m) => m.armRequest({ ...request, status: 200, subscriptionId: 's', remaining: { 'subscription-writes': 1199 } }),
    { subscription: 's', quota: 'subscription-writes' },
    1199,
  ],
];

test('docs/spec/metrics.md#metrics: each row has a test, and each metric of ASO a row', () => {
  const tested = [...new Set(ROWS.map(([name]) => name.replace(/_count$/, '')))].filter((name) => !name.startsWith('cdk8s_aso_'));
  const patterns = specRows('docs/spec/metrics.md#metrics').flatMap(({ name }) => name.split(', '));
  const fits = (name: string, pattern: string) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);
  expect(patterns.filter((pattern) => !tested.some((name) => fits(name, pattern)))).toEqual([]);
  expect(tested.filter((name) => !patterns.some((pattern) => fits(name, pattern)))).toEqual([]);
});

test.each(ROWS)('docs/spec/metrics.md#metrics: %s', async (name, act, labels, value) => {
  const sample = async (metrics: Metrics) => {
    const lines = (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    const fits = lines.find((line) => Object.entries(labels).every(([label, text]) => line.includes(`${label}="${text}"`)));
    return fits === undefined ? undefined : Number(fits.slice(fits.lastIndexOf(' ') + 1));
  };
  const found = await sample(after(act));
  if (value === 'positive') expect(found).toBeGreaterThan(0);
  else expect(found).toBe(value);
  // Before anything has happened there is nothing, or a zero.
  if (!name.startsWith('process_')) expect((await sample(after(() => undefined))) ?? 0).toBe(0);
});

test('requests whose URL is no ARM id are not counted', async () => {
  const metrics = after((m) => m.armRequest({ ...request, resource: 'unknown', status: 200 }));
  expect(await metrics.registry.metrics()).not.toContain('azure_successful_requests_total{');
});

test('cdk8s_aso_resources: by kind, status and reason, as it is now', async () => {
  const metrics = new Metrics();
  const object = (name: string, status?: string, reason?: string) => ({
    apiVersion: 'storage.azure.com/v1',
    kind: 'StorageAccount',
    metadata: { name },
    ...(status ? { status: { conditions: [{ type: 'Ready', status, reason }] } } : {}),
  });
  let objects = [
    object('a', 'True', 'Succeeded'),
    object('b', 'False', 'AuthorizationFailed'),
    object('c', 'False', 'AuthorizationFailed'),
    object('d'),
  ];
  const type = { group: 'storage.azure.com', version: 'v1', plural: 'storageaccounts', kind: 'StorageAccount', namespaced: true };
  resourceGauge(metrics.registry, () => [
    { type, store: { get: () => undefined, list: () => objects as never }, updateLocal: () => undefined },
  ]);
  const lines = async () =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('cdk8s_aso_resources{'))
      .sort();
  expect(await lines()).toEqual([
    'cdk8s_aso_resources{kind="StorageAccount.storage.azure.com",ready="False",reason="AuthorizationFailed"} 2',
    'cdk8s_aso_resources{kind="StorageAccount.storage.azure.com",ready="True",reason="Succeeded"} 1',
    'cdk8s_aso_resources{kind="StorageAccount.storage.azure.com",ready="Unknown",reason="None"} 1',
  ]);
  objects = objects.slice(0, 1);
  expect(await lines()).toHaveLength(1);
});

afterAll(() => void process.stderr.write(`metrics: ${ROWS.length + 1} rows\n`));
