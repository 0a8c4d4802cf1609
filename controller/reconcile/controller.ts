import { blockingOwnerOf } from './blocking-owner';
import type { Cluster } from './cluster';
import type { Dependencies } from './dependencies';
import type { WorkShare } from './fence';
import { LargeObjects } from './large-objects';
import { sharedKeyOf } from './object-key';
import type { Reconciler } from './reconciler';
import {
  concernsDependents,
  credentialRulesChanged,
  dataChanged,
  isCredentialRefused,
  isPolled,
  isUnderWay,
  isUnsettled,
  policyChanged,
  triggersReconcile,
} from './triggers';
import type { Clock } from '../../engine/clock';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { OwnershipLostError } from '../../engine/not-leading-error';
import { annotation } from '../../engine/objects/annotations';
import { WorkQueue, type Priority, type Worker, type WorkQueueObserver } from '../../runtime/work-queue';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import { ThrottledError } from '../budget';

/** Decides which reconciles may begin now. */
export interface Gate {
  /** Called for every reconcile that is about to begin. `rank`: of objects of a namespace the higher one goes first. */
  isOpen(key: ObjectId, priority: Priority, rank: number): boolean;
  /** Registers a listener for when the gate may have opened for an object. */
  onOpen(listener: () => void): void;
  /**
   * An object has changed while its reconcile runs: a resync that has not begun to send is throttled, and a new reconcile follows at once.
   */
  changed?(key: ObjectId): void;
  /**
   * Reconciles of such objects are to end soon: until the answer is called, those that wait for their turn before their first write are
   * throttled, and so are those that come to wait.
   */
  sendBack?(concerns: (object: ObjectId) => boolean): () => void;
}

/** Detects drift of many objects at once. */
export interface DriftDetection {
  /** Whether the object is known to be in sync in Azure, so that no reconcile is needed; false in doubt. */
  confirms(key: ObjectId): Promise<boolean>;
  /**
   * Milliseconds until the next check of a confirmed object, where a sync is due `period` after the last check: the confirming data may
   * be older.
   */
  nextIn(key: ObjectId, period: number): number;
  /** A reconcile of the object has ended with an error. */
  reconcileFailed(key: ObjectId): void;
}

export interface ControllerOptions {
  readonly cluster: Cluster;
  readonly reconciler: Reconciler;
  readonly dependencies: Dependencies;
  readonly clock: Clock;
  /** Concurrent reconciles of one kind. Default: `RECONCILES_PER_KIND`. */
  readonly concurrencyPerKind?: number | undefined;
  /** Concurrent reconciles in all. Default: 256. */
  readonly concurrency?: number;
  /** Refuses reconciles that could only wait for Azure. Default: always open. */
  readonly gate?: Gate | undefined;
  /** Default: every object is checked by its own reconcile. */
  readonly driftDetection?: DriftDetection | undefined;
  /** A reconcile ended without a result: a conflict, an API server that does not answer, or a bug. It is retried. */
  readonly onError?: (key: ObjectId, error: unknown, retryInMilliseconds: number) => void;
  /** Which objects this replica looks after. Default: all. */
  readonly share?: WorkShare | undefined;
  /** Gets the events of the queue, for metrics. */
  readonly observer?: WorkQueueObserver<ObjectId>;
}

/** Reconciles mostly wait for Azure and for the API server, so many may run at once; the budget applies Azure's limits. */
const CONCURRENCY = 256;
/** A kind whose resource provider does not answer occupies at most half of them. */
export const RECONCILES_PER_KIND = CONCURRENCY / 2;
/** Delay of a throttled reconcile whose gate is open, to avoid a busy loop. Milliseconds. */
const SHORTEST_WAIT = 250;

interface RunningReconcile {
  readonly key: ObjectId;
  readonly abort: () => void;
  /** Resolves when it is over. */
  readonly over: Promise<void>;
}

/**
 * Turns events into reconciles: one queue, one reconcile of an object at a time; a waiting object is reconciled as soon as its dependency
 * is there.
 */
export class Controller {
  private readonly queue: WorkQueue<ObjectId>;
  private readonly large = new LargeObjects();
  /** Objects whose dependency arrived while their reconcile ran. */
  private readonly woken = new Set<string>();
  /** Objects with a pending request to batch drift detection, and the callback that ends the wait. */
  private readonly asked = new Map<string, () => void>();
  /** Objects that this replica has begun to look after, where it has a share. */
  private readonly owned = new Map<string, ObjectId>();
  /** Running reconciles, by which those of lost objects are aborted and waited for. */
  private readonly running = new Map<string, RunningReconcile>();
  private started = false;

