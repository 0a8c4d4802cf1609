/** A panel of the dashboard. */
export interface PanelFacts {
  readonly title: string;
  readonly description: string;
  readonly type: 'stat' | 'timeseries' | 'table';
  /** Unit of Grafana: `short`, `s`, `bytes`, `percentunit`, `reqps`. */
  readonly unit: string;
  /** Columns of 24. */
  readonly width: number;
  /** PromQL with `$S` for the label matchers, and the legend. */
  readonly queries: readonly { readonly expr: string; readonly legend: string }[];
}

/** A row of panels. */
export interface RowFacts {
  readonly title: string;
  readonly panels: readonly PanelFacts[];
}

const objects = (more: string) => `sum(max by (kind, ready, reason) (cdk8s_aso_resources{$S${more}})) or vector(0)`;
const quantile = (q: string, metric: string, by = '') =>
  `histogram_quantile(${q}, sum by (le${by}) (rate(${metric}_bucket{$S}[5m])))`;

/** The rows of the dashboard, from the state of the resources to the process. */
export const DASHBOARD_ROWS: readonly RowFacts[] = [
  {
    title: 'Resources',
    panels: [
      stat('Ready', 'Objects whose condition Ready is True.', objects(',ready="True"')),
      stat('Not ready', 'Objects whose condition Ready is False, or that have none yet.', objects(',ready!="True"')),
      stat('Leader', '1 while a replica leads.', 'max(leader_election_master_status{$S})'),
      stat('Throttled', 'Limits of Azure that are used up now.', 'sum(cdk8s_aso_arm_budget_blocked{$S}) or vector(0)'),
      {
        title: 'Not ready, by kind and reason',
        description: 'cdk8s-aso status has the objects, and cdk8s-aso why the cause.',
        type: 'table',
        unit: 'short',
        width: 12,
        queries: [{ expr: 'max by (kind, reason) (cdk8s_aso_resources{$S,ready!="True"}) > 0', legend: '{{kind}} {{reason}}' }],
      },
      {
        title: 'Objects by state',
        description: 'Objects by the status of their condition Ready.',
        type: 'timeseries',
        unit: 'short',
        width: 12,
        queries: [{ expr: 'sum by (ready) (max by (kind, ready, reason) (cdk8s_aso_resources{$S}))', legend: '{{ready}}' }],
      },
    ],
  },
  {
    title: 'Azure',
    panels: [
      {
        title: 'Requests',
        description: 'Requests to Azure Resource Manager a second, by what they are for.',
        type: 'timeseries',
        unit: 'reqps',
        width: 8,
        queries: [{ expr: 'sum by (purpose) (rate(cdk8s_aso_arm_requests_total{$S}[5m]))', legend: '{{purpose}}' }],
      },
      {
        title: 'Answers',
        description: 'Answers of Azure a second by their code; none: requests without an answer.',
        type: 'timeseries',
        unit: 'reqps',
        width: 8,
        queries: [
          { expr: 'sum by (responseCode) (rate(azure_successful_requests_total{$S}[5m]))', legend: '{{responseCode}}' },
          { expr: 'sum(rate(azure_failed_requests_total{$S}[5m]))', legend: 'none' },
        ],
      },
      {
        title: 'Time to answer',
        description: 'Seconds until Azure answers a request.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [
          { expr: quantile('0.5', 'azure_requests_time_seconds'), legend: 'median' },
          { expr: quantile('0.99', 'azure_requests_time_seconds'), legend: '99 %' },
        ],
      },
      {
        title: 'Room in Azure\'s limits',
        description: 'Requests that could be sent at once.',
        type: 'timeseries',
        unit: 'short',
        width: 12,
        queries: [{ expr: 'min by (scope, principal, operation) (cdk8s_aso_arm_budget_remaining{$S})', legend: '{{operation}} {{principal}} {{scope}}' }],
      },
      {
        title: 'Requests that wait',
        description: 'Requests that wait for room in a limit.',
        type: 'timeseries',
        unit: 'short',
        width: 12,
        queries: [{ expr: 'sum by (operation, priority) (cdk8s_aso_arm_budget_waiting{$S})', legend: '{{operation}} {{priority}}' }],
      },
    ],
  },
  {
    title: 'Reconciliation',
    panels: [
      {
        title: 'Reconciliations',
        description: 'Reconciliations a second by result.',
        type: 'timeseries',
        unit: 'reqps',
        width: 8,
        queries: [{ expr: 'sum by (result) (rate(controller_runtime_reconcile_total{$S}[5m]))', legend: '{{result}}' }],
      },
      {
        title: 'Queue',
        description: 'Objects that wait for their turn.',
        type: 'timeseries',
        unit: 'short',
        width: 8,
        queries: [{ expr: 'sum(workqueue_depth{$S})', legend: 'waiting' }, { expr: 'sum(controller_runtime_active_workers{$S})', legend: 'at work' }],
      },
      {
        title: 'Wait in the queue',
        description: 'Seconds from a change to its reconciliation.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [
          { expr: quantile('0.5', 'workqueue_queue_duration_seconds'), legend: 'median' },
          { expr: quantile('0.99', 'workqueue_queue_duration_seconds'), legend: '99 %' },
        ],
      },
      {
        title: 'Webhooks',
        description: 'Requests of the API server a second, by code.',
        type: 'timeseries',
        unit: 'reqps',
        width: 12,
        queries: [{ expr: 'sum by (code) (rate(controller_runtime_webhook_requests_total{$S}[5m]))', legend: '{{code}}' }],
      },
      {
        title: 'Requests to the API server',
        description: 'Requests a second, by code.',
        type: 'timeseries',
        unit: 'reqps',
        width: 12,
        queries: [{ expr: 'sum by (code) (rate(rest_client_requests_total{$S}[5m]))', legend: '{{code}}' }],
      },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'Memory',
        description: 'Resident memory of each pod.',
        type: 'timeseries',
        unit: 'bytes',
        width: 8,
        queries: [{ expr: 'process_resident_memory_bytes{$S}', legend: '{{pod}}' }],
      },
      {
        title: 'CPU',
        description: 'Cores that each pod uses.',
        type: 'timeseries',
        unit: 'short',
        width: 8,
        queries: [{ expr: 'rate(process_cpu_seconds_total{$S}[5m])', legend: '{{pod}}' }],
      },
      {
        title: 'Delay of the event loop',
        description: 'Seconds by which timers are late, 99 %.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds{$S}', legend: '{{pod}}' }],
      },
    ],
  },
];

function stat(title: string, description: string, expr: string): PanelFacts {
  return { title, description, type: 'stat', unit: 'short', width: 6, queries: [{ expr, legend: '' }] };
}
