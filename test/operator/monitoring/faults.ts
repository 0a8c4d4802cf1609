import type { Series } from './promtool';

const S = 'job="azureserviceoperator-controller-manager-metrics-service",namespace="azureserviceoperator-system"';
export const named = (metric: string, labels = ''): string => `${metric}{${S}${labels === '' ? '' : `,${labels}`}}`;
const series = (metric: string, labels: string, values: string): Series => ({ series: named(metric, labels), values });
const pods = (metric: string, values: string) => [series(metric, 'pod="controller-0"', values)];

/** An hour and a half in which all is well: the replicas answer, one leads, and everything is Ready. */
export const PEACE: readonly Series[] = [
  ...['controller-0', 'controller-1'].flatMap((pod, index) => [
    series('up', `pod="${pod}"`, '1x90'),
    series('leader_election_master_status', `name="controllers-leader-election-azinfra-generated",pod="${pod}"`, `${index === 0 ? 1 : 0}x90`),
    series('process_start_time_seconds', `pod="${pod}"`, '1000x90'),
    series('process_resident_memory_bytes', `pod="${pod}"`, '150000000x90'),
    series('nodejs_eventloop_lag_p99_seconds', `pod="${pod}"`, '0.02x90'),
    series('cdk8s_aso_resources', `kind="resourcegroups.resources.azure.com",ready="True",reason="Succeeded",pod="${pod}"`, '100x90'),
  ]),
  series('azure_successful_requests_total', 'resource="x",requestType="GET",responseCode="200"', '0+60x90'),
  series('azure_successful_requests_total', 'resource="x",requestType="PUT",responseCode="503"', '0+1x90'),
  series('azure_failed_requests_total', 'resource="x",requestType="GET"', '0x90'),
  series('rest_client_requests_total', 'code="200"', '0+600x90'),
  series('controller_runtime_reconcile_errors_total', 'controller="x"', '0x90'),
  series('controller_runtime_reconcile_total', 'controller="x",result="success"', '0+60x90'),
  series('controller_runtime_reconcile_panics_total', 'controller="x"', '0x90'),
  series('controller_runtime_webhook_panics_total', '', '0x90'),
  series('certwatcher_read_certificate_errors_total', '', '0x90'),
  series('cdk8s_aso_arm_budget_blocked', 'scope="s",principal="p",operation="writes"', '0x90'),
  series('cdk8s_aso_worker_jobs_total', 'task="expressions",outcome="deadline"', '0x90'),
  series('cdk8s_aso_drift_detection_failures_total', 'source="table"', '0x90'),
  ...['confirmed', 'unanswered'].map((verdict, index) => series('cdk8s_aso_drift_detection_objects_total', `verdict="${verdict}"`, index === 0 ? '0+9x90' : '0+1x90')),
  series('cdk8s_aso_credential_propagation_targets', 'kind="Secret",state="propagated"', '3x90'),
];

const without = (metric: string) => PEACE.filter(({ series: name }) => !name.startsWith(`${metric}{`));
const notReady = (reason: string, count = '2x90') => series('cdk8s_aso_resources', `kind="k",ready="False",reason="${reason}",pod="controller-0"`, count);

/** Buckets of a histogram: as many each minute, up to a bound and in all. */
const buckets = (metric: string, labels: string, below: string, total: string): Series[] => [
  series(`${metric}_bucket`, `le="1"${labels}`, below),
  series(`${metric}_bucket`, `le="300"${labels}`, total),
  series(`${metric}_bucket`, `le="+Inf"${labels}`, total),
];

