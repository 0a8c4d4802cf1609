import { AsoChartMode } from './chart-parts';
import type { AsoChartProps } from './chart-props';
import { cpuCores, memoryBytes } from './memory';
import { UUID } from '../../azure/uuid';
import { parseCidr } from '../../util/cidr';
import { omitUndefined } from '../../util/records';
import type { PropChecks } from '../prop-checks';

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)([-+].+)?$/;
const PERIOD = /^([0-9]+(\.[0-9]+)?(s|m|h))+$/;
/** The newest release whose chart does not have `crdLabels`. */
const WITHOUT_LABELS = [2, 20, 0];
/** Variables that the chart sets. A container may have each name once, which server-side apply insists on. */
const OWN_VARIABLES = [
  'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_TENANT_ID', 'AZURE_ADDITIONAL_TENANTS', 'AZURE_SUBSCRIPTION_ID',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS', 'AZURE_CLIENT_CERTIFICATE', 'AZURE_CLIENT_CERTIFICATE_PASSWORD', 'AZURE_AUTHORITY_HOST',
  'AZURE_RESOURCE_MANAGER_ENDPOINT', 'AZURE_RESOURCE_MANAGER_AUDIENCE', 'AZURE_TARGET_NAMESPACES', 'AZURE_OPERATOR_MODE',
  'AZURE_SYNC_PERIOD', 'USE_WORKLOAD_IDENTITY_AUTH', 'AZURE_USER_AGENT_SUFFIX', 'MAX_CONCURRENT_RECONCILES', 'RATE_LIMIT_MODE',
  'RATE_LIMIT_QPS', 'RATE_LIMIT_BUCKET_SIZE', 'DEFAULT_RECONCILE_POLICY', 'ALLOW_MULTI_ENV_MANAGEMENT', 'POD_NAMESPACE', 'GOMEMLIMIT',
];
const OWN_LABELS = ['app.kubernetes.io/name', 'app.kubernetes.io/version', 'control-plane', 'aadpodidbinding'];
/** Props that are keys of the Secret that the chart writes. */
const SETTINGS = [
  'credential', 'additionalTenants', 'syncPeriod', 'userAgentSuffix', 'cloud', 'allowMultipleClouds', 'targetNamespaces',
  'maxConcurrentReconciles', 'rateLimit',
] as const;

/** Adds the problems of the chart's values, above all of combinations that the chart takes and the operator, or a cluster, does not. */
export function checkChart(checks: PropChecks, props: AsoChartProps): void {
  checkVersion(checks, props);
  checkSettings(checks, props);
  checkMode(checks, props);
  checkCrds(checks, props);
  checkPods(checks, props);
  checkServers(checks, props);
}

function checkVersion(checks: PropChecks, { version, crdLabels }: AsoChartProps): void {
  checks.require('version', version, 'Give the version of the chart, e.g. 2.13.0: the newest one may have other CRDs tomorrow.');
  if (!version) return;
  const parts = VERSION.exec(version);
  if (!parts) {checks.add('version', `'${version}' is no version. Give one, e.g. 2.13.0.`);} else if (crdLabels && !isNewer(parts.slice(1, 4).map(Number), WITHOUT_LABELS)) {
    checks.add('crdLabels', `needs a chart newer than ${WITHOUT_LABELS.join('.')}, and ${version} would ignore them. Leave them out.`);
  }
}

function isNewer(version: readonly number[], other: readonly number[]): boolean {
  const differing = version.findIndex((part, index) => part !== other[index]);
  return differing >= 0 && version[differing]! > other[differing]!;
}

