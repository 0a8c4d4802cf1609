import { logReconcile, logReconcileError } from './log-lines';
import type { UnknownStateLog } from './unknown-state-log';
import type { WatchersOptions } from './watchers-options';
import { tokenIssuer } from '../../engine/credentials/token-issuer';
import type { ExternalKind, ExternalKinds } from '../../engine/kinds/external';
import type { Budget } from '../budget';
import type { CredentialPropagator } from '../credential-propagation';
import { databaseKinds } from '../databases';
import { DIRECTORY_KINDS } from '../directory';
import type { BatchDriftDetection } from '../drift-detection';
import { Access, type ForeignAccess } from '../reconcile/access';
import type { Cluster } from '../reconcile/cluster';
import { Controller, type ControllerOptions } from '../reconcile/controller';
import { clusterExporter } from '../reconcile/exporter';
import type { WorkShare } from '../reconcile/fence';
import { ForeignReads } from '../reconcile/foreign-reads';
import { ForeignResources } from '../reconcile/foreign-resources';
import { Reconciler } from '../reconcile/reconciler';
import type { ReconcilerOptions } from '../reconcile/reconciler-options';
import type { Settings } from '../settings';
import type { ForeignObjects } from '../shards/foreign-objects';

/** The parts that the reconciler works with. */
export interface ReconcilerParts extends Pick<ReconcilerOptions, 'credentials' | 'dependencies' | 'events' | 'guard' | 'fence'> {
  readonly cluster: Cluster;
  readonly budget: Budget | undefined;
  readonly driftDetection: BatchDriftDetection | undefined;
  readonly propagator: Pick<CredentialPropagator, 'check'>;
  readonly unknowns: Pick<UnknownStateLog, 'log'>;
  readonly share: WorkShare | undefined;
  /** The narrow watches of namespaces that other replicas look after. Undefined: there are none. */
  readonly foreign: ForeignObjects | undefined;
}

/** The reconciler. Drift detection, metrics, the log and credential propagation receive the result of each reconcile. */
export function createReconciler(options: WatchersOptions, parts: ReconcilerParts): Reconciler {
  const { settings, client, clock, logger, metrics, expressions, version } = options;
  const { cluster, guard, credentials, budget, dependencies, events, driftDetection, propagator, unknowns, fence, foreign } = parts;
  const reads = foreign && new ForeignReads(cluster, client, clock);
  return new Reconciler({
    cluster,
    client,
    guard,
    credentials,
    budget,
    externals: externalKinds(settings, options.mayWrite),
    dependencies,
    access: createAccess(options, cluster, foreign && reads && { identities: () => foreign.identities(), reads }),
    foreignResources: reads && new ForeignResources(reads),
    clock,
    exporter: clusterExporter(client, cluster, expressions, settings.podNamespace, {
      fence, identities: foreign && (() => foreign.identities()),
    }),
    fence,
    expressions,
    events,
    operatorNamespace: settings.podNamespace,
    controllerVersion: version,
    defaultPolicy: settings.defaultReconcilePolicy,
    syncPeriod: settings.syncPeriod,
    rateLimit: settings.rateLimit,
    delayScale: options.delayScale,
    onWarning: (message, { kind, namespace, name }) => logger.error({ kind, namespace, name }, message),
    onUnknown: (error, key) => unknowns.log(error, key),
    onReconcile: (report) => {
      driftDetection?.reconcileEnded(report);
      metrics.reconciled(report);
      logReconcile(logger, report);
      propagator.check(report.key);
      options.onReconcile?.(report);
    },
  });
}

/** The work queue, and what decides when an object of it is reconciled. */
export function createController(
  { settings, clock, logger, metrics }: WatchersOptions,
  { cluster, reconciler, budget, driftDetection, dependencies, share }:
  Pick<ControllerOptions, 'cluster' | 'reconciler' | 'dependencies' | 'share'> & Pick<ReconcilerParts, 'budget' | 'driftDetection'>,
): Controller {
  return new Controller({
    cluster,
    reconciler,
    gate: budget,
    driftDetection,
    dependencies,
    share,
    clock,
    concurrencyPerKind: settings.maxConcurrentReconciles,
    observer: metrics.queue,
    onError: (key, error, retryIn) => {
      metrics.reconcileError(key.group, key.kind, error);
      logReconcileError(logger, key, error, retryIn);
    },
  });
}

function createAccess({ settings, environment }: WatchersOptions, cluster: Cluster, foreign?: ForeignAccess): Access {
  return new Access({
    cluster,
    operatorNamespace: settings.podNamespace,
    defaultPolicy: settings.defaultReconcilePolicy,
    foreign,
    tokens: () => ({
      namespace: settings.podNamespace,
      issuer: tokenIssuer(environment),
      isStrict: settings.workloadIdentityMode === 'strict',
    }),
  });
}

/** Kinds that are not Azure Resource Manager's. */
function externalKinds({ databaseUsers }: Settings, mayWrite: () => boolean): ExternalKinds {
  const kinds: Readonly<Record<string, ExternalKind>> = { ...DIRECTORY_KINDS, ...(databaseUsers ? databaseKinds(mayWrite) : {}) };
  return (group, kind) => (Object.hasOwn(kinds, `${group}/${kind}`) ? kinds[`${group}/${kind}`] : undefined);
}