/** Each alert, the series of its fault, and further alerts that rightly fire with it. */
export const FAULTS: readonly (readonly [alert: string, input: readonly Series[], ...also: string[]])[] = [
  ['AsoControllerDown', []],
  ['AsoControllerDown', [...without('up'), series('up', 'pod="controller-0"', '0x90')]],
  ['AsoNoLeader', [...without('leader_election_master_status'), ...pods('leader_election_master_status', '0x90')]],
  ['AsoSeveralLeaders', [...without('leader_election_master_status'), ...['a', 'b'].map((pod) => series('leader_election_master_status', `name="lease",pod="${pod}"`, '1x90'))]],
  ['AsoAzureUnreachable', [
    ...without('azure_successful_requests_total').filter(({ series: name }) => !name.startsWith('azure_failed')),
    series('azure_failed_requests_total', 'resource="x",requestType="GET"', '0+1x90'),
  ]],
  ['AsoAzureUnreachable', [...without('azure_failed_requests_total'), series('azure_failed_requests_total', 'resource="x",requestType="GET"', '0+200x90')]],
  ['AsoCredentialsFail', [...PEACE, notReady('CredentialExpired')]],
  ['AsoCredentialsFail', [...PEACE, notReady('AuthorizationFailed')]],
  ['AsoReconcilePanics', [...without('controller_runtime_reconcile_panics_total'), series('controller_runtime_reconcile_panics_total', 'controller="x"', '0x80 1x10')]],
  ['AsoWebhookPanics', [...without('controller_runtime_webhook_panics_total'), series('controller_runtime_webhook_panics_total', '', '0x80 1x10')]],
  ['AsoControllerRestarts', [...without('process_start_time_seconds'), ...pods('process_start_time_seconds', '0+300x90')]],
  ['AsoControllerMemory', [...without('process_resident_memory_bytes'), ...pods('process_resident_memory_bytes', '510000000x90')]],
  ['AsoEventLoopSlow', [...without('nodejs_eventloop_lag_p99_seconds'), ...pods('nodejs_eventloop_lag_p99_seconds', '3x90')]],
  ['AsoResourcesFail', [...PEACE, notReady('QuotaExceeded')]],
  ['AsoResourcesWait', [...PEACE, notReady('WaitingForOwner')]],
  ['AsoReconcileErrors', [...without('controller_runtime_reconcile_errors_total'), series('controller_runtime_reconcile_errors_total', 'controller="x"', '0+1x90')]],
  ['AsoReconcileErrors', [
    ...without('controller_runtime_reconcile_errors_total'),
    series('controller_runtime_reconcile_errors_total', 'controller="x"', '0+2x90'),
    series('cdk8s_aso_outdated_reconciles_total', 'controller="x"', '0+1x90'),
  ]],
  ['AsoAzureThrottles', [...without('cdk8s_aso_arm_budget_blocked'), series('cdk8s_aso_arm_budget_blocked', 'scope="s",principal="p",operation="writes"', '1x90')]],
  ['AsoAzureThrottles', [...PEACE, series('cdk8s_aso_arm_budget_blocked_types', 'scope="s",principal="p",operation="writes",type="t"', '1x90')]],
  ['AsoAzureErrors', [...PEACE, series('azure_successful_requests_total', 'resource="x",requestType="PUT",responseCode="500"', '0+60x90')]],
  ['AsoApiServerErrors', [...PEACE, series('rest_client_requests_total', 'code="<error>"', '0+300x90')]],
  ['AsoWebhookSlow', [...PEACE, ...buckets('controller_runtime_webhook_latency_seconds', ',webhook="/convert"', '0x90', '0+10x90')]],
  ['AsoQueueLate', [...PEACE, ...buckets('workqueue_queue_duration_seconds', ',name="x"', '0x90', '0+10x90')]],
  ['AsoCertificateUnreadable', [...without('certwatcher_read_certificate_errors_total'), series('certwatcher_read_certificate_errors_total', '', '0+6x90')]],
  ['AsoCredentialPropagationRefused', [...PEACE, series('cdk8s_aso_credential_propagation_targets', 'kind="Secret",state="refused"', '1x90')]],
  ['AsoTenantWorkStopped', [...PEACE, series('cdk8s_aso_worker_jobs_total', 'task="expressions",outcome="memory"', '0+1x90')]],
  ['AsoDriftDetectionFails', [
    ...without('cdk8s_aso_drift_detection_failures_total').filter(({ series: name }) => !name.includes('unanswered')),
    series('cdk8s_aso_drift_detection_failures_total', 'source="table"', '0x20 1x59 2x9'),
    series('cdk8s_aso_drift_detection_objects_total', 'verdict="unanswered"', '0+30x90'),
  ]],
];

/** States that pass by themselves: nobody is woken for them. */
export const PASSING: readonly (readonly [title: string, input: readonly Series[]])[] = [
  ['a pod that starts', [...without('up'), series('up', 'pod="controller-0"', '1x85 0x3 1x2')]],
  ['resources in the making', [...PEACE, notReady('Reconciling')]],
  ['an object that waits for its owner for a while', [...PEACE, notReady('WaitingForOwner', '0x60 1x30')]],
  ['a resource that was refused a moment ago', [...PEACE, notReady('QuotaExceeded', '0x70 1x20')]],
  ['throttling for some minutes', [...without('cdk8s_aso_arm_budget_blocked'), series('cdk8s_aso_arm_budget_blocked', 'scope="s",principal="p",operation="writes"', '0x80 1x10')]],
  ['a certificate that did not fit its key for a moment', [...without('certwatcher_read_certificate_errors_total'), series('certwatcher_read_certificate_errors_total', '', '0x80 1x10')]],
  ['conflicts of writes', [...without('controller_runtime_reconcile_errors_total'), series('controller_runtime_reconcile_errors_total', 'controller="x"', '0+1x9 9x40 9+1x9 18x30')]],
  ['users who change what the controller is about to write', [
    ...without('controller_runtime_reconcile_errors_total'),
    series('controller_runtime_reconcile_errors_total', 'controller="x"', '0+1x90'),
    series('cdk8s_aso_outdated_reconciles_total', 'controller="x"', '0+1x90'),
  ]],
  ['one expression that was stopped', [...without('cdk8s_aso_worker_jobs_total'), series('cdk8s_aso_worker_jobs_total', 'task="expressions",outcome="deadline"', '0x80 1x10')]],
  ['a hand-over of the Lease', [...without('leader_election_master_status'), ...['a', 'b'].map((pod, index) => series('leader_election_master_status', `name="lease",pod="${pod}"`, index === 0 ? '1x80 0x10' : '0x80 1x10'))]],
];