function checkSettings(checks: PropChecks, props: AsoChartProps): void {
  for (const [field, value] of Object.entries(omitUndefined({ ...props.credential }))) {
    if (!UUID.test(value as string)) checks.add(`credential.${field}`, `'${value as string}' is no UUID. Give the id as Azure shows it.`);
  }
  props.additionalTenants?.filter((tenant) => !UUID.test(tenant)).forEach((tenant) => {
    checks.add('additionalTenants', `'${tenant}' is no UUID. Give the id as Azure shows it.`);
  });
  const { syncPeriod, cloud, rateLimit, maxConcurrentReconciles } = props;
  if (syncPeriod !== undefined && syncPeriod !== 'never' && !PERIOD.test(syncPeriod)) {
    checks.add('syncPeriod', `'${syncPeriod}' is no period. Write numbers with the units s, m and h, e.g. 15m or 1h30m, or never.`);
  }
  for (const [field, url] of Object.entries(omitUndefined({ ...cloud }))) {
    if (!/^https:\/\/[^\s/]+/.test(url as string)) checks.add(`cloud.${field}`, `'${url as string}' is no URL. Write it like https://login.microsoftonline.us/.`);
  }
  atLeast(checks, 'maxConcurrentReconciles', maxConcurrentReconciles, 1);
  atLeast(checks, 'rateLimit.bucketSize', rateLimit?.bucketSize, 1);
  if (rateLimit?.qps !== undefined && !(rateLimit.qps > 0)) checks.add('rateLimit.qps', `${rateLimit.qps} is no rate. Give a number above 0.`);
  if (props.createSettingsSecret === false) {
    SETTINGS.filter((field) => props[field] !== undefined).forEach((field) => {
      checks.add(field, 'is written to the Secret aso-controller-settings, which createSettingsSecret: false leaves to you. Put it there.');
    });
  }
}

function checkMode(checks: PropChecks, { mode, targetNamespaces, credential, installCrds }: AsoChartProps): void {
  targetNamespaces?.forEach((namespace, index) => checks.namespace(`targetNamespaces[${index}]`, namespace));
  if (targetNamespaces?.length === 0) checks.add('targetNamespaces', 'is empty, which means all namespaces. Name some, or leave it out.');
  if (mode === AsoChartMode.WEBHOOKS) {
    if (targetNamespaces) checks.add('targetNamespaces', 'is for pods that reconcile; with AsoChartMode.WEBHOOKS the operator ends. Leave it out.');
    if (credential) checks.add('credential', 'is not used by AsoChartMode.WEBHOOKS, which sends nothing to Azure. Leave it out.');
  }
  if (mode === AsoChartMode.WATCHERS) {
    if (!targetNamespaces) {
      checks.add('targetNamespaces', 'required with AsoChartMode.WATCHERS: without them this tenant reconciles the objects of all others, too.');
    }
    if (installCrds) checks.add('installCrds', 'is the work of the installation with AsoChartMode.WEBHOOKS. Leave it out.');
  }
}

function checkCrds(checks: PropChecks, { crdPattern, installCrds, mode, values }: AsoChartProps): void {
  if (crdPattern === undefined && installCrds !== false && mode !== AsoChartMode.WATCHERS) {
    checks.require('crdPattern', crdPattern, 'Give CrdPattern.fromGroups([…]) or CrdPattern.kindsIn(app).');
  }
  const written = values?.crdPattern as unknown;
  const patterns = Array.isArray(written) ? written : typeof written === 'string' ? written.split(';') : [];
  if (patterns.some((pattern) => /^\*[^/]*(\/|$)/.test(String(pattern).trim()))) {
    checks.add('values.crdPattern', `'${String(written)}' is for all kinds, and each takes 13 MB of the API server's memory. Name groups, or give crdPattern: CrdPattern.kindsIn(app).`);
  }
}

