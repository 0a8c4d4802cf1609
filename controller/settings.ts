import { parseDuration } from '../engine/duration';
import { isReconcilePolicy, RECONCILE_POLICIES, type ReconcilePolicy } from '../engine/objects/reconcile-policy';

/** A setting that cannot be used. Names the variable, what it holds and what to write; ends the process with status 1. */
export class SettingsError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type OperatorMode = 'watchers' | 'webhooks' | 'watchers-and-webhooks';

/** The settings besides credentials (see `engine/credentials`). */
export interface Settings {
  /** Namespace of the controller, recorded on its objects. */
  readonly podNamespace: string;
  /** Empty: all namespaces. */
  readonly targetNamespaces: readonly string[];
  readonly operatorMode: OperatorMode;
  /** Milliseconds; undefined is `never`. */
  readonly syncPeriod?: number;
  readonly userAgentSuffix?: string;
  /** Reconciles at a time of one kind. Undefined: the controller chooses the number. */
  readonly maxConcurrentReconciles?: number;
  /** Undefined: disabled. */
  readonly rateLimit?: { readonly qps: number; readonly bucketSize: number };
  readonly defaultReconcilePolicy: ReconcilePolicy;
  /** `strict`: namespace and object credentials with workload identity use the namespace's own service account, not the controller's. */
  readonly workloadIdentityMode: 'relaxed' | 'strict';
  /** Whether credential Secrets are kept until the last object that uses them is gone. */
  readonly protectCredentials: boolean;
  /** `batch`: a sync asks for many resources at once, and reads one by itself only where something has changed. */
  readonly driftDetection: 'batch' | 'individual';
  /** Milliseconds: each resource is read by itself at least this often. */
  readonly fullReadPeriod: number;
  /** Whether requests wait on our side for Azure's limits. */
  readonly requestBudget: boolean;
  /** Whether users inside database servers are reconciled: only then does this process connect to databases. */
  readonly databaseUsers: boolean;
}

/** Default namespace of a controller outside of a cluster. */
export const DEFAULT_NAMESPACE = 'azureserviceoperator-system';

/** Reads the settings (an empty value equals an absent one). Throws SettingsError. */
export function readSettings(environment: Environment): Settings {
  const operatorMode = operatorModeOf(environment);
  const targetNamespaces = listOf(environment, 'AZURE_TARGET_NAMESPACES');
  if (targetNamespaces.length > 0 && operatorMode === 'webhooks') {
    throw new SettingsError('AZURE_TARGET_NAMESPACES must include watchers to specify target namespaces: set AZURE_OPERATOR_MODE to watchers or watchers-and-webhooks, or remove AZURE_TARGET_NAMESPACES');
  }
  const rateLimit = rateLimitOf(environment);
  const userAgentSuffix = text(environment, 'AZURE_USER_AGENT_SUFFIX');
  const syncPeriod = syncPeriodOf(environment);
  const workers = workersOf(environment);
  return {
    podNamespace: podNamespaceOf(environment),
    targetNamespaces,
    operatorMode,
    ...(syncPeriod === undefined ? {} : { syncPeriod }),
    ...(userAgentSuffix ? { userAgentSuffix } : {}),
    ...(workers === undefined ? {} : { maxConcurrentReconciles: workers }),
    ...(rateLimit ? { rateLimit } : {}),
    defaultReconcilePolicy: policyOf(environment),
    workloadIdentityMode: workloadIdentityModeOf(environment),
    protectCredentials: protectCredentialsOf(environment),
    driftDetection: driftDetectionOf(environment),
    fullReadPeriod: fullReadPeriodOf(environment),
    requestBudget: isEnabled(environment, 'ARM_REQUEST_BUDGET'),
    databaseUsers: isEnabled(environment, 'DATABASE_USERS'),
  };
}

