import { ReconcileActions } from './actions';
import type { ReconcilerOptions } from './reconciler-options';
import { leftBehind, type SentRequests } from './sent-requests';
import { ThrottledError, preemptible } from '../budget';
import { CacheFreshnessGuard } from './cache-freshness-guard';
import { CacheWaits } from './cache-waits';
import type { WatchedType } from './cluster';
import type { Priority } from '../work-queue';
import type { AccessUser } from './core/access-user';
import { nextReconcile } from './core/backoff';
import { cacheWait, withCacheWait } from './core/cache-wait';
import { withReady } from './core/conditions';
import { decide } from './core/decide';
import { readyStateOf, warning } from './core/failure';
import type { Action, Observed, Outcome, Result } from './core/observed';
import { mayBeWriting } from './core/turn';
import { credentialSecretOf } from './credential-users';
import { keyOf, textOf } from './object-key';
import { ObjectMemories, type ObjectMemory } from './object-memories';
import { credentialOf, namedOwner, ownerState, policyFor, traitsOf } from './observe';
import { ParentWriteLocks } from './parent-locks/parent-write-locks';
import { isRefusal, refusedStatusEvent, refusedWriteMessage, RefusedStatuses } from './refused-writes';
import { ResourceIds } from './resource-ids';
import { TokenBucket } from './token-bucket';
import { isUnsettled, triggersReconcile } from './triggers';
import { ObjectWriter } from './writer';
import type { ArmClient } from '../../engine/arm/types';
import type { ResolvedCredential } from '../../engine/credentials/types';
import { needsParentLock } from '../../engine/kinds/serial-writes';
import { findOrUnknown, UnknownStateError } from '../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject, type ObjectEvent, type ObjectKey } from '../../engine/kubernetes/types';
import { annotation, hasFinalizer } from '../../engine/objects/annotations';
import { allowsDeletion, type EffectivePolicy } from '../../engine/objects/reconcile-policy';
import { versionOf } from '../../engine/resolve/kind-of';
import { jittered } from '../../engine/schedule';
import { FINALIZER, OPERATOR_NAMESPACE, RESOURCE_ID } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';
import { refusalOf } from '../admission/validation/validate';

/** Longer chains of actions than any state has; a fence against a cycle in the decisions. */
const MOST_ACTIONS = 20;
const MOST_RELEASED = 10_000;
/** However fast time passes, an object is not polled in a busy loop. */
const SHORTEST_SCALED = 20;

/** The shell around `decide`: observes, carries out, writes, remembers. */
export class Reconciler {
  private readonly memories: ObjectMemories;
  /** Uids of objects that were let go: whatever a cache still shows of them, nothing more is done for them. */
  private readonly released = new Set<string>();
  /** What is to be said against an object: an object that only waits is read many times. */
  private readonly refusals = new WeakMap<KubernetesObject, { readonly text: string | undefined }>();
  private readonly writer: ObjectWriter;
  private readonly parentLocks: ParentWriteLocks;
  private readonly ids = new ResourceIds();
  private readonly freshness: CacheFreshnessGuard;
  private readonly cacheWaits = new CacheWaits();
  private readonly bucket?: TokenBucket;

  public constructor(private readonly options: ReconcilerOptions) {
    const onRefused = (object: KubernetesObject, error: KubernetesError) => options.events.record(object, refusedStatusEvent(object, error));
    this.writer = new ObjectWriter(options.client, new RefusedStatuses(() => options.clock.now()), onRefused);
    this.parentLocks = new ParentWriteLocks(() => options.clock.now());
    this.freshness = new CacheFreshnessGuard(options);
    this.memories = new ObjectMemories(() => this.freshness.moment);
    const { rateLimit } = options;
    if (rateLimit) this.bucket = new TokenBucket(rateLimit.qps, rateLimit.bucketSize);
  }

