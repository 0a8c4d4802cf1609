import type { ControllerSettings } from './controller-settings';
import type { OperatorMode } from './operator-mode';

/**
 * All settings that the pods read from the Secret. Settings that this construct does not write may be added to the Secret by hand, as with
 * Azure Service Operator's chart.
 */
export const SETTING_NAMES = [
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  'AZURE_ADDITIONAL_TENANTS',
  'USE_WORKLOAD_IDENTITY_AUTH',
  'AZURE_AUTHORITY_HOST',
  'AZURE_RESOURCE_MANAGER_ENDPOINT',
  'AZURE_RESOURCE_MANAGER_AUDIENCE',
  'ALLOW_MULTI_ENV_MANAGEMENT',
  'AZURE_TARGET_NAMESPACES',
  'AZURE_OPERATOR_MODE',
  'AZURE_SYNC_PERIOD',
  'AZURE_USER_AGENT_SUFFIX',
  'MAX_CONCURRENT_RECONCILES',
  'RATE_LIMIT_MODE',
  'RATE_LIMIT_QPS',
  'RATE_LIMIT_BUCKET_SIZE',
  'DEFAULT_RECONCILE_POLICY',
  'AZURE_WORKLOAD_IDENTITY_AUTH_MODE',
  'PROTECT_CREDENTIALS',
  'DATABASE_USERS',
  'ARM_REQUEST_BUDGET',
  'DRIFT_DETECTION',
  'FULL_READ_PERIOD',
] as const;

/** The settings that a Secret of the user may contain instead. */
export const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  'AZURE_ADDITIONAL_TENANTS',
  'USE_WORKLOAD_IDENTITY_AUTH',
]);

/** The settings whose values are secret and must not be in a manifest. */
export const SECRET_NAMES: readonly string[] = ['AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE', 'AZURE_CLIENT_CERTIFICATE_PASSWORD'];

/** The content of the Secret `aso-controller-settings`. */
export function settingsData(settings: ControllerSettings, mode: OperatorMode): Record<string, string> {
  const { rateLimit, endpoints } = settings;
  const data: Record<string, string | undefined> = {
    // The pod template of Azure Service Operator's chart requires these three, even if empty.
    AZURE_SUBSCRIPTION_ID: '',
    AZURE_TENANT_ID: '',
    AZURE_CLIENT_ID: '',
    ...settings.credential?._parts.settings,
    AZURE_ADDITIONAL_TENANTS: listed(settings.additionalTenants),
    AZURE_AUTHORITY_HOST: endpoints?.authorityHost,
    AZURE_RESOURCE_MANAGER_ENDPOINT: endpoints?.resourceManagerEndpoint,
    AZURE_RESOURCE_MANAGER_AUDIENCE: endpoints?.resourceManagerAudience,
    ALLOW_MULTI_ENV_MANAGEMENT: text(settings.allowMultipleClouds),
    AZURE_TARGET_NAMESPACES: listed(settings.targetNamespaces),
    AZURE_OPERATOR_MODE: mode,
    AZURE_SYNC_PERIOD: settings.syncPeriod?.value,
    AZURE_USER_AGENT_SUFFIX: settings.userAgentSuffix,
    MAX_CONCURRENT_RECONCILES: text(settings.maxConcurrentReconciles),
    ...(rateLimit && {
      RATE_LIMIT_MODE: 'bucket',
      RATE_LIMIT_QPS: text(rateLimit.perSecond),
      RATE_LIMIT_BUCKET_SIZE: text(rateLimit.bucketSize),
    }),
    DEFAULT_RECONCILE_POLICY: settings.defaultReconcilePolicy,
    AZURE_WORKLOAD_IDENTITY_AUTH_MODE: settings.workloadIdentityMode,
    PROTECT_CREDENTIALS: text(settings.protectCredentials),
    DATABASE_USERS: enabled(settings.databaseUsers),
    ARM_REQUEST_BUDGET: enabled(settings.requestBudget),
    DRIFT_DETECTION: settings.driftDetection,
    FULL_READ_PERIOD: settings.fullReadPeriod && `${settings.fullReadPeriod.toMilliseconds() / 1000}s`,
  };
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function listed(values: readonly string[] | undefined): string | undefined {
  return values && values.length > 0 ? values.join(',') : undefined;
}

function text(value: number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function enabled(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'enabled' : 'disabled';
}
