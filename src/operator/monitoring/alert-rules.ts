/** Urgency of an alert, in the words of the Prometheus community: `critical` wakes somebody, `warning` is looked at in the working day. */
export type AlertSeverity = 'critical' | 'warning' | 'info';

/** A rule for Prometheus. */
export interface AlertRuleFacts {
  readonly name: string;
  readonly severity: AlertSeverity;
  /** PromQL; `$S` stands for the label matchers that select the controller. */
  readonly expr: string;
  /** How long the expression must hold, e.g. `5m`. */
  readonly for: string;
  readonly summary: string;
  readonly description: string;
}

/** Reasons by which an object waits for another one. */
const WAITING = 'WaitingForOwner|ReferenceNotFound|SecretNotFound|ConfigMapNotFound';
/** Reasons of an object that is being worked on, or that a policy leaves alone. */
const WORKING = 'Reconciling|Deleting|None|AzureResourceNotFound';
const CREDENTIAL = 'Credential.+|FederatedCredentialNotFound|ServiceAccountNotFound|ServiceAccountTokenForbidden|AuthorizationFailed|LinkedAuthorizationFailed|InvalidAuthenticationToken.*';

const rate = (metric: string, matchers = '', window = '5m') => `sum(rate(${metric}{$S${matchers}}[${window}]))`;
const allErrors = 'sum by (controller) (increase(controller_runtime_reconcile_errors_total{$S}[15m]))';
/** Without those of objects that users have changed meanwhile: these run again at once. An earlier controller does not tell them apart. */
const errors = `(${allErrors} - (sum by (controller) (increase(cdk8s_aso_outdated_reconciles_total{$S}[15m])) or 0 * ${allErrors}))`;
const unanswered = 'sum(increase(cdk8s_aso_drift_detection_objects_total{$S,verdict="unanswered"}[1h]))';
const syncs = 'sum(increase(cdk8s_aso_drift_detection_objects_total{$S}[1h]))';

