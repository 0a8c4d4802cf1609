import { hostname } from 'node:os';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { startDriftDetection } from './drift-detection';
import { logBlock, logPropagation, logPropagationError, logReconcile, logReconcileError, logTelemetry } from './log-lines';
import { UnknownStateLog } from './unknown-state-log';
import { createArmClient } from '../../engine/arm/arm-client';
import type { Clock } from '../../engine/clock';
import { allowsCredentialExport, CredentialResolver, NamespaceTokens } from '../../engine/credentials';
import { CertificateStore } from '../../engine/credentials/certificate-store';
import type { LoadIdentity } from '../../engine/credentials/token-credential';
import { tokenIssuer } from '../../engine/credentials/token-issuer';
import type { ObjectExpressions } from '../../engine/export';
import { InformerSet, type ReflectorTiming } from '../../engine/informers';
import type { ExternalKind, ExternalKinds } from '../../engine/kinds/external';
import { catalogKinds, CORE_KINDS, type RestClient } from '../../engine/kubernetes';
import type { JobRunner } from '../../engine/workers/worker-pool';
import { requiresCredential } from '../../src/azure/credential-required';
import type { Catalog } from '../../src/catalog';
import { textBefore } from '../../src/util/text-before';
import { Budget } from '../budget';
import { matchingKinds } from '../crds/patterns';
import { CredentialPropagator, ServiceAccounts } from '../credential-propagation';
import { databaseKinds } from '../databases';
import { DIRECTORY_KINDS, DirectoryLimits } from '../directory';
import type { BatchDriftDetection } from '../drift-detection';
import type { Logger } from '../log';
import type { Metrics } from '../metrics';
import { Access } from '../reconcile/access';
import { Cluster } from '../reconcile/cluster';
import { Controller, RECONCILES_PER_KIND } from '../reconcile/controller';
import { CredentialGuard } from '../reconcile/credential-guard';
import { Dependencies } from '../reconcile/dependencies';
import { EventRecorder } from '../reconcile/event-recorder';
import { clusterExporter } from '../reconcile/exporter';
import { Reconciler } from '../reconcile/reconciler';
import type { ReconcileReport } from '../reconcile/reconciler-options';
import type { Environment, Settings } from '../settings';
import { BudgetMetrics } from '../telemetry/budget-metrics';
import { propagationGauge } from '../telemetry/propagation-gauge';
import { resourceGauge } from '../telemetry/resource-gauge';

export interface WatchersOptions {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly client: RestClient;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where certificates of Secrets are read. Default: in this thread. */
  readonly jobs?: JobRunner;
  /** Where expressions are compiled and evaluated. Default: in this thread. */
  readonly expressions?: ObjectExpressions;
  readonly version: string;
  readonly httpClient?: HttpClient;
  readonly delayScale?: number;
  /** For simulations: of Azure's request limits alone. Default: `delayScale`. */
  readonly limitScale?: number;
  /** For simulations: of the informers. */
  readonly timing?: Partial<ReflectorTiming>;
  /** For simulations: in the place of the identity library. */
  readonly loadIdentity?: LoadIdentity;
  /** As a CRD pattern; empty: all. */
  readonly kinds?: string;
  readonly onReconcile?: (report: ReconcileReport) => void;
  /** Whether this process may change anything in Azure now. */
  readonly mayWrite: () => boolean;
}

/** Incomplete lists that a message names. */
const MOST_PROBLEMS = 10;

/** The reconciling half of the program: informers, credentials, reconciles. */
export class Watchers {
  public readonly informers: InformerSet;
  public readonly hasGlobalCredential: boolean;
  private readonly controller: Controller;
  private readonly budget: Budget | undefined;
  private readonly guard: CredentialGuard | undefined;
  private readonly propagator: CredentialPropagator;
  private readonly serviceAccounts: ServiceAccounts;
  private readonly driftDetection: BatchDriftDetection | undefined;

