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

/** Upper bound against a cycle in the decisions; no state has a longer chain of actions. */
const MOST_ACTIONS = 20;
const MOST_RELEASED = 10_000;
/** Shortest delay under `delayScale`, so that no object is polled in a busy loop. Milliseconds. */
const SHORTEST_SCALED = 20;

/** Runs `decide` for one object: observes, carries out the actions, writes the object, and keeps its memory. */
export class Reconciler {
  private readonly memories: ObjectMemories;
  /** UIDs of released objects: the controller ignores them, whatever a cache still shows. */
  private readonly released = new Set<string>();
  /** Cached validation results: an object that only waits is read many times. */
  private readonly refusals = new WeakMap<KubernetesObject, { readonly text: string | undefined }>();
  private readonly writer: ObjectWriter;
  private readonly parentLocks: ParentWriteLocks;
  private readonly ids = new ResourceIds();
  private readonly freshness: CacheFreshnessGuard;
  private readonly cacheWaits = new CacheWaits();
  private readonly bucket?: TokenBucket;

  public constructor(private readonly options: ReconcilerOptions) {
    const onRefused = (object: KubernetesObject, error: KubernetesError) =>
      options.events.record(object, refusedStatusEvent(object, error));
    this.writer = new ObjectWriter(options.client, new RefusedStatuses(() => options.clock.now()), onRefused);
    this.parentLocks = new ParentWriteLocks(() => options.clock.now());
    this.freshness = new CacheFreshnessGuard(options);
    this.memories = new ObjectMemories(() => this.freshness.moment);
    const { rateLimit } = options;
    if (rateLimit) this.bucket = new TokenBucket(rateLimit.qps, rateLimit.bucketSize);
  }

  /**
   * Reconciles one object once; resolves with the milliseconds until the next reconcile (undefined: a trigger has to come). Rejects with
   * ThrottledError where Azure's limits have no room for it: then the reconcile has to start again.
   * @param priority `fresh` for a changed object, `resync` for a periodic check
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
      // The reconcile waits for the unknown object; until then nothing is changed.
      if (error instanceof UnknownStateError) {
        this.parentLocks.reconciled(key, sent.any ? 'doubt' : 'unknown', annotation(seen, RESOURCE_ID));
        return this.waitForCache(key, watched, seen, error);
      }
      // Only a reconcile that has sent no write yet is throttled; it comes back for its turn, and no request is in doubt.
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

  /** Sets the wait condition on the object, unless another controller owns the object, or it is in sync. */
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

  /** Takes the objects that wait for the cache of a kind off the list. */
  public takeWaiting(group: string, kind: string): readonly ObjectKey[] {
    return this.cacheWaits.take(group, kind);
  }

  private isOurs(object: KubernetesObject): boolean {
    return (annotation(object, OPERATOR_NAMESPACE) ?? this.options.operatorNamespace) === this.options.operatorNamespace;
  }

  /**
   * The object in the version in which it was applied. The API server returns the version of the URL, without members that this version
   * lacks, and each kind is watched in one version only; so an object of another version is read once more.
   */
  private async asApplied({ type }: WatchedType, seen: KubernetesObject): Promise<KubernetesObject> {
    const version = seen.apiVersion.slice(seen.apiVersion.indexOf('/') + 1);
    if (version === type.version) return seen;
    const { name, namespace } = seen.metadata;
    const applied = await this.options.client.get({ ...type, version }, name, namespace);
    return applied ? { ...applied, apiVersion: seen.apiVersion } : seen;
  }

  /** Delays that Azure asked for, and the sync period, stay; all others are scaled. */
  private paced(delay: number, result: Result): number {
    const { clock, delayScale = 1 } = this.options;
    if (
      result.kind === 'success'
      || isFatal(result)
      || (result.kind === 'requeue' && result.delay)
      || (result.kind === 'failure' && result.failure.retryAfterSeconds)
    ) {
      return delay;
    }
    const scaled = delayScale === 1 ? delay : Math.max(delay / delayScale, SHORTEST_SCALED);
    return result.kind === 'requeue' && this.bucket ? Math.max(scaled, this.bucket.reserve(clock.now())) : scaled;
  }

