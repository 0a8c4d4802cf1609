import { hostname } from 'node:os';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { startAdmission } from './admission';
import { createArmClient } from './azure/arm-client';
import { systemClock, type Clock } from './clock';
import { CredentialResolver, NamespaceTokens } from './credentials';
import { serve, type Endpoint } from './http-endpoints';
import {
  catalogKinds, Connection, CORE_KINDS, InformerSet, KubernetesError, loadClusterAccess, RestClient,
  type ClusterAccess, type InformerSetTelemetry, type InformerTelemetry,
} from './kubernetes';
import { silentLogger, type Logger } from './log';
import { Metrics } from './metrics';
import { Catalog } from '../src/catalog';
import { Cluster } from './reconcile/cluster';
import { Controller } from './reconcile/controller';
import { CredentialGuard } from './reconcile/credential-guard';
import { Dependencies } from './reconcile/dependencies';
import { EventRecorder } from './reconcile/event-recorder';
import { clusterExporter } from './reconcile/exporter';
import { controllerName } from './reconcile/object-key';
import { Reconciler, type PassReport } from './reconcile/reconciler';
import { readSettings, type Environment, type Settings } from './settings';

export interface RunOptions {
  /** Settings and credentials; default: the process's. */
  readonly environment?: Environment;
  /** Goes before `KUBECONFIG`. */
  readonly kubeconfig?: string;
  /** Instead of a kubeconfig. */
  readonly access?: ClusterAccess;
  readonly metricsAddr?: string;
  readonly healthAddr?: string;
  /** Where to serve webhooks; 0 is off. See `admission/start-admission.ts` for the default. */
  readonly webhookPort?: number;
  /** With `tls.crt` and `tls.key`; default: a certificate of our own. */
  readonly webhookCertDir?: string;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
  readonly version?: string;
  readonly clock?: Clock;
  readonly catalog?: Catalog;
  /** For tests and simulations: what sends the requests to Azure. */
  readonly httpClient?: HttpClient;
  /** So many times faster come retries, and polls for which Azure gave no time: for a simulated Azure. Default 1. */
  readonly delayScale?: number;
  /** Called when everything is watched and passes begin. */
  readonly onStarted?: () => void;
  /** Called after each pass. */
  readonly onPass?: (report: PassReport) => void;
  /** How long running passes may take to end after the stop, in milliseconds. Default 8 s: the pod is killed after 10. */
  readonly gracePeriod?: number;
}

/**
 * Runs the controller until the signal aborts: watches, reconciles, and at the end lets running passes come to their end.
 *
 * @throws SettingsError, CredentialError, KubeconfigError, ListenError before anything was done
 */
export async function runController(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, logger = silentLogger(), catalog = Catalog.default(), version = 'dev' } = options;
  const settings = readSettings(options.environment ?? process.env);
  const environment = { ...(options.environment ?? process.env), POD_NAMESPACE: settings.podNamespace };
  logSettings(logger, settings);
  const access = options.access ?? (await loadClusterAccess({ path: options.kubeconfig, environment }));
  const connection = new Connection(access, { userAgent: `cdk8s-aso-controller/${version}` });
  const client = new RestClient(connection, { clock });
  const informers = new InformerSet(client, [...CORE_KINDS, ...catalogKinds(catalog)], {
    clock, namespaces: settings.targetNamespaces, onTelemetry: (event) => logTelemetry(logger, event),
  });

  const cluster = new Cluster();
  const dependencies = new Dependencies();
  const metrics = new Metrics(() => controller.load);
  const credentials = new CredentialResolver({
    environment,
    secret: (namespace, name) => informers.find('', 'Secret', namespace, name),
    namespaceTokens: settings.workloadIdentityMode === 'strict' ? new NamespaceTokens(client, clock) : undefined,
    createClient: (parts) => createArmClient({
      ...parts,
      version,
      userAgentSuffix: settings.userAgentSuffix,
      httpClient: options.httpClient,
      onRequest: (request) => metrics.armRequest(request),
    }),
  });
  const reconciler = new Reconciler({
    cluster,
    client,
    credentials,
    dependencies,
    clock,
    exporter: clusterExporter(client, cluster),
    events: new EventRecorder(client, clock, hostname(), (error) => logger.debug({ err: error }, 'an event was not written')),
    operatorNamespace: settings.podNamespace,
    controllerVersion: version,
    defaultPolicy: settings.defaultReconcilePolicy,
    syncPeriod: settings.syncPeriod,
    rateLimit: settings.rateLimit,
    delayScale: options.delayScale,
    onWarning: (message, { kind, namespace, name }) => logger.error({ kind, namespace, name }, message),
    onPass: (report) => {
      metrics.pass(report);
      logPass(logger, report);
      options.onPass?.(report);
    },
  });
  const controller = new Controller({
    cluster,
    reconciler,
    dependencies,
    clock,
    concurrencyPerKind: settings.maxConcurrentReconciles,
    onError: ({ group, kind, namespace, name }, error, retryIn) => {
      metrics.passError(group, kind);
      logger.warn({ controller: controllerName(group, kind), namespace, name, ...(error instanceof KubernetesError ? { message: error.message } : { err: error }), retryInSeconds: retryIn / 1000 }, 'a pass ended without a result');
    },
  });
  const guard = settings.protectCredentials
    ? new CredentialGuard({
      cluster,
      client,
      clock,
      operatorNamespace: settings.podNamespace,
      onError: ({ namespace, name }, error) => logger.warn({ namespace, name, err: error }, 'a credential Secret could not be protected from deletion'),
    })
    : undefined;
  informers.onServed((type, served) => {
    if (!served) return cluster.remove(type);
    cluster.add(informers.informer(type.group, type.kind)!);
  });
  informers.onEvent((event) => {
    controller.handle(event);
    guard?.handle(event);
  });

  let running = false;
  // The informers end with the run, whatever ends it.
  const watching = new AbortController();
  const stopWatching = () => watching.abort(signal.reason);
  signal.addEventListener('abort', stopWatching, { once: true });
  if (signal.aborted) stopWatching();
  const endpoints = await listen(options, metrics, () => running);
  try {
    const { webhookPort, webhookCertDir } = options;
    const admission = await startAdmission({ ...settings, webhookPort, webhookCertDir, environment, catalog, client, clock, logger });
    if (admission) endpoints.push(admission);
    if (settings.operatorMode === 'webhooks') {
      running = true;
      options.onStarted?.();
      return await aborted(signal);
    }
    if (!credentials.global) logger.info('no global credential: AZURE_SUBSCRIPTION_ID is not set; every object needs a credential of its own or of its namespace');
    await informers.start(watching.signal);
    running = true;
    guard?.start();
    controller.start();
    logger.info({ kinds: informers.types.length }, 'started');
    options.onStarted?.();
    await aborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    running = false;
    logger.info('stopping');
    await inTime(controller.drain(), options.gracePeriod ?? 8_000, () => controller.stop());
    signal.removeEventListener('abort', stopWatching);
    stopWatching();
    await informers.stopped();
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await connection.close();
  }
}