  /**
   * One reconcile of one object; answers in how many milliseconds the next one is due (undefined: a trigger has to come). Rejects with HeldBackError
   * where Azure's limits have no room for it: then it is to begin anew.
   * @param priority whether something has changed, or the object is only looked at again
   */
  public async reconcile(key: ObjectKey, signal: AbortSignal, priority: Priority = 'fresh'): Promise<number | undefined> {
    const { cluster, clock } = this.options;
    const watched = cluster.typeOf(key.group, key.kind);
    const seen = watched?.store.get(key.namespace, key.name);
    if (!watched || !seen) {
      this.forget(key);
      return undefined;
    }
    if (this.released.has(seen.metadata.uid ?? '')) {
      this.parentLocks.release(key);
      return undefined;
    }
    const sent: SentRequests = { any: false, inDoubt: false, hasLooked: false };
    const running = preemptible(signal, (inner, hold) => this.run(key, watched, seen, sent, inner, hold, priority));
    const { result, object, actions, memory } = await running.catch(async (error: unknown) => {
      // What nobody can tell is waited for; until then nothing is changed.
      if (error instanceof UnknownStateError) {
        this.parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(seen, RESOURCE_ID));
        return this.waitForCache(key, watched, seen, error);
      }
      // Only a reconcile that has sent nothing yet is throttled; it comes back for its turn, and nothing that it was about to send is in doubt.
      if (error instanceof ThrottledError) this.restoreSight(key, sent);
      else this.parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(seen, RESOURCE_ID));
      if (isRefusal(error)) await this.tellOfRefusal(watched, key, error);
      throw error;
    });
    this.options.guard?.release(key);
    const { syncPeriod } = this.options;
    const next = nextReconcile(result, memory.counters, { syncPeriod }, clock.random());
    memory.counters = next.counters;
    const nextIn = next.delay === undefined ? undefined : this.paced(next.delay, result);
    this.options.onReconcile?.({ key, object, actions, result, nextIn, priority });
    return nextIn;
  }

  /** The object says what it waits for, unless it is somebody else's, or as it should be. */
  private async waitForCache(key: ObjectKey, watched: WatchedType, seen: KubernetesObject, error: UnknownStateError) {
    const stored = await this.asApplied(watched, watched.store.get(key.namespace, key.name) ?? seen);
    const memory = this.memories.of(key, stored);
    this.waitsFor(key, error);
    const initialStatus = this.options.externals?.(key.group, key.kind)?.initialStatus;
    const begun = initialStatus ? { ...stored, status: { ...initialStatus, ...stored.status } } : stored;
    const wanted = withCacheWait(begun, error, this.options.clock.now());
    const isTold = wanted !== begun && this.isOurs(stored);
    const object = (isTold ? await this.writer.writeStatus(watched, stored, wanted) : undefined) ?? stored;
    return { result: cacheWait(error), object, actions: ['wait'], memory };
  }

  private waitsFor(key: ObjectKey, error: UnknownStateError): void {
    this.cacheWaits.add(key, error.unknown);
    this.options.onUnknown?.(error, key);
  }

  /** Objects that wait to hear of a kind; they are forgotten by it. */
  public takeWaiting(group: string, kind: string): readonly ObjectKey[] {
    return this.cacheWaits.take(group, kind);
  }

  private isOurs(object: KubernetesObject): boolean {
    return (annotation(object, OPERATOR_NAMESPACE) ?? this.options.operatorNamespace) === this.options.operatorNamespace;
  }

  /**
   * The object in the version that it was applied in. The server shows an object in the version of the URL, without what that version does
   * not have, and a kind is watched in one version only; so an object of another one is read once more.
   */
  private async asApplied({ type }: WatchedType, seen: KubernetesObject): Promise<KubernetesObject> {
    const version = seen.apiVersion.slice(seen.apiVersion.indexOf('/') + 1);
    if (version === type.version) return seen;
    const { name, namespace } = seen.metadata;
    const applied = await this.options.client.get({ ...type, version }, name, namespace);
    return applied ? { ...applied, apiVersion: seen.apiVersion } : seen;
  }

  /** Waits that Azure asked for, and the sync period, are as they are; all others are the controller's own to choose. */
  private paced(delay: number, result: Result): number {
    const { clock, delayScale = 1 } = this.options;
    if (result.kind === 'success' || isFatal(result) || (result.kind === 'requeue' && result.delay) || (result.kind === 'failure' && result.failure.retryAfterSeconds)) return delay;
    const scaled = delayScale === 1 ? delay : Math.max(delay / delayScale, SHORTEST_SCALED);
    return result.kind === 'requeue' && this.bucket ? Math.max(scaled, this.bucket.reserve(clock.now())) : scaled;
  }

  /** The next reconcile reads the resource before it sends anything, and sends nothing where nothing differs. */
  public lookAgain(key: ObjectKey): void {
    const memory = this.memories.get(key);
    if (memory?.sight === 'known') memory.sight = 'uncertain';
  }

  /** In how many milliseconds an object that is as it should be is looked at again, with its spread (undefined: never). */
  public nextSync(): number | undefined {
    const { syncPeriod, clock } = this.options;
    return syncPeriod === undefined ? undefined : jittered(syncPeriod, clock.random());
  }

  public forget(key: ObjectKey): void {
    this.memories.delete(key);
    this.ids.delete(key);
    this.cacheWaits.forget(key);
    this.options.dependencies.reset(key);
    this.options.budget?.forget(key);
    this.options.guard?.release(key);
    this.parentLocks.release(key);
  }

  /** Who waits for its turn to write is called with this, to have a reconcile. */
  public onTurn(listener: (key: ObjectKey) => void): void {
    this.parentLocks.onTurn(listener);
  }

  /**
   * An object that is seen for the first time. Until it has had a reconcile, what a process before may have sent for it is waited for; and that
   * reconcile counts on what was there by now.
   */
  public observeInitial(object: KubernetesObject): void {
    const key = keyOf(object);
    this.memories.of(key, object);
    const armId = annotation(object, RESOURCE_ID);
    this.ids.set(key, armId);
    if (armId !== undefined && mayBeWriting(object, isUnsettled(object))) this.parentLocks.restore(key, armId);
  }

  private async run(
    key: ObjectKey, watched: WatchedType, seen: KubernetesObject, sent: SentRequests, signal: AbortSignal, hold: (reason: ThrottledError) => void,
    priority: Priority,
  ) {
    const { clock, events, cluster, exporter, dependencies } = this.options;
    const read = await this.asApplied(watched, seen);
    const memory = this.memories.of(key, read);
    this.memories.confirmAnew(memory, read);
    // A version that the catalog does not have (any more) is read as the one that is watched.
    const version = versionOf(read) ?? versionOf({ apiVersion: `${key.group}/${watched.type.version}`, kind: key.kind });
    if (!version) throw new Error(`the catalog has no ${read.kind} of ${read.apiVersion}`);
    const lookup = cluster.lookup((needed) => dependencies.add(key, needed, needed.group === '' ? 'import' : 'object'));
    const external = this.options.externals?.(version.kind.group, version.kind.kind);
    if (this.isOurs(read) && isNew(read)) await this.freshness.confirmSurroundings(read, memory.since);
    if (this.isOurs(read) && isEnding(read)) await this.confirmEnd(read, version, memory, external !== undefined);
    const { policy, unknown: unknownPolicy } = this.policyOf(read);
    if (unknownPolicy !== undefined) this.options.onWarning?.(`unknown reconcile policy "${unknownPolicy}", using "${policy}"`, key);
    const { credentials, expressions } = this.options;
    if (expressions) await expressions.prepare(version, read);
    if (credentials.prepare) await this.prepareCredential(read);
    const credential = credentialOf(read, credentials);
    if (credential.unknown) {
      // A deletion may need none.
      if (read.metadata.deletionTimestamp === undefined) throw credential.unknown;
      this.waitsFor(key, credential.unknown);
    }
    this.dependOnCredential(key, read);
    const owner = ownerState(read, version, cluster, lookup);
    if (owner.kind === 'unknown') this.waitsFor(key, owner.error);
    const actions = new ReconcileActions({
      version,
      lookup,
      client: credential.resolved && this.clientOf(credential.resolved, key, urgencyOf(read, priority), hold),
      credential: () => credential.resolved ?? this.options.credentials.resolve(read),
      external,
      exporter,
      signal,
      now: () => clock.now(),
      timeScale: this.options.delayScale,
      onInDoubt: () => {
        sent.sightBefore ??= memory.sight;
        memory.sight = 'uncertain';
        Object.assign(sent, { any: true, inDoubt: true });
      },
      onAnswered: () => {
        memory.sight = 'known';
        sent.inDoubt = false;
      },
    });
    let observed: Observed = {
      object: read,
      traits: traitsOf(version, external, clock.now(), this.options.delayScale),
      operatorNamespace: this.options.operatorNamespace,
      controllerVersion: this.options.controllerVersion,
      policy,
      owner,
      credential: credential.state,
      refusal: this.refusal(version, read),
      neededBy: this.neededBy(key, read),
      sight: memory.sight,
      failures: memory.counters.failures,
      now: clock.now(),
      syncPeriod: this.options.syncPeriod,
      ...(needsParentLock(version.facts.arm?.type ?? '') ? { turn: { kind: 'toAsk' } } : {}),
    };
    let stored = read;
    let outcome: Outcome | undefined;
    const done: string[] = [];
    while (done.length <= MOST_ACTIONS) {
      const decision = decide({ ...observed, now: clock.now() }, outcome);
      decision.events.forEach((event) => events.record(read, event));
      observed = decision.observed;
      const { action } = decision;
      if (action.do === 'finish') {
        await this.finish(watched, stored, observed, action.result, memory);
        this.parentLocks.reconciled(key, leftBehind(observed, action.result, done, sent), annotation(observed.object, RESOURCE_ID));
        return { result: action.result, object: observed.object, actions: done, memory };
      }
      if (changesAzure(action.do) && !(await this.isConfirmed(key, read, stored, observed, memory))) {
        // What was decided rests on what is not so any more.
        const result: Result = { kind: 'requeue', delay: SHORTEST_SCALED, waits: true };
        this.parentLocks.reconciled(key, leftBehind(observed, result, done, sent), annotation(observed.object, RESOURCE_ID));
        return { result, object: stored, actions: done, memory };
      }
      done.push(action.do);
      if (needsCredential(action.do, stored, observed.object)) await this.options.guard?.hold(read);
      if (action.do === 'persist') {
        const written = await this.writer.writeMain(watched, stored, observed.object);
        if (!written) {
          this.parentLocks.reconciled(key, 'nothing', undefined);
          return { result: { kind: 'done' } as Result, object: observed.object, actions: done, memory };
        }
        stored = { ...written, status: stored.status };
        observed = { ...observed, object: written };
        // What is on record now was not sent before: this process knows all that was.
        if (observed.sight === 'known') memory.sight = 'known';
        outcome = { of: 'persist' };
      } else if (action.do === 'turn') {
        outcome = { of: 'turn', turn: this.parentLocks.acquire(key, action.armId, read.metadata.deletionTimestamp !== undefined) };
      } else {
        if (action.do === 'resolve' || action.do === 'ensure') {
          // The spec is read anew, and with it all that it needs.
          dependencies.reset(key);
          this.dependOnCredential(key, read);
          ownerState(read, version, cluster, lookup);
        }
        outcome = await actions.carryOut(action, observed).catch((error: unknown) => {
          // The reconcile is over, and nothing of what it has done is written down.
          if (!(signal.reason instanceof ThrottledError)) memory.sight = 'uncertain';
          throw error;
        });
        if (outcome.of === 'read') sent.hasLooked = true;
        if (outcome.of === 'resolve') {
          const { armId } = outcome.desired;
          this.ids.set(key, armId);
          observed = { ...observed, isShared: this.ids.isOfAnother(key, armId) };
        }
      }
    }
    throw new Error(`a reconcile of ${textOf(key)} does not end: ${done.join(', ')}`);
  }

  /** A write that the API server refuses is told where the user looks; the queue tries it again. */
  private async tellOfRefusal(watched: WatchedType, key: ObjectKey, error: KubernetesError): Promise<void> {
    const object = watched.store.get(key.namespace, key.name);
    if (!object) return;
    const failure = warning('KubernetesWriteRefused', refusedWriteMessage(error));
    this.options.events.record(object, { type: 'Warning', reason: failure.reason, message: failure.message });
    const told = withReady(object, readyStateOf(failure), this.options.clock.now());
    // Where not even this is taken, the log has it.
    await this.writer.writeStatus(watched, object, told).catch(() => undefined);
  }

  private restoreSight(key: ObjectKey, { sightBefore }: SentRequests): void {
    const memory = this.memories.get(key);
    if (memory && sightBefore) memory.sight = sightBefore;
  }

  /** Before the finalizer is taken off without a word to Azure, the API server is asked for what that rests on. */
  private async confirmEnd(object: KubernetesObject, version: KindVersion, { since }: ObjectMemory, isExternal: boolean): Promise<void> {
    if (!allowsDeletion(this.policyOf(object).policy)) return this.freshness.confirmSurroundings(object, since);
    const owner = isExternal ? namedOwner(object, version) : undefined;
    // Where the owner is gone, so is what was in it.
    const { namespace = 'default' } = object.metadata;
    if (owner) await this.freshness.confirm({ group: owner.group, kind: owner.kind, namespace, name: owner.name }, since);
  }

  /** Just before something is changed in Azure: whether policy, credential and object are still what the decision was made with. */
  private async isConfirmed(
    key: ObjectKey, read: KubernetesObject, stored: KubernetesObject, observed: Observed, { since }: ObjectMemory,
  ): Promise<boolean> {
    // What this reconciliation has just written is as it is.
    const isOwn = stored.metadata.resourceVersion !== read.metadata.resourceVersion;
    await Promise.all([this.freshness.confirmSurroundings(read, since), isOwn ? undefined : this.freshness.confirmOwn(stored)]);
    const now = this.options.cluster.find(key);
    if (!now || triggersReconcile({ type: 'MODIFIED', object: now, previous: stored })) return false;
    if (this.policyOf(now).policy !== observed.policy) return false;
    await this.prepareCredential(now);
    const { state, unknown } = credentialOf(now, this.options.credentials);
    if (unknown) throw unknown;
    const before = observed.credential;
    if ('failure' in state || 'failure' in before) return 'failure' in state === 'failure' in before;
    return state.source === before.source && state.subscriptionId === before.subscriptionId;
  }

  private async prepareCredential(object: KubernetesObject): Promise<void> {
    await this.options.credentials.prepare?.(object).catch((error: unknown) => {
      // What is not known here is not known when the credential is resolved, and told there.
      if (!(error instanceof UnknownStateError)) throw error;
    });
  }

  /** Main object first, then status. A write that fails leaves in doubt what the next reconcile may count on. */
  private async finish(watched: WatchedType, stored: KubernetesObject, observed: Observed, result: Result, memory: ObjectMemory): Promise<void> {
    const { object: wanted, busy } = observed;
    try {
      const written = await this.writer.writeMain(watched, stored, wanted);
      const gone = !written || (stored.metadata.finalizers?.includes(FINALIZER) && !wanted.metadata.finalizers?.includes(FINALIZER));
      if (gone) this.release(stored);
      if (!gone) await this.writer.writeStatus(watched, stored, written);
    } catch (error) {
      memory.sight = 'uncertain';
      if (error instanceof KubernetesError && error.status === 404) return;
      throw error;
    }
    // After a success the next reconcile knows where it stands; not after a failure of what comes after the PUT, or a success in the middle of something.
    const isOpen = result.kind === 'failure' ? result.afterPut : result.kind === 'success' && busy;
    if (isOpen) memory.sight = 'uncertain';
    else if (isSettledResult(result)) memory.sight = 'known';
  }

  /** Caches lag by seconds: what was let go long ago need not be remembered. */
  private release({ metadata: { uid } }: KubernetesObject): void {
    if (!uid) return;
    this.released.add(uid);
    if (this.released.size > MOST_RELEASED) this.released.delete(this.released.values().next().value!);
  }

  /**
   * What an informer tells. What a decision about a changed object rests on is confirmed anew; told here, and not first at the reconciliation, one
   * question to the API server is for all objects that have changed together.
   */
  public handle({ type, object }: ObjectEvent): void {
    const memory = type === 'DELETED' ? undefined : this.memories.get(keyOf(object));
    if (memory) this.memories.confirmAnew(memory, object);
  }

  private refusal(version: KindVersion, object: KubernetesObject): string | undefined {
    const known = this.refusals.get(object) ?? { text: refusalOf(version, object, undefined, this.options.expressions?.engine) };
    this.refusals.set(object, known);
    return known.text;
  }

  private policyOf(object: KubernetesObject): EffectivePolicy {
    // Nothing is decided about what is somebody else's.
    return this.isOurs(object) ? policyFor(object, this.options.cluster, this.options.defaultPolicy) : { policy: 'skip' };
  }

  private clientOf(resolved: ResolvedCredential, key: ObjectKey, priority: Priority, onThrottled: (reason: ThrottledError) => void): ArmClient {
    const { budget, dependencies } = this.options;
    return budget?.clientFor(resolved, { key, namespace: key.namespace, priority, rank: dependencies.rankOf(key), onThrottled }) ?? resolved.client;
  }

  private neededBy(key: ObjectKey, object: KubernetesObject): readonly AccessUser[] | UnknownStateError {
    const users = findOrUnknown(() => this.options.access?.neededBy(object) ?? []);
    if (users instanceof UnknownStateError) {
      this.waitsFor(key, users);
      return users;
    }
    // The end of any of them starts a reconcile, which then waits for another one: not a reconcile for each that goes.
    if (users.length > 0) this.options.dependencies.add(key, users[0].key, 'object');
    return users;
  }

  private dependOnCredential(key: ObjectKey, object: KubernetesObject): void {
    // Also of a Secret that is not there: it may come.
    this.options.dependencies.add(key, credentialSecretOf(object), 'credential');
  }
}