  /** Makes the next reconcile read the resource before it sends a request; without a difference it sends none. */
  public lookAgain(key: ObjectKey): void {
    const memory = this.memories.get(key);
    if (memory?.sight === 'known') memory.sight = 'uncertain';
  }

  /** Milliseconds, with jitter, until the next check of an object that is in sync (undefined: never). */
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

  /** Registers the listener for objects that may write now, to reconcile them. */
  public onTurn(listener: (key: ObjectKey) => void): void {
    this.parentLocks.onTurn(listener);
  }

  /**
   * Called for an object that is seen for the first time. Until its first reconcile, other writers wait for requests that an earlier
   * process may have sent for it; that reconcile relies on objects that exist by now.
   */
  public observeInitial(object: KubernetesObject): void {
    const key = keyOf(object);
    this.memories.of(key, object);
    const armId = annotation(object, RESOURCE_ID);
    this.ids.set(key, armId);
    if (armId !== undefined && mayBeWriting(object, isUnsettled(object))) this.parentLocks.restore(key, armId);
  }

  private async run(
    key: ObjectKey,
    watched: WatchedType,
    seen: KubernetesObject,
    sent: SentRequests,
    signal: AbortSignal,
    hold: (reason: ThrottledError) => void,
    priority: Priority,
  ) {
    const { clock, events, cluster, exporter, dependencies } = this.options;
    const read = await this.asApplied(watched, seen);
    const memory = this.memories.of(key, read);
    this.memories.confirmAnew(memory, read);
    // A version that the catalog does not have (any more) is read as the watched one.
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
      // A deletion may need no credential.
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
        // The state on which the decision rests has changed.
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
        stored = withStatus(written, stored.status);
        observed = { ...observed, object: written };
        // The record that is stored now was not sent before: this process knows all requests that were.
        if (observed.sight === 'known') memory.sight = 'known';
        outcome = { of: 'persist' };
      } else if (action.do === 'turn') {
        outcome = { of: 'turn', turn: this.parentLocks.acquire(key, action.armId, read.metadata.deletionTimestamp !== undefined) };
      } else {
        if (action.do === 'resolve' || action.do === 'ensure') {
          // The spec is read anew, and with it all its dependencies.
          dependencies.reset(key);
          this.dependOnCredential(key, read);
          ownerState(read, version, cluster, lookup);
        }
        outcome = await actions.carryOut(action, observed).catch((error: unknown) => {
          // The reconcile ends without a record of its requests.
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

  /** Reports a write that the API server refuses on the object; the queue retries it. */
  private async tellOfRefusal(watched: WatchedType, key: ObjectKey, error: KubernetesError): Promise<void> {
    const object = watched.store.get(key.namespace, key.name);
    if (!object) return;
    const failure = warning('KubernetesWriteRefused', refusedWriteMessage(error));
    this.options.events.record(object, { type: 'Warning', reason: failure.reason, message: failure.message });
    const told = withReady(object, readyStateOf(failure), this.options.clock.now());
    // If the API server refuses even this status, the log has the error.
    await this.writer.writeStatus(watched, object, told).catch(() => undefined);
  }

  private restoreSight(key: ObjectKey, { sightBefore }: SentRequests): void {
    const memory = this.memories.get(key);
    if (memory && sightBefore) memory.sight = sightBefore;
  }

  /** Before the finalizer is removed without a request to Azure, the API server confirms the objects on which that decision rests. */
  private async confirmEnd(object: KubernetesObject, version: KindVersion, { since }: ObjectMemory, isExternal: boolean): Promise<void> {
    if (!allowsDeletion(this.policyOf(object).policy)) return this.freshness.confirmSurroundings(object, since);
    const owner = isExternal ? namedOwner(object, version) : undefined;
    // Where the owner is gone, so are the resources in it.
    const { namespace = 'default' } = object.metadata;
    if (owner) await this.freshness.confirm({ group: owner.group, kind: owner.kind, namespace, name: owner.name }, since);
  }

  /** Just before a change in Azure: confirms that policy, credential and object are still those of the decision. */
  private async isConfirmed(
    key: ObjectKey, read: KubernetesObject, stored: KubernetesObject, observed: Observed, { since }: ObjectMemory,
  ): Promise<boolean> {
    // This reconcile has just written the object, so it is current.
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
      // The resolution of the credential reports an unknown object.
      if (!(error instanceof UnknownStateError)) throw error;
    });
  }

  /** Writes the main object first, then the status. A failed write leaves in doubt what the next reconcile may rely on. */
  private async finish(
    watched: WatchedType,
    stored: KubernetesObject,
    observed: Observed,
    result: Result,
    memory: ObjectMemory,
  ): Promise<void> {
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
    // The next reconcile may rely on the state after a success; not after a failure of a step after the PUT, or a success while Azure is
    // busy.
    const isOpen = result.kind === 'failure' ? result.afterPut : result.kind === 'success' && busy;
    if (isOpen) memory.sight = 'uncertain';
    else if (isSettledResult(result)) memory.sight = 'known';
  }

  /** Caches lag by seconds, so objects that were released long ago are dropped. */
  private release({ metadata: { uid } }: KubernetesObject): void {
    if (!uid) return;
    this.released.add(uid);
    if (this.released.size > MOST_RELEASED) this.released.delete(this.released.values().next().value!);
  }

  /**
   * Handles an event of an informer. The objects that a decision about a changed object rests on are confirmed again; doing so here, and
   * not first in the reconcile, lets one request to the API server cover all objects that have changed together.
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
    // Objects of other controllers need no decision.
    return this.isOurs(object) ? policyFor(object, this.options.cluster, this.options.defaultPolicy) : { policy: 'skip' };
  }

  private clientOf(
    resolved: ResolvedCredential,
    key: ObjectKey,
    priority: Priority,
    onThrottled: (reason: ThrottledError) => void,
  ): ArmClient {
    const { budget, dependencies } = this.options;
    return (
      budget?.clientFor(resolved, { key, namespace: key.namespace, priority, rank: dependencies.rankOf(key), onThrottled })
      ?? resolved.client
    );
  }

  private neededBy(key: ObjectKey, object: KubernetesObject): readonly AccessUser[] | UnknownStateError {
    const users = findOrUnknown(() => this.options.access?.neededBy(object) ?? []);
    if (users instanceof UnknownStateError) {
      this.waitsFor(key, users);
      return users;
    }
    // The deletion of any user triggers a reconcile, which then waits for the next one: not one reconcile for each user.
    const [first] = users;
    if (first) this.options.dependencies.add(key, first.key, 'object');
    return users;
  }

  private dependOnCredential(key: ObjectKey, object: KubernetesObject): void {
    // Also for a Secret that does not exist: it may be created.
    this.options.dependencies.add(key, credentialSecretOf(object), 'credential');
  }
}

/** Whether no decision about the object was made yet. */
function isNew(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp === undefined && !hasFinalizer(object);
}

function withStatus({ status: _, ...object }: KubernetesObject, status: KubernetesObject['status']): KubernetesObject {
  return { ...object, ...(status && { status }) };
}

function isEnding(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && hasFinalizer(object);
}

/** Actions that an outdated decision must not carry out. */
function changesAzure(action: Action['do']): boolean {
  return action === 'put' || action === 'delete' || action === 'ensure' || action === 'remove';
}

/** An object that is claimed, or sent to Azure, needs its credential again for its deletion. */
function needsCredential(action: Action['do'], stored: KubernetesObject, wanted: KubernetesObject): boolean {
  return action === 'put' || action === 'ensure' || (action === 'persist' && hasFinalizer(wanted) && !hasFinalizer(stored));
}

/** Whether the object is only retried at the next sync. */
function isFatal(result: Result): boolean {
  return result.kind === 'failure' && result.failure.severity === 'Error';
}

/** Whether the reconcile has found out the resource's state, so that the next one need not read it first. */
function isSettledResult(result: Result): boolean {
  return result.kind === 'success' || (result.kind === 'requeue' && !result.waits);
}

/** An object that is not in sync is more urgent than a check of one that is, whatever triggered the reconcile (polls come by timer). */
function urgencyOf(object: KubernetesObject, priority: Priority): Priority {
  return object.metadata.deletionTimestamp !== undefined || isUnsettled(object) ? 'fresh' : priority;
}
