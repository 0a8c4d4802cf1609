import { hostname } from 'node:os';
import { createController, createReconciler } from './create-controller';
import { createCredentials, createGuard, createPropagator } from './credentials';
import { startDriftDetection } from './drift-detection';
import { connectInformers, createForeignObjects, createInformers } from './informers';
import { createBudget } from './request-budget';
import { createShards, type Shards } from './sharded-work';
import { UnknownStateLog } from './unknown-state-log';
import type { WatchersOptions } from './watchers-options';
import { IdentityHolders } from '../../engine/credentials';
import type { InformerSet } from '../../engine/informers';
import { EventRecorder } from '../../runtime/events/event-recorder';
import { endInTime } from '../../runtime/grace-period';
import { logTelemetry } from '../../runtime/log/informer-log';
import { groupOf, objectIdOf } from '../../src/object-id';
import { textBefore } from '../../src/util/text-before';
import type { Budget } from '../budget';
import { Contents } from '../contents';
import { ServiceAccounts, type CredentialPropagator } from '../credential-propagation';
import { IDENTITY } from '../credential-propagation/propagation-cache';
import type { BatchDriftDetection } from '../drift-detection';
import { GuardRails } from '../guard-rails/guard-rails';
import { Cluster } from '../reconcile/cluster';
import type { Controller } from '../reconcile/controller';
import type { CredentialGuard } from '../reconcile/credential-guard';
import { Dependencies } from '../reconcile/dependencies';
import { fencedClient, type Fence } from '../reconcile/fence';
import { controllerName } from '../reconcile/object-key';
import { foreignIdentities } from '../shards/foreign-identities';
import type { ForeignObjects } from '../shards/foreign-objects';
import { ofWholeNamespaces, type ShardedWork } from '../shards/sharded-work';
import { propagationGauge } from '../telemetry/propagation-gauge';
import { resourceGauge } from '../telemetry/resource-gauge';

/** Incomplete lists that a message names. */
const MOST_PROBLEMS = 10;

/** The reconciling half of the program: informers, credentials, reconciles. */
export class Watchers {
  public readonly informers: InformerSet;
  public readonly cluster: Cluster;
  public readonly hasGlobalCredential: boolean;
  private readonly parted: Shards | undefined;
  private readonly foreign: ForeignObjects | undefined;
  private readonly contents: Contents;
  private readonly controller: Controller;
  private readonly budget: Budget | undefined;
  private readonly guard: CredentialGuard | undefined;
  private readonly propagator: CredentialPropagator;
  private readonly serviceAccounts: ServiceAccounts;
  private readonly guardRails: GuardRails;
  private readonly driftDetection: BatchDriftDetection | undefined;

