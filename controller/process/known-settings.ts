import { editDistance } from '../../src/util/nearest';
import type { Environment } from '../settings';

/** Every variable that the controller reads (docs/controller.md), and those that the identity library reads on its own. */
export const KNOWN_SETTINGS: ReadonlySet<string> = new Set([
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  'AZURE_ADDITIONAL_TENANTS',
  'AZURE_ADDITIONALLY_ALLOWED_TENANTS',
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
  'POD_NAMESPACE',
  'PROTECT_CREDENTIALS',
  'AZURE_WORKLOAD_IDENTITY_AUTH_MODE',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_GRAPH_ENDPOINT',
  'DATABASE_USERS',
  'ARM_REQUEST_BUDGET',
  'DRIFT_DETECTION',
  'FULL_READ_PERIOD',
]);
/** Variables of other programs and libraries, and of ASO's chart: they are not reported. */
const FOREIGN = new Set([
  'AZURE_CLIENT_CERTIFICATE_PATH',
  'AZURE_CLIENT_SEND_CERTIFICATE_CHAIN',
  'AZURE_CONFIG_DIR',
  'AZURE_LOG_LEVEL',
  'AZURE_REGIONAL_AUTHORITY_NAME',
  'AZURE_TOKEN_CREDENTIALS',
  'AZURE_USERNAME',
  'AZURE_PASSWORD',
  'AZURE_POD_IDENTITY_AUTHORITY_HOST',
  'ENTRA_APP_ID',
  'AZURE_ENVIRONMENT',
  'AZURE_TRACING_DISABLED',
]);
/** A variable with such a prefix is meant for this controller. */
const OURS = /^(AZURE_|RATE_LIMIT_|MAX_CONCURRENT|DEFAULT_RECONCILE|ALLOW_MULTI|USE_WORKLOAD|PROTECT_CRED)/;
/** Edit distance of a typing mistake in names without such a prefix. */
const NEAR = 2;

export interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant. */
  readonly nearest?: string;
}

/** Variables that look like settings and are unknown: typing mistakes, which would otherwise have no effect. */
export function unknownSettings(environment: Environment): UnknownSetting[] {
  return Object.keys(environment).sort().flatMap((name) => {
    if (KNOWN_SETTINGS.has(name) || FOREIGN.has(name) || !environment[name]) return [];
    const [nearest, changes] = nearestOf(name);
    if (!OURS.test(name)) return changes <= NEAR && name.length > 8 ? [{ name, nearest }] : [];
    return [changes <= Math.max(NEAR, name.length / 4) ? { name, nearest } : { name }];
  });
}

function nearestOf(name: string): [name: string, changes: number] {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const distances = [...KNOWN_SETTINGS].map((known): [string, number] => [known, editDistance(plain(name), plain(known))]);
  return distances.reduce((best, next) => (next[1] < best[1] ? next : best));
}
