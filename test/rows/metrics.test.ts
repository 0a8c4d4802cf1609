import { table } from './table';
import type { Metrics } from '../../controller/metrics';
import { createCelEngine } from '../../engine/export';
import { Catalog } from '../../src/catalog';
import { ARM, CONTROLLER, expectCounted, KEY, request, type MetricCase } from '../controller/process/metric-case';
import { specRows } from '../docs/spec-tables';

const report = (result: object) =>
  ({ key: KEY, result, actions: [], object: { apiVersion: 'v1', kind: 'x', metadata: { name: 'a' } } }) as unknown as Parameters<
    Metrics['reconciled']
  >[0];
const failure = (severity: string) => report({ kind: 'failure', failure: { severity, reason: 'x', message: 'x' } });
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

/** Series that ASO has with the same meaning. */
const SERIES: readonly MetricCase[] = [
  ['azure_successful_requests_total', (m) => m.armRequest({ ...request, status: 404 }), { ...ARM, responseCode: '404' }, 1],
  ['azure_failed_requests_total', (m) => m.armRequest(request), ARM, 1],
  ['azure_requests_time_seconds_count', (m) => m.armRequest(request), ARM, 1],
  ['cel_env_cache_hits_total', (m) => m.expression({ resource: 'X', environment: 'hit', program: 'miss' }), { resource: 'X' }, 1],
  ['cel_program_cache_hits_total', compiling, { resource: 'UserAssignedIdentity' }, 1],
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
];

/** The row of a series: its name, a list of names, or the beginning of names. */
function rowOf(series: string): string {
  const name = series.replace(/_count$/, '');
  const fits = (pattern: string) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);
  return specRows('docs/spec/metrics.md#metrics').find((row) => row.name.split(', ').some(fits))?.name ?? name;
}

table('docs/spec/metrics.md#metrics', (row) => {
  for (const one of SERIES) row(rowOf(one[0]), one[0], () => expectCounted(one));
  row('cel_env_cache_misses_total', '(better: environments alone, not programs)', () =>
    expectCounted(['cel_env_cache_misses_total', (m) => m.expression({ resource: 'X', environment: 'miss', program: 'miss' }), { resource: 'X' }, 1]),
  );
  row('cel_program_cache_misses_total', '(better: programs that were made)', () =>
    expectCounted(['cel_program_cache_misses_total', compiling, { resource: 'UserAssignedIdentity' }, 1]),
  );
  row('controller_runtime_terminal_reconcile_errors_total', '(better: reconciliations that ended in an Error)', () =>
    expectCounted(['controller_runtime_terminal_reconcile_errors_total', (m) => m.reconciled(failure('Error')), { controller: CONTROLLER }, 1]),
  );
});
