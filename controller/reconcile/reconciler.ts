import { nextReconcile } from './core/backoff';
import { mayBeWriting } from './core/parent-lock';
import type { ReconcileEnd, ReconcileRequest } from './object-reconcile';
import { policyFor } from './observe';
import { reconcileObject } from './reconcile-object';
import type { ReconcilerOptions } from './reconciler-options';
import { newReconcilerState, type ReconcilerState } from './reconciler-state';
import { requeueDelay } from './requeue-delay';
import { preemptible } from '../budget';
import { afterError } from './steps/after-error';
import { TokenBucket } from './token-bucket';
import { isUnsettled } from './triggers';
import { findOrUnknown, UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { allowsDeletion } from '../../engine/objects/reconcile-policy';
import { jittered } from '../../engine/schedule';
import type { Priority, Worker } from '../../runtime/work-queue';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { type ObjectId, objectIdOf } from '../../src/object-id';

/** A younger object can hardly have requests of an earlier process. Milliseconds. */
const NEW_MS = 60_000;

/** Reconciles objects one at a time (`reconcile-object.ts`), schedules their next reconcile, and keeps the state of all objects. */
export class Reconciler {
  private readonly state: ReconcilerState;
  private readonly bucket?: TokenBucket;

  public constructor(private readonly options: ReconcilerOptions) {
    this.state = newReconcilerState(options);
    const { rateLimit } = options;
    if (rateLimit) this.bucket = new TokenBucket(rateLimit.qps, rateLimit.bucketSize);
  }

  /**
   * Reconciles one object once; resolves with the milliseconds until the next reconcile (undefined: a trigger has to come). Rejects with
   * ThrottledError where Azure's limits have no room for it: then the reconcile has to start again.
   * @param priority `fresh` for a changed object, `resync` for a periodic check
   * @param worker lent to other reconciles while a request of this one waits until Azure's limits have room
   */
  public async reconcile(
    key: ObjectId, signal: AbortSignal, priority: Priority = 'fresh', worker?: Worker,
  ): Promise<number | undefined> {
    const request = this.requestFor(key, priority);
    if (!request) return undefined;
    const onWait = worker && (() => worker.lend());
    const end = await preemptible(signal, (inner, onThrottled) => reconcileObject(request, { signal: inner, onThrottled, onWait }))
      .catch((error: unknown) => afterError(request, error));
    this.options.guard?.release(key);
    return this.schedule(request, end);
  }

  /** Undefined: the object is gone, or this process has released it. */
  private requestFor(key: ObjectId, priority: Priority): ReconcileRequest | undefined {
    const { options, state } = this;
    const watched = options.cluster.typeOf(key.group, key.kind);
    const cached = watched?.store.get(key.namespace, key.name);
    if (!watched || !cached) {
      this.forget(key);
      return undefined;
    }
    if (state.released.has(cached)) {
      state.parentLocks.release(key);
      return undefined;
    }
    return { options, state, key, watched, cached, priority, sent: { any: false, inDoubt: false, hasLooked: false } };
  }

  /** Reports the reconcile; returns the milliseconds until the next one. */
  private schedule({ key, priority }: ReconcileRequest, { result, object, actions, memory }: ReconcileEnd): number | undefined {
    const { syncPeriod, clock, delayScale = 1 } = this.options;
    const next = nextReconcile(result, memory.counters, { syncPeriod }, clock.random());
    memory.counters = next.counters;
    const nextIn = next.delay === undefined
      ? undefined
      : requeueDelay(next.delay, result, delayScale, () => this.bucket?.reserve(clock.now()) ?? 0);
    this.options.onReconcile?.({ key, object, actions, result, nextIn, priority });
    return nextIn;
  }

  /** Takes the objects that wait for the cache of a kind off the list. */
  public takeWaiting(group: string, kind: string): readonly ObjectId[] {
    return this.state.cacheWaits.take(group, kind);
  }

  /** Takes the objects that wait for one object off the list. */
  public takeWaitingFor(needed: ObjectId): readonly ObjectId[] {
    return this.state.cacheWaits.takeFor(needed);
  }

  /** Makes the next reconcile read the resource before it sends a request; without a difference it sends none. */
  public lookAgain(key: ObjectId): void {
    const memory = this.state.memories.get(key);
    if (memory?.knowledge === 'known') memory.knowledge = 'uncertain';
  }

  /** Milliseconds, with jitter, until the next check of an object that is in sync (undefined: never). */
  public nextSync(): number | undefined {
    const { syncPeriod, clock } = this.options;
    return syncPeriod === undefined ? undefined : jittered(syncPeriod, clock.random());
  }

  /** The object is gone: drops everything that is kept about it. */
  public forget(key: ObjectId): void {
    const { memories, ids, cacheWaits, parentLocks, created } = this.state;
    const { dependencies, budget, guard } = this.options;
    memories.delete(key);
    ids.delete(key);
    created.forget(key);
    cacheWaits.forget(key);
    dependencies.reset(key);
    budget?.forget(key);
    guard?.release(key);
    parentLocks.release(key);
  }

  /** Registers the listener for objects that may write now, to reconcile them. */
  public onLockGranted(listener: (key: ObjectId) => void): void {
    this.state.parentLocks.onGranted(listener);
  }

  /** Registers the listener for objects whose resource may be gone, to reconcile them: the reconcile begins with a read. */
  public onLost(listener: (key: ObjectId) => void): void {
    this.state.lost.onConcerned((key) => {
      this.lookAgain(key);
      listener(key);
    });
  }

  /** An object is gone. Call this after it is forgotten. */
  public wasDeleted(object: KubernetesObject): void {
    const armId = annotation(object, RESOURCE_ID);
    if (armId === undefined) return;
    const found = findOrUnknown(() => policyFor(object, this.options.cluster, this.options.defaultPolicy));
    if (found instanceof UnknownStateError || allowsDeletion(found.policy)) this.state.lost.deletedWithObject(armId);
  }

  /**
   * Called for an object that is seen for the first time. Until its first reconcile, other writers wait for requests that an earlier
   * process may have sent for it; that reconcile relies on objects that exist by now.
   */
  public observeInitial(object: KubernetesObject): void {
    const { memories, ids, parentLocks } = this.state;
    const key = objectIdOf(object);
    memories.of(key, object);
    const armId = annotation(object, RESOURCE_ID);
    ids.set(key, armId);
    if (armId !== undefined && mayBeWriting(object, isUnsettled(object))) parentLocks.restore(key, armId, this.isNew(object));
  }

  private isNew({ metadata: { creationTimestamp } }: KubernetesObject): boolean {
    return creationTimestamp !== undefined && this.options.clock.now() - Date.parse(creationTimestamp) < NEW_MS;
  }

  /**
   * Handles an event of an informer. The objects that a decision about a changed object rests on are confirmed again; doing so here, and
   * not first in the reconcile, lets one request to the API server cover all objects that have changed together.
   */
  public handle({ type, object }: ObjectEvent): void {
    const { memories } = this.state;
    const memory = type === 'DELETED' ? undefined : memories.get(objectIdOf(object));
    if (memory) memories.confirmAnew(memory, object);
  }
}