function checkPods(checks: PropChecks, props: AsoChartProps): void {
  const { replicas, disruptionBudget, serviceAccount, image, environment = {}, podLabels = {}, resources = {} } = props;
  atLeast(checks, 'replicas', replicas, 1);
  atLeast(checks, 'revisionHistoryLimit', props.revisionHistoryLimit, 0);
  if (replicas === 1 && disruptionBudget?.enabled) {
    checks.add('disruptionBudget.enabled', 'with one replica keeps nodes from being drained. Leave it out, or give two replicas.');
  }
  const { minAvailable } = disruptionBudget ?? {};
  if (minAvailable !== undefined && !/^\d+%?$/.test(minAvailable)) checks.add('disruptionBudget.minAvailable', `'${minAvailable}' is no number. Write 1 or 50%.`);
  if (serviceAccount?.create === false && !serviceAccount.name) {
    checks.add('serviceAccount.name', 'required, because the chart creates none. Give the name of yours.');
  }
  checks.name('serviceAccount.name', serviceAccount?.name);
  if (image?.repository !== undefined && (image.repositoryBase !== undefined || image.tag !== undefined)) {
    checks.add('image.repository', 'is the whole image, and is given together with repositoryBase or tag. Give one or the other.');
  }
  Object.keys(environment).filter((name) => OWN_VARIABLES.includes(name)).forEach((name) => {
    checks.add(`environment.${name}`, 'is set by the chart, and a container has a variable once. Write it into the Secret aso-controller-settings, with createSettingsSecret: false, if no prop has it.');
  });
  Object.keys(podLabels).filter((key) => OWN_LABELS.includes(key)).forEach((key) => {
    checks.add(`podLabels.${key}`, 'is a label of the chart, by which the Deployment finds its pods. Leave it out.');
  });
  checkQuantities(checks, 'cpu', cpuCores, [resources.cpuRequest, '200m'], [resources.cpuLimit, '500m']);
  checkQuantities(checks, 'memory', memoryBytes, [resources.memoryRequest, '256Mi'], [resources.memoryLimit, '512Mi']);
  if (props.goMemoryLimit !== undefined && !/^\d+(B|KiB|MiB|GiB)$/.test(props.goMemoryLimit)) {
    checks.add('goMemoryLimit', `'${props.goMemoryLimit}' is no size of Go. Write it like 400MiB.`);
  }
}

type Given = readonly [given: string | undefined, byDefault: string];

function checkQuantities(
  checks: PropChecks, name: string, parse: (text: string) => number | undefined, request: Given, limit: Given,
): void {
  const [reserved, most] = [request, limit].map(([given, byDefault], index) => {
    const field = `resources.${name}${index === 0 ? 'Request' : 'Limit'}`;
    const parsed = parse(given ?? byDefault);
    if (parsed === undefined) checks.add(field, `'${given}' is no quantity. Write it like ${byDefault}.`);
    return parsed;
  });
  if (reserved !== undefined && most !== undefined && reserved > most) {
    checks.add(`resources.${name}Limit`, `${limit[0] ?? limit[1]} is below the ${request[0] ?? request[1]} that are reserved. Give resources.${name}Request, too.`);
  }
}

function checkServers(checks: PropChecks, { webhook, metrics, networkPolicies: network = {} }: AsoChartProps): void {
  if (metrics?.profiling && metrics.secure === false) {
    checks.add('metrics.profiling', 'needs metrics.secure: profiles have what the process has in its memory. Leave one of them out.');
  }
  const ports: [string, number | undefined][] = [
    ['webhook.port', webhook?.port], ['metrics.port', metrics?.port], ['networkPolicies.kubernetesApiPort', network.kubernetesApiPort],
  ];
  for (const [field, port] of ports) {
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) checks.add(field, `${port} is no port. Give 1 to 65535.`);
  }
  if (webhook?.port !== undefined && webhook.port === (metrics?.port ?? 8443)) checks.add('webhook.port', `${webhook.port} is the port of metrics, too. Give another one.`);
  for (const field of ['kubernetesApiCidr', 'mysqlCidr', 'postgresqlCidr', 'sqlCidr'] as const) {
    const range = network[field];
    if (range !== undefined && !parseCidr(range)) checks.add(`networkPolicies.${field}`, `'${range}' is no range. Write it like 10.0.0.0/16.`);
  }
}

function atLeast(checks: PropChecks, field: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  checks.add(field, `${value} is too small, or no whole number. Give ${least} or more.`);
}
