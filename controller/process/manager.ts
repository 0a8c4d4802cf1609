import { serveMetrics, type MetricsEndpointOptions } from './endpoints';
import type { Parts } from './parts';
import { Readiness } from './readiness';
import type { RunOptions } from './run-options';
import { supervise } from './supervise';
import type { Watchers } from './watchers';
import type { Endpoint } from '../../runtime/http/http-endpoints';
import { startAdmission } from '../admission';
import { installCrds } from '../crds/install';
import { migrateStoredVersionsHourly } from '../crds/stored-versions';
import type { Supervision } from '../supervisor';

const GRACE_PERIOD_MS = 8_000;

/**
 * Starts the parts in their order and ends them, as the manager of controller-runtime does: probes, metrics, webhooks, CRDs, caches, leader
 * election, reconciles.
 */
export class Manager {
  private readonly readiness: Readiness;
  private readonly endpoints: Endpoint[] = [];
  /** The informers end with the run, for whatever reason it ends. */
  private readonly watching = new AbortController();

  public constructor(private readonly options: RunOptions, private readonly parts: Parts) {
    this.readiness = new Readiness(parts.watchers);
  }

  /**
   * Runs until the signal aborts. To be called once.
   *
   * @throws SettingsError, ListenError, LeadershipLostError
   */
  public async run(signal: AbortSignal): Promise<void> {
    const { election } = this.parts;
    const stopWatching = () => this.watching.abort(signal.reason);
    signal.addEventListener('abort', stopWatching, { once: true });
    if (signal.aborted) stopWatching();
    const supervision = supervise(this.options, this.parts);
    try {
      await this.start(supervision);
      await aborted(signal, election.lost);
      if (election.lost?.aborted) throw election.lost.reason;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.endReconciles();
      signal.removeEventListener('abort', stopWatching);
      stopWatching();
      await this.close(supervision);
    }
  }

  private async start(supervision: Supervision): Promise<void> {
    const { watchers, election, sharding, client, clock, logger, metrics, settings } = this.parts;
    this.endpoints.push(...(await supervision.serveHealth(() => this.readiness.notReady())));
    this.endpoints.push(...(await serveMetrics({ ...this.options, metrics, client, clock, logger, page: await this.page() })));
    await this.serveWebhooks();
    if (this.managesCrds && settings.operatorMode !== 'watchers') await this.installCrds();
    this.readiness.waitsFor = undefined;
    if (watchers) {
      // A replica among several learns first which namespaces to keep in memory.
      const leads = sharding && election.lead(supervision, this.watching.signal);
      await Promise.all([this.fillCaches(watchers), leads]);
      if (!sharding) await election.lead(supervision, this.watching.signal);
      this.startReconciles(watchers);
    }
    logger.info(watchers ? { kinds: watchers.informers.types.length } : { mode: settings.operatorMode }, 'started');
  }

  /** The page of the objects; undefined where it is off, or there are no informers. */
  private async page(): Promise<MetricsEndpointOptions['page']> {
    const { watchers, history, settings, version, election } = this.parts;
    if (!watchers || !history) return undefined;
    // Loaded here: most controllers have no page.
    const { controllerPage } = await import('../page/controller-page');
    return (reviews) => {
      const page = controllerPage({
        informers: watchers.informers,
        cluster: watchers.cluster,
        history,
        namespace: settings.podNamespace,
        version,
        leads: () => election.mayWrite,
        reviews,
      });
      void page.run(this.watching.signal);
      return page;
    };
  }

  private async serveWebhooks(): Promise<void> {
    const { webhookPort, webhookCertDir } = this.options;
    const { settings, environment, catalog, client, clock, logger, metrics, expressions } = this.parts;
    const [onBegan, onRequest] = [metrics.webhookBegan.bind(metrics), metrics.webhook.bind(metrics)];
    const onCertificateRead = metrics.certificateRead.bind(metrics);
    const admission = await startAdmission({
      ...settings,
      webhookPort,
      webhookCertDir,
      environment,
      catalog,
      client,
      clock,
      logger,
      onBegan,
      onRequest,
      onCertificateRead,
      expressions,
    });
    this.readiness.admission = admission;
    if (admission) this.endpoints.push(admission);
  }

  private get managesCrds(): boolean {
    const { crdPattern = '', crdManagement = crdPattern === '' ? 'none' : 'auto' } = this.options;
    return crdManagement === 'auto';
  }

  private async installCrds(): Promise<void> {
    this.readiness.waitsFor = 'CRDs are being installed';
    const { client, catalog, logger, settings, crdLabels: labels, version } = this.parts;
    const { crdPattern: pattern = '', webhookCertDir } = this.options;
    const webhooks = this.readiness.admission ? { certManager: Boolean(webhookCertDir) } : undefined;
    // The facts of all kinds are needed just this once.
    await installCrds({ client, catalog: catalog.copy(), logger, namespace: settings.podNamespace, pattern, labels, version, webhooks });
  }

  private async fillCaches(watchers: Watchers): Promise<void> {
    if (!watchers.hasGlobalCredential) {
      this.parts.logger.info(
        'no global credential: AZURE_SUBSCRIPTION_ID is not set; every object needs a credential of its own or of its namespace',
      );
    }
    await watchers.watch(this.watching.signal);
  }

  private startReconciles(watchers: Watchers): void {
    const { client, clock, election, logger, version } = this.parts;
    watchers.reconcile();
    if (!this.managesCrds) return;
    const isOurs = () => election.mayWriteForCluster;
    void migrateStoredVersionsHourly(
      { client: client.withMayWrite(isOurs), types: () => watchers.informers.types, version, logger, clock, isOurs },
      this.watching.signal,
    );
  }

  /** Ends running reconciles, then lets another replica lead while the clients of the ports get their answers. */
  private async endReconciles(): Promise<void> {
    const { watchers, election, logger } = this.parts;
    this.readiness.waitsFor = 'the process ends';
    logger.info('stopping');
    // A process that has lost the leadership must end at once: another one takes over.
    await watchers?.end(election.lost?.aborted ? 0 : this.options.gracePeriod ?? GRACE_PERIOD_MS);
    await Promise.all([election.release(), ...this.endpoints.map((endpoint) => endpoint.close())]);
  }

  /** Closes what is open, when nothing is reconciled or watched any more. */
  private async close(supervision: Supervision): Promise<void> {
    const { watchers, jobs, connection } = this.parts;
    await watchers?.stopped();
    await jobs.close();
    await supervision.close();
    await connection.close();
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
