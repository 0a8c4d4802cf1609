import { unknownSettings } from './known-settings';
import { objectFields, loggedAzureName } from './object-fields';
import { KubernetesError } from '../../engine/kubernetes';
import type { Logger } from '../../runtime/log/log';
import { propagationTargetText } from '../../src/azure/credential-propagation';
import type { ObjectId } from '../../src/object-id';
import type { BlockEvent } from '../budget';
import type { PropagationReport } from '../credential-propagation';
import type { Source } from '../drift-detection/observed-state';
import { controllerName } from '../reconcile/object-key';
import type { ReconcileReport } from '../reconcile/reconciler-options';
import type { Environment, Settings } from '../settings';

/** Settings whose value only the identity library may see; the log says whether they are set. */
const SECRET = ['AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE', 'AZURE_CLIENT_CERTIFICATE_PASSWORD'] as const;
const LOGGED_VARIABLES = [
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_ADDITIONAL_TENANTS',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  'USE_WORKLOAD_IDENTITY_AUTH',
  'AZURE_AUTHORITY_HOST',
  'AZURE_RESOURCE_MANAGER_ENDPOINT',
  'AZURE_RESOURCE_MANAGER_AUDIENCE',
  'ALLOW_MULTI_ENV_MANAGEMENT',
] as const;

/** The effective configuration, on one line, without secrets; and a line for each variable that is probably a typing mistake. */
export function logSettings(logger: Logger, settings: Settings, environment: Environment): void {
  const variables = Object.fromEntries(LOGGED_VARIABLES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const secret = Object.fromEntries(SECRET.flatMap((name) => (environment[name] ? [[`has_${name}`, true]] : [])));
  const syncPeriod = settings.syncPeriod === undefined ? 'never' : `${settings.syncPeriod / 1000}s`;
  const fullReadPeriod = `${settings.fullReadPeriod / 1000}s`;
  logger.info({ ...settings, syncPeriod, fullReadPeriod, rateLimit: settings.rateLimit ?? 'disabled', ...variables, ...secret }, 'settings');
  for (const { name, nearest } of unknownSettings(environment)) {
    logger.warn(`${name} is no setting of this controller and has no effect${nearest ? `; ${nearest} may be meant` : ''}`);
  }
}

/** A line a reconcile, and at level 3 one more with the object as the reconcile has left it. */
export function logReconcile(logger: Logger, { key, actions, result, nextIn, object }: ReconcileReport): void {
  const azureName = loggedAzureName(object);
  const fields = {
    ...keyFields(key),
    ...(azureName === undefined ? {} : { azureName }),
    actions: actions.join(','),
    ...(nextIn === undefined ? {} : { nextInSeconds: Math.round(nextIn / 100) / 10 }),
  };
  if (result.kind === 'failure') {
    const { reason, message, severity } = result.failure;
    logger[severity === 'Error' ? 'error' : 'warn']({ ...fields, reason, message }, 'Reconciler error');
  } else {
    logger.info({ ...fields, result: result.kind }, 'reconciled');
  }
  if (!logger.isLevelEnabled('debug')) return;
  const details = result.kind === 'failure' && result.failure.details ? { details: result.failure.details } : {};
  logger.debug({ ...keyFields(key), ...(azureName === undefined ? {} : { azureName }), ...objectFields(object), ...details }, 'object');
}

export function logReconcileError(logger: Logger, key: ObjectId, error: unknown, retryInMilliseconds: number): void {
  const what = error instanceof KubernetesError ? { message: error.message } : { err: error };
  logger.warn({ ...keyFields(key), ...what, retryInSeconds: retryInMilliseconds / 1000 }, 'a reconcile ended without a result');
}

/** Logs a changed state of a target of an identity. */
export function logPropagation(logger: Logger, { identity, target, state, message }: PropagationReport): void {
  logger[state === 'refused' ? 'warn' : 'info'](
    { ...identity, ...(target ? { target: propagationTargetText(target) } : {}), propagation: state, message },
    'credential propagation',
  );
}

export function logPropagationError(
  logger: Logger,
  identity: PropagationReport['identity'],
  error: unknown,
  retryInMilliseconds: number,
): void {
  const what = error instanceof KubernetesError ? { message: error.message } : { err: error };
  // A refusal by the API server's permissions or rules was reported already; it is not logged as a warning with every retry.
  const level =
    error instanceof KubernetesError && (error.status === 403 || error.status === 409 || error.status === 422) ? 'debug' : 'warn';
  logger[level](
    { ...identity, ...what, retryInSeconds: Math.round(retryInMilliseconds / 100) / 10 },
    'a credential could not be propagated; it is tried again',
  );
}

/** A line when Azure begins to refuse all requests of a kind, and one when it takes them again. */
export function logBlock(logger: Logger, { event, of, type, scope, principal, operation, code, seconds }: BlockEvent): void {
  const fields = {
    [scope.level]: scope.id,
    ...(of === 'scope' ? {} : { principal }),
    operation,
    ...(type === undefined ? {} : { type }),
    code,
  };
  if (event === 'ends') return logger.info(fields, 'Azure takes requests again');
  const whose = { scope: 'all principals', principal: 'this principal', type: 'this type' }[of];
  const what = `Azure refuses ${operation} of ${whose} for now; they wait, and one goes ahead when the time is over`;
  logger.warn({ ...fields, seconds: Math.round(seconds * 10) / 10 }, what);
}

/** Logs that the resources of a group are read one by one for a while, and why. */
export function logDriftDetectionFailure(logger: Logger, source: Source, subscriptionId: string, error: unknown, stays: boolean): void {
  const what = source.of === 'table' ? { table: source.table } : { list: source.url };
  const fields = { ...what, subscriptionId, message: (error as Error).message };
  if (!stays) {
    logger.debug(fields, 'many resources could not be asked for at once this time; they are read one by one');
  } else {
    // A list that the provider does not offer is no problem; every cloud of Azure offers Resource Graph.
    logger[source.of === 'table' ? 'warn' : 'debug'](
      fields,
      'many resources cannot be asked for at once; they are read one by one, and it is tried again in an hour',
    );
  }
}

function keyFields({ group, kind, namespace, name }: ObjectId) {
  return { logger: controllerName(group, kind), namespace, name };
}