  public constructor(private readonly options: ControllerOptions) {
    this.queue = new WorkQueue<ObjectId>({
      clock: options.clock,
      keyOf: sharedKeyOf,
      groupOf: ({ group, kind }) => `${group}/${kind}`,
      tenantOf: ({ namespace }) => namespace,
      rankOf: (key) => options.dependencies.rankOf(key),
      concurrencyPerGroup: options.concurrencyPerKind ?? RECONCILES_PER_KIND,
      concurrency: options.concurrency ?? CONCURRENCY,
      process: async (key, outer, priority, worker) => {
        if (!this.takesOn(key)) return this.giveUp(key);
        const { signal, end } = this.begin(key, outer);
        try {
          const verdict = priority === 'resync' ? await this.verdictOn(key) : 'doubt';
          // The change itself has enqueued a reconcile.
          if (verdict === 'changed') return;
          const next = verdict === 'confirmed' ? this.nextSync(key) : await this.reconcile(key, signal, priority, worker);
          if (next !== undefined) this.queue.addAfter(key, next, isUnderWay(options.cluster.lastSeen(key)) ? 'fresh' : 'resync');
        } catch (error) {
          if (error instanceof OwnershipLostError || (this.isShared && !this.owns(key))) {
            // Where the share has come back meanwhile, this reconcile is repeated.
            if (this.owns(key)) this.queue.addAfter(key, SHORTEST_WAIT, 'fresh');
            return;
          }
          if (!(error instanceof ThrottledError)) {
            options.driftDetection?.reconcileFailed(key);
            throw error;
          }
          this.requeueThrottled(key, priority, error);
        } finally {
          end();
          // The reconcile may have seen the dependency: then nothing is left to do, and the resource is not sent again.
          const object = this.woken.delete(sharedKeyOf(key)) ? options.cluster.lastSeen(key) : undefined;
          if (object && isUnsettled(object) && !isPolled(object)) this.addFresh(key);
          if (!this.owns(key)) this.giveUp(key);
        }
      },
      onError: (key, error, delay) => options.onError?.(key, error, delay),
      gate: (key, priority) => this.mayBegin(key, priority),
      observer: options.observer,
    });
    options.gate?.onOpen(() => this.queue.wake());
    options.dependencies.onRankChanged((text) => this.queue.rerank(text));
    options.reconciler.onLockGranted((key) => this.addFresh(key));
    options.reconciler.onLost((key) => this.addFresh(key));
  }

  /** Starts the reconciles; events are taken from the construction on. */
  public start(): void {
    this.started = true;
    for (const object of this.azureObjects) {
      const key = objectIdOf(object);
      if (!this.owns(key)) this.giveUp(key);
      else this.takeOn(key, object);
    }
    this.queue.start();
  }

  /**
   * The share of this replica has changed: objects that are new to it are enqueued as at a start, and it forgets those that it has lost.
   */
  public shareChanged(): void {
    if (!this.started || !this.isShared) return;
    for (const [, key] of [...this.owned]) if (!this.owns(key)) this.giveUp(key);
    for (const object of this.azureObjects) {
      const key = objectIdOf(object);
      if (this.owned.has(sharedKeyOf(key)) || !this.owns(key)) continue;
      this.takeOn(key, object);
      const isChanged = isUnsettled(object) || object.metadata.deletionTimestamp !== undefined;
      this.queue.add(key, isChanged ? this.lineOf(key) : 'resync');
    }
    this.queue.wake();
  }

  /** Resolves when no reconcile of such an object runs any more. New ones must not begin: the share has to refuse them. */
  public async ended(concerns: (object: ObjectId) => boolean): Promise<void> {
    const goOn = this.options.gate?.sendBack?.(concerns);
    await Promise.all([...this.running.values()].filter(({ key }) => concerns(key)).map(({ over }) => over));
    goOn?.();
  }

  /** Aborts the running reconciles of such objects. The replica that looks after them next recovers their state. */
  public abort(concerns: (object: ObjectId) => boolean): void {
    for (const { key, abort } of this.running.values()) if (concerns(key)) abort();
  }

  /** The object has left the caches because another replica looks after it: nothing of it is kept, and nothing is written for it. */
  public released(object: KubernetesObject): void {
    const key = objectIdOf(object);
    if (key.group !== '') this.giveUp(key);
  }

  /** Starts no more reconciles, and waits for running ones: operations that they have started in Azure are stored. */
  public drain(): Promise<void> {
    this.options.gate?.sendBack?.(() => true);
    return this.queue.drain();
  }

  /** Aborts running reconciles. The next start recovers their state. */
  public stop(): Promise<void> {
    return this.queue.stop();
  }

  public get load(): { readonly waiting: number; readonly delayed: number; readonly running: number } {
    return { waiting: this.queue.depth, delayed: this.queue.delayedCount, running: this.queue.runningCount };
  }

  /** Handles an event of an informer. */
  public handle(event: ObjectEvent): void {
    const key = objectIdOf(event.object);
    if (key.group !== '') return this.handleAzureObject(event, key);
    if (key.kind === 'Namespace') return this.handleNamespace(event);
    if (dataChanged(event)) this.wake(key);
  }

