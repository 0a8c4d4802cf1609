import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { startAdmission } from './admission';
import { systemClock, type Clock } from '../engine/clock';
import { Catalog } from '../src/catalog';
import { installCrds } from './crds/install';
import { crdLabels } from './crds/labels';
import { migrateStoredVersions } from './crds/stored-versions';
import type { Endpoint } from './http-endpoints';
import { LEASE_NAME, type Leadership } from './leader';
import { silentLogger, type Logger } from './log';
import { Metrics } from './metrics';
import { isolatedExpressions } from '../engine/export';
import { Connection, loadClusterAccess, RestClient, type ClusterAccess } from '../engine/kubernetes';
import { serveMetrics, type EndpointOptions } from './process/endpoints';
import { logSettings } from './process/log-lines';
import { Watchers } from './process/watchers';
import type { ReconcileReport } from './reconcile/reconciler-options';
import { readSettings, type Environment } from './settings';
import { superviseInProcess, superviseInThread, type ElectOptions, type Supervision } from './supervisor';
import { JobMetrics } from './telemetry/job-metrics';
import { WorkerPool } from '../engine/workers/worker-pool';

export interface RunOptions extends EndpointOptions {
  /** Settings and credentials; default: the process's. */
  readonly environment?: Environment;
  /** Goes before `KUBECONFIG`. */
  readonly kubeconfig?: string;
  /** Instead of a kubeconfig. */
  readonly access?: ClusterAccess;
  /** Renews the Lease and answers probes on a thread of its own. Default: this thread does. */
  readonly supervisorThread?: { readonly module: URL; readonly verbosity: number; readonly json: boolean } | undefined;
  /** Only the process that holds the Lease reconciles. Default: false. */
  readonly enableLeaderElection?: boolean;
  /** Default: `auto` where there is a pattern, else `none`. */
  readonly crdManagement?: 'auto' | 'none';
  readonly crdPattern?: string;
  readonly crdLabels?: string;
  /** Kinds to reconcile, as a CRD pattern: the others are not even read. Default: all that the cluster serves. */
  readonly kinds?: string;
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
  /** Called when everything is watched and reconciles begin. */
  readonly onStarted?: () => void;
  /** Called after each reconcile. */
  readonly onPass?: (report: ReconcileReport) => void;
  /** How long running reconciles may take to end after the stop, in milliseconds. Default 8 s: the pod is killed after 10. */
  readonly gracePeriod?: number;
}

/**
 * Runs the controller until the signal aborts: watches, reconciles, and at the end lets running reconciles come to their end.
 *
 * @throws SettingsError, CredentialError, KubeconfigError, ListenError before anything was done; LeadershipLostError
 */
