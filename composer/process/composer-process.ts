import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ClusterCache } from './cluster-cache';
import { ComposerMetrics } from './composer-metrics';
import { DefinitionOwner } from './definition-owner';
import { Leases } from './leases';
import { StoredVersions } from './stored-versions';
import { systemClock } from '../../engine/clock';
import type { ReflectorTiming } from '../../engine/informers';
import { Connection, CRD_KIND, KubernetesError, RestClient, type ClusterAccess, type ObjectEvent } from '../../engine/kubernetes';
import { EventRecorder } from '../../runtime/events/event-recorder';
import { endInTime } from '../../runtime/grace-period';
import { serveHealth } from '../../runtime/http/health';
import { serve, type Endpoint } from '../../runtime/http/http-endpoints';
import type { LeaderElectorOptions } from '../../runtime/leader';
import { logTelemetry } from '../../runtime/log/informer-log';
import type { Logger } from '../../runtime/log/log';
import type { ObjectId } from '../../src/object-id';
import type { ApiFacts } from '../definition/api-facts';
import { ClaimReconciler } from '../reconcile/claim-reconciler';
import { ComposerController } from '../reconcile/composer-controller';
import { Rollout } from '../reconcile/rollout';
import type { ClaimKind, ClaimRenderer } from '../reconcile/types';
import type { Renderer } from '../render/renderer';
import { startWebhooks } from '../webhooks/start-webhooks';

export interface ComposerOptions {
  readonly access: ClusterAccess;
  readonly kinds: readonly ClaimKind[];
  /** Revision of the definition. */
  readonly revision: string;
  readonly renderer: ClaimRenderer & Pick<Renderer, 'compose' | 'convert'>;
  readonly facts: readonly ApiFacts[];
  /** 0: no webhooks. */
  readonly webhookPort: number;
  /** Directory of the webhooks' certificate; undefined: it is made, and kept in a Secret. */
  readonly webhookCertDir?: string | undefined;
  /** Whether claims are reviewed before they are stored. */
  readonly admission: boolean;
  /** Namespace of the Leases. */
  readonly namespace: string;
  /** Name of this composer. */
  readonly name: string;
  readonly leaderElect: boolean;
  readonly metrics: ComposerMetrics;
  readonly metricsAddr?: string;
  readonly healthAddr?: string;
  readonly logger: Logger;
  /** Of cdk8s-aso. */
  readonly version: string;
  /** Called for each event of a claim. */
  readonly onClaim?: (event: ObjectEvent) => void;
  readonly timing?: Partial<ReflectorTiming>;
  readonly electionTiming?: LeaderElectorOptions['timing'];
}

const GRACE_PERIOD_MS = 8_000;
/** Interval at which a waiting rollout looks whether it may go on. */
const ROLLOUT_LOOK_MS = 5_000;
const FIELD_MANAGER = 'cdk8s-aso-composer';
/** Reasons of Synced that end when a list of objects is complete. */
const OF_LISTS: ReadonlySet<string> = new Set(['CacheNotSynced', 'KindNotServed']);

/** One run of the composer: informers, leader election, reconciles. */
export class ComposerProcess {
  private readonly connection: Connection;
  private readonly client: RestClient;
  private readonly cache: ClusterCache;
  private readonly leases: Leases;
  private readonly owner: DefinitionOwner;
  private readonly rollout: Rollout;
  private readonly controller: ComposerController;
  private readonly storedVersions: StoredVersions;
  private readonly endpoints: Endpoint[] = [];
  private readonly watching = new AbortController();
  private step: string | undefined = 'the process starts';

