import { AsoChartMode, AsoNodePool } from './chart-parts';
import type { AsoChartProps } from './chart-props';
import { memoryBytes } from './memory';
import { isRecord, omitUndefined } from '../../util/records';

const MODE_LABEL = 'kubernetes.azure.com/mode';
const CRITICAL = { key: 'CriticalAddonsOnly', operator: 'Exists' };
const MEBIBYTE = 1024 * 1024;

type Values = Record<string, unknown>;

/** The values of the chart: those that the props give, and what follows from them. All others have the chart's defaults. */
export function chartValues(props: AsoChartProps): Values {
  const own = omitUndefined({ ...settingValues(props), ...crdValues(props), ...podValues(props), ...serverValues(props) });
  return merged(own, props.values ?? {});
}

/** Values of the Secret with the operator's settings. The chart requires the three ids, empty if there is no credential. */
function settingValues(props: AsoChartProps): Values {
  const { credential, cloud, rateLimit, mode } = props;
  const isSplit = mode !== undefined && mode !== AsoChartMode.ALL;
  const secret = {
    azureTenantID: credential?.tenantId ?? '',
    azureSubscriptionID: credential?.subscriptionId ?? '',
    azureClientID: credential?.clientId ?? '',
    useWorkloadIdentityAuth: credential && props.podIdentityResourceId === undefined ? true : undefined,
  };
  return {
    ...(props.createSettingsSecret === false ? { createAzureOperatorSecret: false } : secret),
    azureAdditionalTenants: joined(props.additionalTenants),
    azureSyncPeriod: props.syncPeriod,
    azureUserAgentSuffix: props.userAgentSuffix,
    azureAuthorityHost: cloud?.authorityHost,
    azureResourceManagerEndpoint: cloud?.resourceManagerEndpoint,
    azureResourceManagerAudience: cloud?.resourceManagerAudience,
    azureTargetNamespaces: props.targetNamespaces,
    allowMultiEnvManagement: props.allowMultipleClouds,
    maxConcurrentReconciles: props.maxConcurrentReconciles,
    rateLimit: rateLimit && omitUndefined({ mode: 'bucket', qps: rateLimit.qps, bucketSize: rateLimit.bucketSize }),
    aadPodIdentity: props.podIdentityResourceId === undefined
      ? undefined
      : { enable: true, azureManagedIdentityResourceId: props.podIdentityResourceId },
    // Without multitenant the chart installs webhooks that pods in the mode `watchers` do not serve.
    ...(isSplit ? { azureOperatorMode: mode, multitenant: { enable: true } } : {}),
  };
}

function crdValues({ crdPattern, crdLabels, installCrds, mode }: AsoChartProps): Values {
  return {
    installCRDs: installCrds ?? (mode === AsoChartMode.WATCHERS ? false : undefined),
    crdPattern: crdPattern?._late,
    crdLabels: crdLabels && joined(Object.entries(crdLabels).map(([key, value]) => `${key}=${value}`)),
  };
}

function podValues(props: AsoChartProps): Values {
  const { nodePool = AsoNodePool.ANY, replicas, disruptionBudget, resources, serviceAccount, image, environment } = props;
  const tolerations = [...(props.tolerations ?? []), ...(nodePool === AsoNodePool.ANY ? [] : [CRITICAL])];
  const nodeSelector = { ...(nodePool === AsoNodePool.SYSTEM_REQUIRED ? { [MODE_LABEL]: 'system' } : {}), ...props.nodeSelector };
  const goMemoryLimit = props.goMemoryLimit ?? goLimit(resources?.memoryLimit);
  return {
    replicaCount: replicas,
    podDisruptionBudget: some({
      enabled: disruptionBudget?.enabled ?? (replicas === 1 ? false : undefined), minAvailable: disruptionBudget?.minAvailable,
    }),
    nodeSelector: some(nodeSelector),
    tolerations: tolerations.length > 0 ? tolerations : undefined,
    affinity: nodePool === AsoNodePool.SYSTEM_PREFERRED ? withSystemNodes(props.affinity) : props.affinity,
    priorityClassName: props.priorityClassName,
    resources: some({
      requests: some({ cpu: resources?.cpuRequest, memory: resources?.memoryRequest }),
      limits: some({ cpu: resources?.cpuLimit, memory: resources?.memoryLimit }),
    }),
    go: goMemoryLimit === undefined ? undefined : { memLimit: goMemoryLimit },
    revisionHistoryLimit: props.revisionHistoryLimit,
    serviceAccount: some({ ...serviceAccount }),
    image: image && some({
      repositoryBase: image.repositoryBase,
      tag: image.tag,
      repository: image.repository,
      pullSecrets: image.pullSecrets?.map((name) => ({ name })),
    }),
    securityContext: props.securityContext,
    podSecurityContext: props.podSecurityContext,
    podLabels: props.podLabels,
    podAnnotations: props.podAnnotations,
    deploymentAnnotations: props.deploymentAnnotations,
    extraEnv: environment && Object.entries(environment).map(([name, value]) => ({ name, value })),
  };
}

function serverValues({ webhook, metrics, jsonLogging, networkPolicies: network }: AsoChartProps): Values {
  return {
    webhook: some({ ...webhook }),
    metrics: some({ ...metrics }),
    useJSONLogging: jsonLogging,
    networkPolicies: network && some({
      enable: network.enable,
      kubernetesApiPort: network.kubernetesApiPort,
      kubernetesApiCIDR: network.kubernetesApiCidr,
      mysqlCIDR: network.mysqlCidr,
      postgresqlCIDR: network.postgresqlCidr,
      sqlCIDR: network.sqlCidr,
    }),
  };
}

/** Four fifths of the container's limit: the rest is for what Go does not count, and for the moment in which it collects. */
function goLimit(memoryLimit: string | undefined): string | undefined {
  const bytes = memoryLimit === undefined ? undefined : memoryBytes(memoryLimit);
  return bytes === undefined ? undefined : `${Math.floor((bytes * 0.8) / MEBIBYTE)}MiB`;
}

function withSystemNodes(affinity: Values = {}): Values {
  const nodes = isRecord(affinity.nodeAffinity) ? affinity.nodeAffinity : {};
  const preferred = nodes.preferredDuringSchedulingIgnoredDuringExecution;
  const system = { weight: 100, preference: { matchExpressions: [{ key: MODE_LABEL, operator: 'In', values: ['system'] }] } };
  const all = [...(Array.isArray(preferred) ? (preferred as unknown[]) : []), system];
  return { ...affinity, nodeAffinity: { ...nodes, preferredDuringSchedulingIgnoredDuringExecution: all } };
}

/** The record without absent values; undefined if nothing remains. */
function some(record: Values): Values | undefined {
  const present = omitUndefined(record);
  return Object.keys(present).length > 0 ? present : undefined;
}

function joined(texts: readonly string[] | undefined): string | undefined {
  return texts && texts.length > 0 ? texts.join(',') : undefined;
}

/** Merges records as Helm does: the second wins, lists are replaced. */
function merged(first: Values, second: Values): Values {
  const all = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = all[key];
    all[key] = isRecord(before) && isRecord(value) && isPlain(before) ? merged(before, value) : value;
  }
  return all;
}

/** A token is an object, too. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
