import { LeaderElection } from './leader-election';
import { logSettings } from './log-lines';
import type { RightToWrite } from './right-to-write';
import type { RunOptions } from './run-options';
import { Sharding } from './sharding';
import { Watchers } from './watchers';
import type { WatchersOptions } from './watchers-options';
import { systemClock, type Clock } from '../../engine/clock';
import { isolatedExpressions, type ObjectExpressions } from '../../engine/export';
import { Connection, loadClusterAccess, RestClient, type ClusterAccess } from '../../engine/kubernetes';
import { WorkerPool } from '../../engine/workers/worker-pool';
import { silentLogger, type Logger } from '../../runtime/log/log';
import { Catalog } from '../../src/catalog';
import { crdLabels } from '../crds/labels';
import { Metrics } from '../metrics';
import { ProcessHistory } from '../page/process-history';
import { readSettings, SettingsError, type Environment, type Settings } from '../settings';
import { JobMetrics } from '../telemetry/job-metrics';

/** The parts of the process, before anything is started. */
export interface Parts {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly crdLabels: Readonly<Record<string, string>>;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly userAgent: string;
  readonly access: ClusterAccess;
  readonly connection: Connection;
  readonly client: RestClient;
  readonly metrics: Metrics;
  /** Worker threads, for jobs that tenants can make long. */
  readonly jobs: WorkerPool;
  readonly expressions: ObjectExpressions;
  readonly election: RightToWrite;
  /** Undefined: this process does not share the work. */
  readonly sharding: Sharding | undefined;
  /** Undefined without `--ui`. */
  readonly history: ProcessHistory | undefined;
  /** Undefined in the mode `webhooks`. */
  readonly watchers: Watchers | undefined;
}

/**
 * Reads the settings and creates the parts. No connection is opened yet.
 *
 * @throws SettingsError, CredentialError, KubeconfigError
 */
export async function createParts(options: RunOptions): Promise<Parts> {
  const { clock = systemClock, logger = silentLogger(), catalog = Catalog.default(), version = 'dev' } = options;
  const settings = readSettings(options.environment ?? process.env);
  const labels = crdLabels(options.crdLabels ?? '');
  const environment = { ...(options.environment ?? process.env), POD_NAMESPACE: settings.podNamespace };
  logSettings(logger, settings, environment);
  const access = options.access ?? (await loadClusterAccess({ path: options.kubeconfig, environment }));
  const metrics = new Metrics();
  metrics.collectProcess();
  const userAgent = `cdk8s-aso-controller/${version}`;
  const connection = new Connection(access, {
    userAgent,
    onRequest: (request) => metrics.kubernetesRequest(request),
    onBytes: (direction, bytes) => metrics.kubernetesBytes(direction, bytes),
  });
  const client = new RestClient(connection, { clock });
  const sharding = shardingOf(options, settings);
  const election = sharding ?? new LeaderElection(options.enableLeaderElection ?? false, metrics);
  const jobs = createJobs(metrics);
  const expressions = isolatedExpressions(jobs, (observation) => metrics.expression(observation));
  const history = options.ui ? new ProcessHistory(() => clock.now()) : undefined;
  const common = { settings, environment, catalog, clock, logger, version, client, metrics, jobs, expressions, history };
  const watchers = settings.operatorMode === 'webhooks'
    ? undefined
    : new Watchers({
      ...options,
      ...common,
      ...sharesOf(sharding),
      mayWrite: () => election.mayWrite,
      elapsed: options.clock ? undefined : () => performance.now(),
    });
  if (sharding) sharding.host = watchers?.shards;
  return { ...common, crdLabels: labels, userAgent, access, connection, election, sharding, watchers };
}

/** @throws SettingsError where shards cannot be used with the other settings */
function shardingOf({ shards = 1, enableLeaderElection }: RunOptions, settings: Settings): Sharding | undefined {
  if (shards === 1) return undefined;
  if (!enableLeaderElection) throw new SettingsError('--shards needs --enable-leader-election');
  if (settings.operatorMode === 'webhooks') return undefined;
  if (!settings.protectCredentials) {
    throw new SettingsError('--shards needs PROTECT_CREDENTIALS: replicas learn from the finalizer of a Secret who uses it');
  }
  return new Sharding(shards);
}

/** The options of a replica that shares the work. */
function sharesOf(sharding: Sharding | undefined): Pick<WatchersOptions, 'ownership' | 'onSplit'> {
  return sharding ? { ownership: sharding.ownership, onSplit: (namespaces) => sharding.setSplit(namespaces) } : {};
}

/** The worker threads, with their metrics. */
function createJobs({ registry }: Metrics): WorkerPool {
  const jobs: WorkerPool = new WorkerPool({ onJob: (observation) => jobMetrics.job(observation) });
  const jobMetrics = new JobMetrics(registry, jobs);
  return jobs;
}