/** Nothing was decided about it yet. */
function isNew(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp === undefined && !hasFinalizer(object);
}

function isEnding(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && hasFinalizer(object);
}

/** What must not be done by a decision that is out of date. */
function changesAzure(action: Action['do']): boolean {
  return action === 'put' || action === 'delete' || action === 'ensure' || action === 'remove';
}

/** What is claimed, or sent to Azure, will need its credential once more: to be deleted. */
function needsCredential(action: Action['do'], stored: KubernetesObject, wanted: KubernetesObject): boolean {
  return action === 'put' || action === 'ensure' || (action === 'persist' && hasFinalizer(wanted) && !hasFinalizer(stored));
}

/** Tried again when a sync would be due. */
function isFatal(result: Result): boolean {
  return result.kind === 'failure' && result.failure.severity === 'Error';
}

/** Something was found out about the resource in Azure, so the next reconcile need not look again. */
function isSettledResult(result: Result): boolean {
  return result.kind === 'success' || (result.kind === 'requeue' && !result.waits);
}

/** What is not as it should be is more urgent than a look at what is, however its reconcile came about (polls come by timer). */
function urgencyOf(object: KubernetesObject, priority: Priority): Priority {
  return object.metadata.deletionTimestamp !== undefined || isUnsettled(object) ? 'fresh' : priority;
}