  public constructor(private readonly options: ComposerOptions) {
    const { access, kinds, revision, namespace, name, logger, version, metrics, timing, electionTiming } = options;
    this.connection = new Connection(access, { userAgent: `${FIELD_MANAGER}/${version}` });
    const client = new RestClient(this.connection, { fieldManager: FIELD_MANAGER });
    this.client = client;
    const writer = client.withMayWrite(() => this.mayWrite);
    const identity = `${hostname()}_${randomUUID()}`;
    this.leases = new Leases({ client, namespace, identity, kinds, logger, timing: electionTiming });
    this.cache = new ClusterCache(client, kinds, { timing, onTelemetry: (event) => logTelemetry(logger, event) });
    this.owner = new DefinitionOwner(`${namespace}/${name}`, (crd) => this.cache.informers.crd(crd), logger);
    const recorder = new EventRecorder({
      client: writer,
      clock: systemClock,
      instance: hostname(),
      componentOf: () => FIELD_MANAGER,
      onError: (error) => logger.debug({ err: error }, 'an event was not written'),
    });
    this.rollout = this.createRollout(recorder);
    const reconciler = new ClaimReconciler({
      kinds,
      renderer: options.renderer,
      client: writer,
      cache: this.cache,
      clock: systemClock,
      revision,
      tooling: `cdk8s-aso/${version}`,
      mayCompose: (claim) => this.rollout.mayCompose(claim),
      isKindLeaving: async ({ plural, group }) => {
        const crd = await client.get(CRD_KIND, `${plural}.${group}`);
        return !crd || crd.metadata.deletionTimestamp !== undefined;
      },
      onReconciled: (claim, problem) => this.rollout.reconciled(claim, problem),
      onEvent: (claim, event) => recorder.record(claim, event),
      onWrite: (verb, kind) => metrics.written(verb, kind),
    });
    this.controller = new ComposerController({
      kinds,
      reconciler,
      clock: systemClock,
      isOurs: (group, kind) => this.owner.isOurs(kinds.find((one) => one.group === group && one.kind === kind)!),
      onDone: ({ kind, namespace: of, name: claim }, seconds, outcome, problem) => {
        metrics.reconciled(kind, seconds, problem?.reason ?? outcome);
        if (outcome !== 'error') logger.info({ kind, namespace: of, name: claim, result: problem?.reason ?? outcome, ...(problem && { message: problem.message }) }, 'reconciled');
      },
      onError: ({ kind, namespace: of, name: claim }, error, retryInMs) => {
        const why = error instanceof KubernetesError ? { message: error.message } : { err: error };
        logger.warn({ kind, namespace: of, name: claim, ...why, retryInSeconds: retryInMs / 1000 }, 'a reconcile ended without a result');
      },
    });
    this.storedVersions = new StoredVersions({ client: writer, facts: options.facts, now: () => systemClock.now(), logger });
    metrics.watch({
      claims: () => this.cache.claims(),
      depth: () => this.controller.depth,
      rolloutLeft: () => this.rollout.left,
      isRolloutPaused: () => this.rollout.pausedBy !== undefined,
      isLeading: () => this.mayWrite,
    });
  }