export async function runController(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, logger = silentLogger(), catalog = Catalog.default(), version = 'dev' } = options;
  const settings = readSettings(options.environment ?? process.env);
  const labels = crdLabels(options.crdLabels ?? '');
  const environment = { ...(options.environment ?? process.env), POD_NAMESPACE: settings.podNamespace };
  logSettings(logger, settings, environment);
  const access = options.access ?? (await loadClusterAccess({ path: options.kubeconfig, environment }));
  const metrics = new Metrics();
  metrics.collectProcess();
  const userAgent = `cdk8s-aso-controller/${version}`;
  const connection = new Connection(access, { userAgent, onRequest: (request) => metrics.kubernetesRequest(request) });
  const client = new RestClient(connection, { clock });
  let leadership: Leadership | undefined;
  const mayWrite = () => !options.enableLeaderElection || leadership?.isCurrent === true;
  const jobs: WorkerPool = new WorkerPool({ onJob: (observation) => jobMetrics.job(observation) });
  const jobMetrics = new JobMetrics(metrics.registry, jobs);
  const expressions = isolatedExpressions(jobs, (observation) => metrics.expression(observation));
  const watchers = settings.operatorMode === 'webhooks'
    ? undefined
    : new Watchers({ ...options, settings, environment, client, catalog, clock, logger, metrics, version, mayWrite, jobs, expressions });

  let waitsFor: string | undefined = 'the process starts';
  let admission: (Endpoint & { readonly isReady: boolean }) | undefined;
  let hasBeenReady = false;
  // After the first complete list, a failed watch is reported by the objects that wait for it: this pod's webhooks are still needed.
  const notListed = () => {
    const why = hasBeenReady ? undefined : watchers?.notReady;
    hasBeenReady ||= why === undefined;
    return why;
  };
  const notReady = () =>
    waitsFor ?? notListed() ?? (admission?.isReady === false ? 'the certificate of the webhooks is not there yet' : undefined);
  // The informers end with the run, for whatever reason it ends.
  const watching = new AbortController();
  const stopWatching = () => watching.abort(signal.reason);
  signal.addEventListener('abort', stopWatching, { once: true });
  if (signal.aborted) stopWatching();
  const endpoints: Endpoint[] = [];
  const supervision = supervise(options, { access, logger, metrics, namespace: settings.podNamespace, userAgent, environment });
  try {
    endpoints.push(...(await supervision.serveHealth(notReady)));
    endpoints.push(...(await serveMetrics({ ...options, metrics, client, clock, logger })));
    const { webhookPort, webhookCertDir } = options;
    const [onBegan, onRequest] = [metrics.webhookBegan.bind(metrics), metrics.webhook.bind(metrics)];
    admission = await startAdmission({
      ...settings, webhookPort, webhookCertDir, environment, catalog, client, clock, logger, onBegan, onRequest, expressions,
    });
    if (admission) endpoints.push(admission);
    const { crdPattern: pattern = '', crdManagement = pattern === '' ? 'none' : 'auto' } = options;
    if (crdManagement === 'auto' && settings.operatorMode !== 'watchers') {
      waitsFor = 'CRDs are being installed';
      const webhooks = admission ? { certManager: Boolean(webhookCertDir) } : undefined;
      await installCrds({ client, catalog, logger, namespace: settings.podNamespace, pattern, labels, version, webhooks });
    }
    if (watchers) {
      waitsFor = undefined;
      if (!watchers.hasGlobalCredential) {
        logger.info(
          'no global credential: AZURE_SUBSCRIPTION_ID is not set; every object needs a credential of its own or of its namespace',
        );
      }
      await watchers.watch(watching.signal);
    }
    waitsFor = undefined;
    if (watchers && options.enableLeaderElection) {
      leadership = await leading(supervision, metrics, watching.signal);
    }
    watchers?.reconcile();
    if (watchers && crdManagement === 'auto') {
      void hourly(
        () => migrateStoredVersions({ client: client.withMayWrite(mayWrite), types: watchers.informers.types, version, logger }),
        clock,
        logger,
        watching.signal,
      );
    }
    logger.info(watchers ? { kinds: watchers.informers.types.length } : { mode: settings.operatorMode }, 'started');
    options.onStarted?.();
    await aborted(signal, leadership?.lost);
    if (leadership?.lost.aborted) throw leadership.lost.reason;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    waitsFor = 'the process ends';
    logger.info('stopping');
    // A process that has lost the leadership must end at once: another one takes over.
    await watchers?.end(leadership?.lost.aborted ? 0 : options.gracePeriod ?? 8_000);
    await leadership?.release();
    metrics.leading(LEASE_NAME, false);
    signal.removeEventListener('abort', stopWatching);
    stopWatching();
    await watchers?.stopped();
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await jobs.close();
    await supervision.close();
    await connection.close();
  }
}

interface SupervisionParts extends Pick<ElectOptions, 'access' | 'logger' | 'namespace' | 'userAgent'> {
  readonly metrics: Metrics;
  readonly environment: Environment;
}

function supervise(options: RunOptions, { access, logger, metrics, namespace, userAgent, environment }: SupervisionParts): Supervision {
  const identity = `${hostname()}_${randomUUID()}`;
  const onRequest = metrics.kubernetesRequest.bind(metrics);
  // The thread reads the kubeconfig itself: an access passed as a value has functions, which cannot cross threads.
  if (!options.supervisorThread || options.access) {
    return superviseInProcess({ ...options, access, logger, namespace, identity, userAgent, onRequest });
  }
  const lease = options.enableLeaderElection ? { namespace, identity, userAgent } : undefined;
  const { kubeconfig, healthAddr } = options;
  return superviseInThread({ ...options.supervisorThread, kubeconfig, healthAddr, environment, lease, onRequest });
}

async function leading(supervision: Supervision, metrics: Metrics, signal: AbortSignal): Promise<Leadership> {
  metrics.leading(LEASE_NAME, false);
  const leadership = await supervision.lead(signal);
  metrics.leading(LEASE_NAME, true);
  leadership.lost.addEventListener('abort', () => metrics.leading(LEASE_NAME, false), { once: true });
  return leadership;
}

const HOUR = 3_600_000;

/** At once, and every hour until the signal aborts. */
async function hourly(act: () => Promise<unknown>, clock: Clock, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await act().catch(
      (err: unknown) => signal.aborted || logger.warn({ err }, 'stored versions of CRDs could not be looked at; tried again in an hour'),
    );
    await clock.sleep(HOUR, signal).catch(() => undefined);
  }
}

/** Resolves when one of the signals aborts. */
function aborted(...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}
