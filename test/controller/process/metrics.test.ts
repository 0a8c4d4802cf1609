import { expectCounted, after, ARM, CONTROLLER, KEY, request, type MetricCase } from './metric-case';
import { Metrics } from '../../../controller/metrics';
import { resourceGauge } from '../../../controller/telemetry/resource-gauge';
import { KubernetesError } from '../../../engine/kubernetes/types';

const ended = (status: number) => (m: Metrics) => m.reconcileError(KEY.group, KEY.kind, new KubernetesError(status, 'Reason', 'message'));

/** Series that only this project has. */
const SERIES: readonly MetricCase[] = [
  ['cdk8s_aso_arm_throttled_total', (m) => m.armRequest({ ...request, status: 429 }), ARM, 1],
  [
    'cdk8s_aso_arm_remaining_requests',
    (m) => m.armRequest({ ...request, status: 200, subscriptionId: 's', remaining: { 'subscription-writes': 1199 } }),
    { subscription: 's', quota: 'subscription-writes' },
    1199,
  ],
  ['cdk8s_aso_outdated_reconciles_total', ended(409), { controller: CONTROLLER }, 1],
  ['cdk8s_aso_outdated_reconciles_total', ended(404), { controller: CONTROLLER }, 1],
  ['controller_runtime_reconcile_errors_total', ended(409), { controller: CONTROLLER }, 1],
];

test('a refused write is no outdated reconciliation', async () => {
  expect(await after(ended(403)).registry.metrics()).not.toMatch(/^cdk8s_aso_outdated_reconciles_total\{/m);
});


test.each(SERIES)('%s', (...one) => expectCounted(one));

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