function text(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

function listOf(environment: Environment, name: string): string[] {
  return [...new Set((environment[name] ?? '').split(',').map((part) => part.trim()).filter(Boolean))];
}

/** A pod without its namespace is misconfigured; a local process has none. */
function podNamespaceOf(environment: Environment): string {
  const namespace = text(environment, 'POD_NAMESPACE');
  if (namespace) return namespace;
  if (text(environment, 'KUBERNETES_SERVICE_HOST')) {
    throw new SettingsError('missing value for POD_NAMESPACE: set it in the pod template with a field reference to metadata.namespace');
  }
  return DEFAULT_NAMESPACE;
}

function operatorModeOf(environment: Environment): OperatorMode {
  const mode = text(environment, 'AZURE_OPERATOR_MODE')?.toLowerCase();
  if (mode === undefined) return 'watchers-and-webhooks';
  if (mode === 'watchers' || mode === 'webhooks' || mode === 'watchers-and-webhooks') return mode;
  throw new SettingsError(
    `AZURE_OPERATOR_MODE is "${environment.AZURE_OPERATOR_MODE}": set it to watchers, webhooks or watchers-and-webhooks`,
  );
}

function syncPeriodOf(environment: Environment): number | undefined {
  const value = text(environment, 'AZURE_SYNC_PERIOD') ?? '1h';
  if (value.toLowerCase() === 'never') return undefined;
  const period = parseDuration(value);
  if (period === undefined || period <= 0) {
    throw new SettingsError(`AZURE_SYNC_PERIOD is "${value}": set it to a duration such as 15m or 1h30m, or to never`);
  }
  return period;
}

function workersOf(environment: Environment): number | undefined {
  const value = text(environment, 'MAX_CONCURRENT_RECONCILES');
  if (value === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw new SettingsError(`MAX_CONCURRENT_RECONCILES is "${value}": set it to a whole number, e.g. 4`);
  if (Number(value) < 1) throw new SettingsError(`MAX_CONCURRENT_RECONCILES must be at least 1, but is ${value}`);
  return Number(value);
}

function rateLimitOf(environment: Environment): Settings['rateLimit'] {
  const mode = text(environment, 'RATE_LIMIT_MODE')?.toLowerCase() ?? 'disabled';
  if (mode !== 'disabled' && mode !== 'bucket') {
    throw new SettingsError(`invalid rate limit mode "${mode}": set RATE_LIMIT_MODE to disabled or bucket`);
  }
  const qps = numberOf(environment, 'RATE_LIMIT_QPS', 5, /^\d*\.?\d+$/, 'a number of reconciles a second, e.g. 5');
  const bucketSize = numberOf(environment, 'RATE_LIMIT_BUCKET_SIZE', 100, /^\d+$/, 'a whole number, e.g. 100');
  return mode === 'bucket' ? { qps, bucketSize } : undefined;
}

function numberOf(environment: Environment, name: string, byDefault: number, form: RegExp, wanted: string): number {
  const value = text(environment, name);
  if (value === undefined) return byDefault;
  if (!form.test(value) || !(Number(value) > 0)) throw new SettingsError(`${name} is "${value}": set it to ${wanted}`);
  return Number(value);
}

function policyOf(environment: Environment): ReconcilePolicy {
  const value = text(environment, 'DEFAULT_RECONCILE_POLICY') ?? 'manage';
  if (isReconcilePolicy(value)) return value;
  throw new SettingsError(`DEFAULT_RECONCILE_POLICY must be set to any of (${RECONCILE_POLICIES.join(', ')}), but is "${value}"`);
}

/** An invalid value must not lead to the mode with more permissions. */
function workloadIdentityModeOf(environment: Environment): Settings['workloadIdentityMode'] {
  const mode = text(environment, 'AZURE_WORKLOAD_IDENTITY_AUTH_MODE')?.toLowerCase() ?? 'relaxed';
  if (mode === 'relaxed' || mode === 'strict') return mode;
  throw new SettingsError(`AZURE_WORKLOAD_IDENTITY_AUTH_MODE is "${environment.AZURE_WORKLOAD_IDENTITY_AUTH_MODE}": set it to strict or relaxed, or remove it (then it is relaxed)`);
}

function protectCredentialsOf(environment: Environment): boolean {
  const value = text(environment, 'PROTECT_CREDENTIALS')?.toLowerCase();
  if (value === undefined || value === 'true') return true;
  if (value === 'false') return false;
  throw new SettingsError(`PROTECT_CREDENTIALS is "${value}": set it to true or false, or remove it (then it is true)`);
}

function driftDetectionOf(environment: Environment): Settings['driftDetection'] {
  const value = text(environment, 'DRIFT_DETECTION')?.toLowerCase() ?? 'batch';
  if (value === 'batch' || value === 'individual') return value;
  throw new SettingsError(
    `DRIFT_DETECTION is "${environment.DRIFT_DETECTION}": set it to batch or individual, or remove it (then it is batch)`,
  );
}

function fullReadPeriodOf(environment: Environment): number {
  const value = text(environment, 'FULL_READ_PERIOD') ?? '24h';
  const period = parseDuration(value);
  if (period === undefined || period <= 0) throw new SettingsError(`FULL_READ_PERIOD is "${value}": set it to a duration such as 12h; to read every resource in each sync, set DRIFT_DETECTION to individual`);
  return period;
}

function isEnabled(environment: Environment, name: string): boolean {
  const value = text(environment, name)?.toLowerCase();
  if (value === undefined || value === 'enabled') return true;
  if (value === 'disabled') return false;
  throw new SettingsError(`${name} is "${value}": set it to enabled or disabled, or remove it (then it is enabled)`);
}