  /** @throws CredentialError, SettingsError */
  public constructor(given: WatchersOptions) {
    // A process that is no longer the leader changes nothing in Kubernetes either: no condition, no event, no credential.
    const parted = given.ownership && createShards(given, given.ownership);
    const shards = parted?.work;
    const { share, fence, ofNamespaces } = shards ?? {};
    const options = { ...given, client: given.client.withMayWrite(given.mayWrite) };
    const { client, clock, logger, metrics, settings: { targetNamespaces: namespaces } } = options;
    const informers = createInformers(options, shards?.currentFilter);
    const cluster = new Cluster({ whyNotWatched: (group, kind) => informers.whyNotWatched(group, kind) });
    const dependencies = new Dependencies();
    const contents = new Contents({
      client, clock, isUsed: (key) => dependencies.has(key), onKnown: (key, isChanged) => controller.contentKnown(key, isChanged),
    });
    const foreign = shards && createForeignObjects(options);
    const holders = new IdentityHolders({
      identityState: () => foreign?.identityState ?? cluster.stateOf(IDENTITY.group, IDENTITY.kind),
      namespace: (name) => cluster.find({ group: '', kind: 'Namespace', namespace: '', name }),
      onReleased: () => controller.identityReleased(),
    });
    const credentials = createCredentials(options, cluster, holders);
    const budget = createBudget(options);
    // Propagation reports on identities, some of which are in trees of other replicas.
    const ofEvents: Fence | undefined = shards && ((object) => (ofNamespaces!.share.owns(object) ? undefined : shards.fence(object)));
    const events = new EventRecorder({
      client,
      clientFor: (object) => (groupOf(object) === '' ? client : fencedClient(client, ofEvents, objectIdOf(object))),
      clock,
      instance: hostname(),
      componentOf: (object) => controllerName(groupOf(object), object.kind),
      onError: (error) => logger.debug({ err: error }, 'an event was not written'),
      onRecord: (uid, event) => options.history?.events.add(uid, event),
    });
    const onTelemetry = logTelemetry.bind(undefined, logger);
    const serviceAccounts = new ServiceAccounts({ api: client, clock, namespaces, onTelemetry });
    const guardRails = new GuardRails({
      client, clock, timing: options.timing, mayWrite: options.mayWrite, onTelemetry, log: (level, message) => logger[level](message),
    });
    const identities = foreign && shards && foreignIdentities(foreign, shards);
    const propagator = createPropagator(options, { cluster, events, serviceAccounts, ...ofNamespaces, foreign: identities });
    const driftDetection = startDriftDetection(options, cluster, credentials, budget && ((credential) => (
      budget.clientFor(credential, { namespace: textBefore(credential.source, '/'), priority: 'resync', purpose: 'drift-detection' })
    )));
    const guard = createGuard(options, { cluster, fence, share, isSplit: given.ownership?.isSplit.bind(given.ownership) });
    const unknowns = new UnknownStateLog(logger);
    const parts = {
      informers, cluster, dependencies, credentials, budget, events, propagator, driftDetection, guard, unknowns, fence, share, foreign,
    };
    const reconciler = createReconciler(options, parts);
    const controller: Controller = createController(options, { ...parts, reconciler });
    propagationGauge(metrics.registry, () => propagator.states);
    resourceGauge(metrics.registry, () => cluster.watched, share);
    connectInformers(options, { ...parts, contents, reconciler, controller, parted });
    informers.onEvent((event) => guardRails.handle(event));
    (foreign ?? informers).onEvent((event) => holders.handle(event));
    parted?.roots.connect({ cluster, client, onChange: () => controller.shareChanged() });
    shards?.connect(informers, [controller, ofWholeNamespaces(propagator), ...(guard ? [guard] : [])]);
    this.parted = parted;
    this.foreign = foreign;
    foreign?.onEvent((event) => {
      propagator.handleForeign(event);
      // An object of another replica's namespace may have taken an identity with it that an object here stands for.
      const { type, object: { kind, metadata: { namespace = '' } } } = event;
      if (type === 'DELETED' && kind === IDENTITY.kind && identities?.keeps(namespace) === false) reconciler.wasDeleted(event.object);
    });
    // An export that has waited for the identities goes on.
    foreign?.onKnown(() => controller.known(IDENTITY));
    this.hasGlobalCredential = credentials.global !== undefined;
    this.informers = informers;
    this.cluster = cluster;
    this.contents = contents;
    this.controller = controller;
    this.budget = budget;
    this.driftDetection = driftDetection;
    this.guard = guard;
    this.propagator = propagator;
    this.serviceAccounts = serviceAccounts;
    this.guardRails = guardRails;
  }

  /** Undefined: this process looks after all objects. */
  public get shards(): ShardedWork | undefined {
    return this.parted?.work;
  }

  /** Why not all required lists are complete yet; undefined: they are. */
  public get notReady(): string | undefined {
    const { problems } = this.informers;
    if (problems.length === 0) return undefined;
    const more = problems.length - MOST_PROBLEMS;
    return `not all kinds are listed yet: ${problems.slice(0, MOST_PROBLEMS).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  }

  /** Fills the caches; resolves when all is listed, or the start has waited long enough. Writes nothing. */
  public async watch(signal: AbortSignal): Promise<void> {
    this.serviceAccounts.enable(signal);
    this.guardRails.start(signal);
    await Promise.all([this.informers.start(signal), this.foreign?.start(signal)]);
  }

  /** Starts the reconciles. */
  public reconcile(): void {
    this.guard?.start();
    this.propagator.start();
    this.controller.start();
    this.guardRails.look();
  }

  /** Waits for running reconciles to end, at most for the grace period. */
  public async end(gracePeriod: number): Promise<void> {
    this.driftDetection?.stop();
    await endInTime(
      {
        drain: () => Promise.all([this.controller.drain(), this.propagator.drain()]),
        cutOff: () => this.controller.stop(),
      },
      gracePeriod,
    );
  }

  /** Resolves when nothing is watched any more, after the signal of `watch` has aborted. */
  public async stopped(): Promise<void> {
    this.budget?.stop();
    this.contents.stop();
    this.parted?.work.stop();
    this.parted?.split.stop();
    await Promise.all([this.informers.stopped(), this.foreign?.stopped(), this.serviceAccounts.stopped(), this.guardRails.stopped()]);
  }
}