/** The alerts about a controller, most urgent first. docs/runbooks.md has a section for each. */
export const ALERT_RULES: readonly AlertRuleFacts[] = [
  {
    name: 'AsoControllerDown',
    severity: 'critical',
    expr: 'absent(up{$S} == 1)',
    for: '5m',
    summary: 'No controller of Azure resources answers.',
    description: 'Prometheus has reached no pod of the controller for 5 minutes. Nothing is reconciled, and webhooks may be down.',
  },
  {
    name: 'AsoNoLeader',
    severity: 'critical',
    expr: 'max(leader_election_master_status{$S}) == 0',
    for: '5m',
    summary: 'No replica of the controller leads.',
    description: 'The pods run, but none holds the Lease, so nothing is reconciled.',
  },
  {
    name: 'AsoSeveralLeaders',
    severity: 'critical',
    expr: 'sum by (name, namespace) (leader_election_master_status{$S}) > 1',
    for: '2m',
    summary: 'Several replicas say that they lead.',
    description: '{{ $value }} replicas of {{ $labels.namespace }} hold the Lease {{ $labels.name }} by their own account. Fencing keeps a replica whose Lease has expired from writing.',
  },
  {
    name: 'AsoAzureUnreachable',
    severity: 'critical',
    // Not `>=`: a controller that starts during an outage has no series of answers to compare with.
    expr: `${rate('azure_failed_requests_total')} > 0 unless ${rate('azure_failed_requests_total')} < ${rate('azure_successful_requests_total')}`,
    for: '10m',
    summary: 'Azure Resource Manager does not answer.',
    description: 'At least half of the requests to Azure have had no answer for 10 minutes: network, proxy, DNS, or an outage.',
  },
  {
    name: 'AsoCredentialsFail',
    severity: 'critical',
    expr: `sum by (reason) (max by (kind, reason) (cdk8s_aso_resources{$S,ready="False",reason=~"${CREDENTIAL}"})) > 0`,
    for: '15m',
    summary: 'A credential is refused or has no role.',
    description: '{{ $value }} objects have been at {{ $labels.reason }} for 15 minutes.',
  },
  {
    name: 'AsoReconcilePanics',
    severity: 'critical',
    expr: 'sum by (controller) (increase(controller_runtime_reconcile_panics_total{$S}[15m])) > 0',
    for: '0m',
    summary: 'The controller has met a mistake of its own.',
    description: 'Reconciliations of {{ $labels.controller }} ended in an internal error. They are tried again.',
  },
  {
    name: 'AsoWebhookPanics',
    severity: 'critical',
    expr: 'sum(increase(controller_runtime_webhook_panics_total{$S}[15m])) > 0',
    for: '0m',
    summary: 'A webhook has met a mistake of its own.',
    description: 'A request of the API server was answered with 500: writes of that kind are refused, or reads fail.',
  },
  {
    name: 'AsoControllerRestarts',
    severity: 'warning',
    expr: 'changes(process_start_time_seconds{$S}[1h]) > 3',
    for: '0m',
    summary: 'The controller restarts again and again.',
    description: 'Pod {{ $labels.pod }} has started {{ $value }} times within an hour.',
  },
  {
    name: 'AsoControllerMemory',
    severity: 'warning',
    expr: 'max by (pod) (process_resident_memory_bytes{$S}) > $MEMORY',
    for: '10m',
    summary: 'The controller is close to its memory limit.',
    description: 'Pod {{ $labels.pod }} uses {{ $value | humanize1024 }}B, more than 90 % of its limit.',
  },
  {
    name: 'AsoEventLoopSlow',
    severity: 'warning',
    expr: 'max by (pod) (nodejs_eventloop_lag_p99_seconds{$S}) > 1',
    for: '10m',
    summary: 'The controller is short of CPU.',
    description: 'The event loop of pod {{ $labels.pod }} is {{ $value | humanizeDuration }} late. Probes fail at 10 s.',
  },
  {
    name: 'AsoResourcesFail',
    severity: 'warning',
    expr: `sum by (kind, reason) (max by (kind, reason) (cdk8s_aso_resources{$S,ready="False",reason!~"${WORKING}|${WAITING}|${CREDENTIAL}"})) > 0`,
    for: '30m',
    summary: 'Azure refuses resources, or they cannot be made.',
    description: '{{ $value }} objects of {{ $labels.kind }} have been at {{ $labels.reason }} for 30 minutes.',
  },
  {
    name: 'AsoResourcesWait',
    severity: 'warning',
    expr: `sum by (kind, reason) (max by (kind, reason) (cdk8s_aso_resources{$S,ready="False",reason=~"${WAITING}"})) > 0`,
    for: '1h',
    summary: 'Objects wait for another one.',
    description: '{{ $value }} objects of {{ $labels.kind }} have been at {{ $labels.reason }} for an hour.',
  },
  {
    name: 'AsoReconcileErrors',
    severity: 'warning',
    // An object whose status cannot be written is tried every three minutes, and keeps its last condition: no other alert tells of it.
    expr: `${errors} > 3 and ${errors} > 0.01 * sum by (controller) (increase(controller_runtime_reconcile_total{$S}[15m]))`,
    for: '15m',
    summary: 'Reconciliations end in errors that are no conditions.',
    description: '{{ $value }} reconciliations of {{ $labels.controller }} have failed in 15 minutes, most often because the API server refuses a write.',
  },
  {
    name: 'AsoAzureThrottles',
    severity: 'warning',
    expr: 'max by (scope, principal, operation) (cdk8s_aso_arm_budget_blocked{$S} or cdk8s_aso_arm_budget_blocked_types{$S}) > 0',
    for: '15m',
    summary: 'Azure throttles an identity.',
    description: 'For 15 minutes Azure has taken no {{ $labels.operation }} of {{ $labels.principal }} in {{ $labels.scope }}, or none of some types.',
  },
  {
    name: 'AsoAzureErrors',
    severity: 'warning',
    expr: `${rate('azure_successful_requests_total', ',responseCode=~"5.."', '10m')} > 0.2 * ${rate('azure_successful_requests_total', '', '10m')}`,
    for: '15m',
    summary: 'Azure answers with errors of its own.',
    description: 'More than a fifth of the answers of Azure are 5xx.',
  },
  {
    name: 'AsoApiServerErrors',
    severity: 'warning',
    expr: `${rate('rest_client_requests_total', ',code=~"5..|<error>"', '10m')} > 0.1 * ${rate('rest_client_requests_total', '', '10m')}`,
    for: '15m',
    summary: 'The API server does not answer the controller.',
    description: 'More than a tenth of the requests to the API server fail.',
  },
  {
    name: 'AsoWebhookSlow',
    severity: 'warning',
    expr: 'histogram_quantile(0.99, sum by (le, webhook) (rate(controller_runtime_webhook_latency_seconds_bucket{$S}[10m]))) > 2.5',
    for: '15m',
    summary: 'A webhook is slow.',
    description: 'One in a hundred requests to {{ $labels.webhook }} takes more than 2.5 s. The API server gives up after 10 s.',
  },
  {
    name: 'AsoQueueLate',
    severity: 'warning',
    // 100 is a bound of the buckets: between two bounds a quantile is a guess.
    expr: 'histogram_quantile(0.9, sum by (le) (rate(workqueue_queue_duration_seconds_bucket{$S}[10m]))) > 100',
    for: '30m',
    summary: 'Changes wait long for their reconciliation.',
    description: 'One in ten objects waits more than 100 s for its turn.',
  },
  {
    name: 'AsoCertificateUnreadable',
    severity: 'warning',
    expr: 'sum(increase(certwatcher_read_certificate_errors_total{$S}[10m])) > 0',
    for: '10m',
    summary: 'A certificate of the webhooks or of the metrics cannot be read.',
    description: 'The controller goes on with the old one until it expires.',
  },
  {
    name: 'AsoCredentialPropagationRefused',
    severity: 'warning',
    expr: 'sum by (kind) (max by (kind, state) (cdk8s_aso_credential_propagation_targets{$S,state="refused"})) > 0',
    for: '15m',
    summary: 'The ids of an identity are not written to another namespace.',
    description: '{{ $value }} targets of kind {{ $labels.kind }} are refused: the namespace does not accept them, or somebody else owns the object.',
  },
  {
    name: 'AsoTenantWorkStopped',
    severity: 'info',
    expr: 'sum by (outcome) (increase(cdk8s_aso_worker_jobs_total{$S,outcome=~"deadline|memory|crash"}[1h])) > 3',
    for: '0m',
    summary: 'Expressions or certificates of tenants were stopped.',
    description: '{{ $value }} jobs of an hour ended by {{ $labels.outcome }}. Other tenants are not disturbed.',
  },
  {
    name: 'AsoDriftDetectionFails',
    severity: 'info',
    // A query that is refused is not repeated for an hour, so the failures alone are few.
    expr: `sum(increase(cdk8s_aso_drift_detection_failures_total{$S}[2h])) > 0 and ${unanswered} > 0.5 * ${syncs}`,
    for: '30m',
    summary: 'Batch reads of Azure fail.',
    description: 'They have not answered for half of the resources within an hour. Resources are read one by one instead, which costs more requests.',
  },
];