  /**
   * Runs until the signal aborts.
   *
   * @throws ListenError, LeadershipLostError
   */
  public async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.watching.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await this.start();
      await aborted(signal, this.leases.lost);
      if (this.leases.lost.aborted) throw this.leases.lost.reason;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      await this.end();
    }
  }

  private async start(): Promise<void> {
    const { metricsAddr, healthAddr, metrics, leaderElect, logger, kinds, revision } = this.options;
    this.endpoints.push(...(await serveHealth({ healthAddr }, { notLive: () => undefined, notReady: () => this.notReady() })));
    if (metricsAddr && metricsAddr !== '0') {
      const { registry } = metrics;
      this.endpoints.push(await serve('--metrics-addr', metricsAddr, { '/metrics': async () => [200, registry.contentType, await registry.metrics()] }));
    }
    // Before the claims are listed: those that are stored in an older version are converted for that.
    if (this.options.webhookPort > 0) this.endpoints.push(await this.startWebhooks());
    const { informers } = this.cache;
    informers.onEvent((event, { group, kind }) => {
      this.controller.handle(event);
      if (kinds.some((one) => one.group === group && one.kind === kind)) this.options.onClaim?.(event);
    });
    informers.onKnown(() => this.known());
    this.step = 'the lists are not complete';
    await informers.start(this.watching.signal);
    this.step = undefined;
    if (leaderElect) await this.leases.acquire(this.watching.signal);
    this.controller.start();
    this.known();
    this.look();
    logger.info({ kinds: kinds.map(({ group, kind }) => `${kind}.${group}`).join(','), revision }, 'started');
  }

  private async end(): Promise<void> {
    this.step = 'the process ends';
    this.options.logger.info('stopping');
    const drain = () => this.controller.drain();
    // A process that has lost its Lease ends at once: another one works on. What runs is not waited for, and nothing new begins.
    await endInTime({ drain, cutOff: async () => void drain() }, this.leases.lost.aborted ? 0 : GRACE_PERIOD_MS);
    this.watching.abort(new Error('the composer ends'));
    await Promise.all([this.leases.release(), ...this.endpoints.map((endpoint) => endpoint.close())]);
    await this.cache.informers.stopped();
    await this.connection.close();
  }

  private startWebhooks(): Promise<Endpoint> {
    const { webhookPort: port, webhookCertDir, admission: isReviewed, facts, renderer, namespace, name, logger, metrics } = this.options;
    const { client, cache } = this;
    const admission = isReviewed ? { renderer, find: (of: ObjectId) => cache.find(of), cache, client: client.asDryRun() } : undefined;
    // Outside of a cluster only this machine connects.
    const host = process.env.KUBERNETES_SERVICE_HOST ? undefined : '127.0.0.1';
    return startWebhooks({
      port,
      host,
      certificateDirectory: webhookCertDir,
      facts,
      renderer,
      admission,
      client,
      clock: systemClock,
      namespace,
      name,
      logger,
      observer: metrics.webhooks,
    });
  }

  private get mayWrite(): boolean {
    return this.options.leaderElect ? this.leases.isCurrent : !this.watching.signal.aborted;
  }

  /** A composer that waits for its Lease is ready. */
  private notReady(): string | undefined {
    return this.step;
  }

  private createRollout(recorder: EventRecorder): Rollout {
    const { revision, kinds, logger } = this.options;
    return new Rollout({
      revision,
      kinds,
      claims: () => this.cache.claims(),
      isKnown: () => this.cache.isKnown && this.mayWrite,
      enqueue: (claim) => this.controller.enqueue(claim),
      onPaused: (claim, problem) => {
        logger.error({ revision, kind: claim.kind, namespace: claim.metadata.namespace, name: claim.metadata.name, reason: problem.reason }, 'the rollout is paused');
        recorder.record(claim, {
          type: 'Warning',
          reason: 'RolloutPaused',
          message: `the rollout of revision ${revision} is paused at this claim: ${problem.message}`,
        });
      },
      onResumed: () => logger.info({ revision }, 'the rollout goes on'),
    });
  }

  /** A list is complete: claims that have waited for it are reconciled. */
  private known(): void {
    for (const claim of this.cache.claims()) {
      const synced = claim.status?.conditions?.find(({ type }) => type === 'Synced');
      if (synced && OF_LISTS.has(synced.reason)) this.controller.enqueue(claim);
    }
    this.rollout.advance();
  }

  private migrate(): void {
    if (!this.mayWrite || !this.cache.isKnown || this.watching.signal.aborted) return;
    if (!this.options.kinds.every(({ group, plural }) => this.owner.isOurs({ group, plural }))) return;
    this.storedVersions.look().catch((error: unknown) => this.options.logger.error({ err: error }, 'stored versions'));
  }

  private look(): void {
    systemClock.sleep(ROLLOUT_LOOK_MS, this.watching.signal).then(() => {
      this.rollout.advance();
      this.migrate();
      this.look();
    }, () => undefined);
  }
}

function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}