async function listen({ healthAddr, metricsAddr }: RunOptions, metrics: Metrics, running: () => boolean): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  if (healthAddr && healthAddr !== '0') {
    endpoints.push(await serve('--health-addr', healthAddr, {
      '/healthz': () => [200, 'text/plain', 'ok\n'],
      '/readyz': () => [200, 'text/plain', running() ? 'ok\n' : 'ok, starting\n'],
    }));
  }
  if (metricsAddr && metricsAddr !== '0') {
    const { registry } = metrics;
    endpoints.push(await serve('--metrics-addr', metricsAddr, { '/metrics': async () => [200, registry.contentType, await registry.metrics()] }));
  }
  return endpoints;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
}

/** Waits for the work, but not longer than it may take; then cuts it off. */
async function inTime(work: Promise<void>, milliseconds: number, cutOff: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), milliseconds)));
  const first = await Promise.race([work.then(() => 'done' as const), late]);
  clearTimeout(timer);
  if (first === 'late') await Promise.race([cutOff(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
}

/** Without anything secret: none of these is. */
function logSettings(logger: Logger, settings: Settings): void {
  logger.info({ ...settings, syncPeriod: settings.syncPeriod === undefined ? 'never' : `${settings.syncPeriod / 1000}s` }, 'settings');
}

function logPass(logger: Logger, { key, actions, result, nextIn }: PassReport): void {
  const fields = {
    controller: controllerName(key.group, key.kind),
    namespace: key.namespace,
    name: key.name,
    actions: actions.join(','),
    ...(nextIn === undefined ? {} : { nextInSeconds: Math.round(nextIn / 100) / 10 }),
  };
  if (result.kind !== 'failure') return logger.info({ ...fields, result: result.kind }, 'pass');
  const { reason, message, severity } = result.failure;
  logger[severity === 'Error' ? 'error' : 'warn']({ ...fields, reason, message }, 'pass failed');
}

function logTelemetry(logger: Logger, event: InformerTelemetry | InformerSetTelemetry): void {
  switch (event.event) {
    case 'kind-served':
    case 'kind-gone':
      return logger.debug({ kind: event.resource.kind, group: event.resource.group, version: event.resource.version }, event.event);
    case 'discovery-failed':
    case 'handler-failed':
      return logger.error({ err: event.error }, event.event);
    case 'failed':
      return logger.warn({ resource: event.resource.plural, message: event.error.message, failures: event.failures, retryInMilliseconds: event.retryInMilliseconds }, 'a watch failed');
    case 'not-synced':
      return logger.error({ resources: event.resources.map(({ plural, group }) => `${plural}.${group}`) }, 'not all kinds could be listed; going on without them');
    default:
      return logger.debug({ ...event, resource: 'resource' in event ? event.resource.plural : undefined }, 'informer');
  }
}