  /** @throws CredentialError, SettingsError */
  public constructor(options: WatchersOptions) {
    const { settings, environment, catalog, clock, logger, metrics, version } = options;
    // A process that is no longer the leader changes nothing in Kubernetes either: no condition, no event, no credential.
    const client = options.client.withMayWrite(options.mayWrite);
    const kinds = options.kinds ? matchingKinds(options.kinds, catalog.allKinds, '--kinds') : catalog.allKinds;
    const informers = new InformerSet(client, [...CORE_KINDS, ...catalogKinds(kinds)], {
      clock, timing: options.timing, namespaces: settings.targetNamespaces, onTelemetry: (event) => logTelemetry(logger, event),
    });
    this.informers = informers;
    const cluster = new Cluster({ whyNotWatched: (group, kind) => informers.whyNotWatched(group, kind) });
    const dependencies = new Dependencies();
    const directoryLimits = new DirectoryLimits(clock);
    const credentials = new CredentialResolver({
      environment,
      loadIdentity: options.loadIdentity,
      limitGraph: (graph, principal) => directoryLimits.clientFor(graph, principal),
      secret: (namespace, name) => cluster.find({ group: '', kind: 'Secret', namespace, name }),
      requiresCredential: (name) =>
        requiresCredential(cluster.find({ group: '', kind: 'Namespace', namespace: '', name })?.metadata.annotations),
      allowsExported: (namespace, name) =>
        allowsCredentialExport(cluster.find({ group: '', kind: 'Namespace', namespace: '', name: namespace }), name),
      certificates: options.jobs && new CertificateStore(options.jobs),
      namespaceTokens: settings.workloadIdentityMode === 'strict' ? new NamespaceTokens(client, clock) : undefined,
      createClient: (parts) => createArmClient({
        ...parts,
        version,
        userAgentSuffix: settings.userAgentSuffix,
        httpClient: options.httpClient,
        onRequest: (request) => metrics.armRequest(request),
        // The budget registers providers, so that these requests count.
        registerProviders: !settings.requestBudget,
        mayStillSend: options.mayWrite,
      }),
    });
    this.hasGlobalCredential = credentials.global !== undefined;
    const budget = settings.requestBudget
      ? new Budget({
        clock,
        timeScale: options.limitScale ?? options.delayScale,
        onBlock: (event) => logBlock(logger, event),
        onRequest: (request) => budgetMetrics.request(request),
      })
      : undefined;
    const budgetMetrics = new BudgetMetrics(metrics.registry, () => budget?.states ?? []);
    const events = new EventRecorder(client, clock, hostname(), (error) => logger.debug({ err: error }, 'an event was not written'));
    const serviceAccounts = new ServiceAccounts({
      api: client, clock, namespaces: settings.targetNamespaces, onTelemetry: (event) => logTelemetry(logger, event),
    });
    const propagator = new CredentialPropagator({
      cluster,
      client,
      clock,
      events,
      serviceAccounts,
      operatorNamespace: settings.podNamespace,
      targetNamespaces: settings.targetNamespaces,
      onReport: (report) => logPropagation(logger, report),
      onError: (identity, error, retryIn) => logPropagationError(logger, identity, error, retryIn),
    });
    const driftDetection = startDriftDetection(options, cluster, credentials, budget && ((credential) => (
      budget.clientFor(credential, { namespace: textBefore(credential.source, '/'), priority: 'resync', purpose: 'drift-detection' })
    )));
    const guard = settings.protectCredentials
      ? new CredentialGuard({
        cluster,
        client,
        clock,
        operatorNamespace: settings.podNamespace,
        onError: ({ namespace, name }, error) =>
          logger.warn({ namespace, name, err: error }, 'a credential Secret could not be protected from deletion'),
      })
      : undefined;
    const unknowns = new UnknownStateLog(logger);
    const reconciler = new Reconciler({
      cluster,
      client,
      guard,
      credentials,
      budget,
      externals: externalKinds(settings, options.mayWrite),
      dependencies,
      access: new Access({
        cluster,
        operatorNamespace: settings.podNamespace,
        defaultPolicy: settings.defaultReconcilePolicy,
        tokens: () => ({
          namespace: settings.podNamespace,
          issuer: tokenIssuer(environment),
          isStrict: settings.workloadIdentityMode === 'strict',
        }),
      }),
      clock,
      exporter: clusterExporter(client, cluster, options.expressions, settings.podNamespace),
      expressions: options.expressions,
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
    const controller = new Controller({
      cluster,
      reconciler,
      gate: budget,
      driftDetection,
      dependencies,
      clock,
      concurrencyPerKind: settings.maxConcurrentReconciles,
      observer: metrics.queue,
      onError: (key, error, retryIn) => {
        metrics.reconcileError(key.group, key.kind, error);
        logReconcileError(logger, key, error, retryIn);
      },
    });
    this.controller = controller;
    this.budget = budget;
    this.driftDetection = driftDetection;
    this.guard = guard;
    this.propagator = propagator;
    this.serviceAccounts = serviceAccounts;
    propagationGauge(metrics.registry, () => propagator.states);
    resourceGauge(metrics.registry, () => cluster.watched);
    informers.onServed((type, served) => {
      if (!served) return cluster.remove(type);
      cluster.add(informers.informer(type.group, type.kind)!);
      // Objects that waited for the kind to be served wait for its list from now on, and their conditions say so.
      controller.known(type);
      if (type.group !== '') metrics.kindServed(type.group, type.kind, settings.maxConcurrentReconciles ?? RECONCILES_PER_KIND);
    });
    informers.onKnown((type) => {
      unknowns.forget(type);
      controller.known(type);
    });
    informers.onEvent((event) => {
      reconciler.handle(event);
      controller.handle(event);
      guard?.handle(event);
      propagator.handle(event);
      const { type, object: { kind, metadata } } = event;
      if (type === 'DELETED' && kind === 'Secret') credentials.forget(metadata.namespace ?? '', metadata.name);
    });
  }

  /** Why not all required lists are complete yet; undefined: they are. */
  public get notReady(): string | undefined {
    const { problems } = this.informers;
    if (problems.length === 0) return undefined;
    const more = problems.length - MOST_PROBLEMS;
    return `not all kinds are listed yet: ${problems.slice(0, MOST_PROBLEMS).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  }

  /** Fills the caches; resolves when all is listed, or the start has waited long enough. Writes nothing. */
  public watch(signal: AbortSignal): Promise<void> {
    this.serviceAccounts.enable(signal);
    return this.informers.start(signal);
  }

  /** Starts the reconciles. */
  public reconcile(): void {
    this.guard?.start();
    this.propagator.start();
    this.controller.start();
  }

  /** Waits for running reconciles to end, at most for the grace period. */
  public async end(gracePeriod: number): Promise<void> {
    this.driftDetection?.stop();
    if (gracePeriod <= 0) return this.cutOff();
    const drained = Promise.all([this.controller.drain(), this.propagator.drain()]).then(() => undefined);
    await inTime(drained, gracePeriod, () => this.controller.stop());
  }

  /** Resolves when nothing is watched any more, after the signal of `watch` has aborted. */
  public async stopped(): Promise<void> {
    this.budget?.stop();
    await Promise.all([this.informers.stopped(), this.serviceAccounts.stopped()]);
  }

  private cutOff(): Promise<void> {
    return Promise.race([this.controller.stop(), new Promise<void>((resolve) => setTimeout(resolve, 1_000))]);
  }
}

/** Kinds that are not Azure Resource Manager's. */
function externalKinds({ databaseUsers }: Settings, mayWrite: () => boolean): ExternalKinds {
  const kinds: Readonly<Record<string, ExternalKind>> = { ...DIRECTORY_KINDS, ...(databaseUsers ? databaseKinds(mayWrite) : {}) };
  return (group, kind) => (Object.hasOwn(kinds, `${group}/${kind}`) ? kinds[`${group}/${kind}`] : undefined);
}

/** Waits for the work at most for this time; then aborts it. */
async function inTime(work: Promise<void>, milliseconds: number, cutOff: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), milliseconds)));
  const first = await Promise.race([work.then(() => 'done' as const), late]);
  clearTimeout(timer);
  if (first === 'late') await Promise.race([cutOff(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
}