  private get isShared(): boolean {
    return this.options.share !== undefined;
  }

  private owns(key: ObjectId): boolean {
    return this.options.share?.owns(key) ?? true;
  }

  private get azureObjects(): KubernetesObject[] {
    return this.options.cluster.watched.flatMap(({ type, store }) => (type.group === '' ? [] : store.list()));
  }

  /** Whether a reconcile of the object may begin: the share may have changed while it waited. */
  private takesOn(key: ObjectId): boolean {
    if (!this.isShared) return true;
    if (!this.owns(key)) return false;
    const object = this.options.cluster.lastSeen(key);
    if (object && !this.owned.has(sharedKeyOf(key))) this.takeOn(key, object);
    return true;
  }

  /** An earlier process, or another replica, may have sent requests for the object. */
  private takeOn(key: ObjectId, object: KubernetesObject): void {
    if (this.isShared) this.owned.set(sharedKeyOf(key), key);
    this.options.reconciler.observeInitial(object);
  }

  /** This replica does not look after the object: nothing of it is kept once its running reconcile has ended. */
  private giveUp(key: ObjectId): void {
    const text = sharedKeyOf(key);
    this.owned.delete(text);
    this.woken.delete(text);
    this.queue.forget(key);
    if (this.running.has(text)) return;
    this.options.driftDetection?.reconcileFailed(key);
    this.options.dependencies.waitsNoMore(key);
    this.options.reconciler.forget(key);
  }

  /** A reconcile begins; its signal aborts with the queue's, or when another replica takes the object over. */
  private begin(key: ObjectId, outer: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
    if (!this.isShared) return { signal: outer, end: () => undefined };
    const own = new AbortController();
    const stop = () => own.abort(outer.reason);
    outer.addEventListener('abort', stop, { once: true });
    if (outer.aborted) stop();
    let ended: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (ended = resolve));
    const running: RunningReconcile = {
      key, over, abort: () => own.abort(new OwnershipLostError(`${key.kind} ${key.namespace}/${key.name}`)),
    };
    this.running.set(sharedKeyOf(key), running);
    return {
      signal: own.signal,
      end: () => {
        outer.removeEventListener('abort', stop);
        this.running.delete(sharedKeyOf(key));
        ended();
      },
    };
  }

  /** The cache of a kind may be complete now: objects that wait for it are enqueued. */
  public known({ group, kind }: Pick<ObjectId, 'group' | 'kind'>): void {
    for (const key of this.options.reconciler.takeWaiting(group, kind)) this.addFresh(key);
  }

  /**
   * The content of a Secret or ConfigMap has been read, or there is none any more: objects that wait for it are enqueued.
   * @param isChanged whether its data differs from that of the last read, so that it concerns all its readers
   */
  public contentKnown(key: ObjectId, isChanged: boolean): void {
    for (const waiting of this.options.reconciler.takeWaitingFor(key)) this.addFresh(waiting);
    if (isChanged) this.wake(key);
  }

  /** A namespace may act as an identity that was withheld from it: objects whose credential was refused are enqueued. */
  public identityReleased(): void {
    if (!this.started) return;
    for (const object of this.azureObjects) if (isCredentialRefused(object)) this.addFresh(objectIdOf(object));
  }

  private mayBegin(key: ObjectId, priority: Priority): boolean {
    const { cluster } = this.options;
    if (!this.isGateOpen(key, priority)) return false;
    const object = cluster.lastSeen(key);
    return !object || this.large.mayBegin(object);
  }

  private async reconcile(key: ObjectId, signal: AbortSignal, priority: Priority, worker: Worker): Promise<number | undefined> {
    const { reconciler, cluster } = this.options;
    const object = cluster.lastSeen(key);
    const end = object && this.large.begin(object);
    try {
      return await reconciler.reconcile(key, signal, priority, worker);
    } finally {
      if (end) {
        end();
        this.queue.wake();
      }
    }
  }

  /** The object is fine: it waits in the queue behind its gate, or for a while where the gate does not know it. */
  private requeueThrottled(key: ObjectId, priority: Priority, { retryIn }: ThrottledError): void {
    this.queue.addAfter(key, this.isGateOpen(key, priority) ? Math.max(retryIn, SHORTEST_WAIT) : 0, priority);
  }

  private isGateOpen(key: ObjectId, priority: Priority): boolean {
    const { gate, dependencies } = this.options;
    return !gate || gate.isOpen(key, priority, dependencies.rankOf(key));
  }

  /** Enqueues a changed object. A running resync that still waits for a drift verdict or for the budget gives up its place. */
  private addFresh(key: ObjectId): void {
    if (this.started && !this.owns(key)) return;
    const text = sharedKeyOf(key);
    const isRunning = this.queue.isRunning(text);
    this.queue.add(key, this.lineOf(key));
    if (!isRunning) return;
    this.asked.get(text)?.();
    this.options.gate?.changed?.(key);
  }

  /** The line of a changed object: blocked while its owner is not Ready. The owner wakes it, also before its first reconcile. */
  private lineOf(key: ObjectId): 'fresh' | 'blocked' {
    const { cluster, dependencies } = this.options;
    const object = cluster.lastSeen(key);
    const owner = object && blockingOwnerOf(object, cluster);
    if (!owner) return 'fresh';
    dependencies.add(key, owner, 'object');
    return 'blocked';
  }

  /** Whether a resync can be skipped; an object in doubt is reconciled. `changed`: the answer is no longer needed. */
  private async verdictOn(key: ObjectId): Promise<'confirmed' | 'doubt' | 'changed'> {
    const object = this.options.driftDetection && this.options.cluster.lastSeen(key);
    if (!object || object.metadata.deletionTimestamp !== undefined || isUnsettled(object)) return 'doubt';
    const changed = new Promise<'changed'>((resolve) => this.asked.set(sharedKeyOf(key), () => resolve('changed')));
    const answer = this.options.driftDetection!.confirms(key).then(
      (isConfirmed) => (isConfirmed ? ('confirmed' as const) : ('doubt' as const)),
      () => 'doubt' as const,
    );
    try {
      return await Promise.race([answer, changed]);
    } finally {
      this.asked.delete(sharedKeyOf(key));
    }
  }

  private nextSync(key: ObjectId): number | undefined {
    const period = this.options.reconciler.nextSync();
    return period === undefined ? undefined : this.options.driftDetection!.nextIn(key, period);
  }

  private handleAzureObject(event: ObjectEvent, key: ObjectId): void {
    const { type, object } = event;
    // Others may wait for an object that another replica looks after, e.g. in the tree of another owner.
    if (!this.mayConcern(event, key)) {
      if (type === 'DELETED') this.options.reconciler.wasDeleted(object);
      if (concernsDependents(event)) this.wake(key);
      return;
    }
    if (type !== 'DELETED' && object.metadata.deletionTimestamp === undefined && isUnsettled(object)) {
      this.options.dependencies.waits(object);
    } else {
      this.options.dependencies.waitsNoMore(key);
    }
    if (event.type === 'DELETED') {
      this.owned.delete(sharedKeyOf(key));
      this.queue.forget(key);
      this.options.reconciler.forget(key);
      this.options.reconciler.wasDeleted(object);
    } else if (triggersReconcile(event)) {
      if (event.type === 'ADDED' && this.started) this.takeOn(key, event.object);
      // After a start, objects that are Ready only need a check: they must not block the others.
      if (event.type === 'ADDED' && !this.started && !isUnsettled(event.object)) this.queue.add(key, 'resync');
      else this.addFresh(key);
    }
    if (concernsDependents(event)) this.wake(key);
  }

  /** Before the start all objects may be this replica's: `start` enqueues only those that are. */
  private mayConcern({ type, object }: ObjectEvent, key: ObjectId): boolean {
    if (!this.isShared || !this.started) return true;
    if (type === 'DELETED') return this.owned.has(sharedKeyOf(key));
    if (!this.owns(key)) {
      this.giveUp(key);
      return false;
    }
    // Its owner was not known before, or the share has just changed.
    if (type !== 'ADDED' && !this.owned.has(sharedKeyOf(key))) {
      this.takeOn(key, object);
      this.addFresh(key);
    }
    return true;
  }

  private handleNamespace(event: ObjectEvent): void {
    const { type, object, previous } = event;
    const isCredentialRule = credentialRulesChanged(event);
    if (!isCredentialRule && !policyChanged(previous, type === 'DELETED' ? undefined : object)) return;
    for (const { store, type: { group } } of this.options.cluster.watched) {
      if (group === '') continue;
      for (const affected of store.list(object.metadata.name)) {
        if (isCredentialRule || !annotation(affected, RECONCILE_POLICY)) this.addFresh(objectIdOf(affected));
      }
    }
  }

  /** Changed imported data is sent and a changed credential is tried at once; for other dependencies, only waiting objects are enqueued. */
  private wake(needed: ObjectId): void {
    for (const { key, use } of this.options.dependencies.on(needed)) {
      const dependent: KubernetesObject | undefined = this.options.cluster.lastSeen(key);
      if (!dependent || (use === 'object' && (!isUnsettled(dependent) || isPolled(dependent)))) continue;
      if (use === 'credential') this.options.reconciler.lookAgain(key);
      if (use === 'object' && this.queue.isRunning(sharedKeyOf(key))) this.woken.add(sharedKeyOf(key));
      else this.addFresh(key);
    }
  }
}
