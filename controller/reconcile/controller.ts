import type { Cluster } from './cluster';
import type { Dependencies } from './dependencies';
import { LargeObjects } from './large-objects';
import { keyOf, textOf } from './object-key';
import type { Reconciler } from './reconciler';
import { concernsDependents, dataChanged, isUnderWay, isUnsettled, policyChanged, triggersReconcile } from './triggers';
import type { Clock } from '../../engine/clock';
import type { KubernetesObject, ObjectEvent, ObjectKey } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import { ThrottledError } from '../budget';
import { WorkQueue, type Priority, type WorkQueueObserver } from '../work-queue';

/** Which reconciles may begin now. */
export interface Gate {
  /** Asked for every reconcile that is about to begin. */
  isOpen(key: ObjectKey, priority: Priority): boolean;
  /** To be told when it may be open for somebody for whom it was not. */
  onOpen(listener: () => void): void;
  /** Something has changed of an object whose reconcile runs: if it only looks, and has not begun to, it is throttled, and has another one at once. */
  changed?(key: ObjectKey): void;
}

/** What looks at many objects at once. */
export interface DriftDetection {
  /** Whether the object is known to be as it should be in Azure, so that no reconcile is needed; never true in doubt. */
  confirms(key: ObjectKey): Promise<boolean>;
  /** In how many milliseconds a confirmed object is to be looked at again, where a sync is due `period` after a look: what was seen may be of before. */
  nextIn(key: ObjectKey, period: number): number;
}

export interface ControllerOptions {
  readonly cluster: Cluster;
  readonly reconciler: Reconciler;
  readonly dependencies: Dependencies;
  readonly clock: Clock;
  /** Reconciles at a time of one kind. Default: `RECONCILES_PER_KIND`. */
  readonly concurrencyPerKind?: number;
  /** Reconciles at a time in all. Default: 256. */
  readonly concurrency?: number;
  /** Holds reconciles back that could only wait for Azure. Default: always open. */
  readonly gate?: Gate;
  /** Default: every object is looked at by itself. */
  readonly driftDetection?: DriftDetection;
  /** A reconcile ended without a result: conflicts, an API server that does not answer, a mistake of ours. It is tried again. */
  readonly onError?: (key: ObjectKey, error: unknown, retryInMilliseconds: number) => void;
  /** Told of what happens in the queue, for metrics. */
  readonly observer?: WorkQueueObserver<ObjectKey>;
}

/** Reconciles mostly wait for Azure and for the API server, so many may run at once; what Azure takes is the business of the budget. */
const CONCURRENCY = 256;
/** A kind whose resource provider does not answer holds half of them at most. */
export const RECONCILES_PER_KIND = CONCURRENCY / 2;
/** Of a reconcile that was throttled and whose gate is open: it must not go round in cycles. */
const SHORTEST_WAIT = 250;

/** Turns events into reconciles: one queue, one reconcile of an object at a time, and whoever waits for something starts the moment that it is there. */
export class Controller {
  private readonly queue: WorkQueue<ObjectKey>;
  private readonly large = new LargeObjects();
  /** What somebody needs came while its reconcile ran. */
  private readonly woken = new Set<string>();
  /** Objects about which batch drift detection is asked, and what ends the wait for its answer. */
  private readonly asked = new Map<string, () => void>();
  private started = false;

  public constructor(private readonly options: ControllerOptions) {
    this.queue = new WorkQueue<ObjectKey>({
      clock: options.clock,
      keyOf: textOf,
      groupOf: ({ group, kind }) => `${group}/${kind}`,
      tenantOf: ({ namespace }) => namespace,
      rankOf: (key) => options.dependencies.rankOf(key),
      concurrencyPerGroup: options.concurrencyPerKind ?? RECONCILES_PER_KIND,
      concurrency: options.concurrency ?? CONCURRENCY,
      process: async (key, signal, priority) => {
        try {
          const verdict = priority === 'resync' ? await this.verdictOn(key) : 'doubt';
          // It has its reconcile with what has changed.
          if (verdict === 'changed') return;
          const next = verdict === 'confirmed' ? this.nextSync(key) : await this.reconcile(key, signal, priority);
          if (next !== undefined) this.queue.addAfter(key, next, isUnderWay(options.cluster.lastSeen(key)) ? 'fresh' : 'resync');
        } catch (error) {
          if (!(error instanceof ThrottledError)) throw error;
          this.waitForRoom(key, priority, error);
        } finally {
          // The reconcile may have seen it: then there is nothing left to do, and what is in Azure is not sent again.
          const object = this.woken.delete(textOf(key)) ? options.cluster.lastSeen(key) : undefined;
          if (object && isUnsettled(object)) this.addFresh(key);
        }
      },
      onError: (key, error, delay) => options.onError?.(key, error, delay),
      gate: (key, priority) => this.mayBegin(key, priority),
      observer: options.observer,
    });
    options.gate?.onOpen(() => this.queue.wake());
    options.dependencies.onRankChanged((text) => this.queue.rerank(text));
    options.reconciler.onTurn((key) => this.addFresh(key));
  }

  /** Begins with the reconciles; events are taken from the construction on. */
  public start(): void {
    this.started = true;
    for (const { type, store } of this.options.cluster.watched) {
      if (type.group !== '') store.list().forEach((object) => this.options.reconciler.observeInitial(object));
    }
    this.queue.start();
  }

  /** Begins no reconcile any more, and lets those that run come to their end: what they have begun in Azure is written down. */
  public drain(): Promise<void> {
    return this.queue.drain();
  }

  /** Cuts off what runs. Nothing is lost by it that the next start would not find again. */
  public stop(): Promise<void> {
    return this.queue.stop();
  }

  public get load(): { readonly waiting: number; readonly delayed: number; readonly running: number } {
    return { waiting: this.queue.depth, delayed: this.queue.delayedCount, running: this.queue.runningCount };
  }

  /** What an informer tells. */
  public handle(event: ObjectEvent): void {
    const key = keyOf(event.object);
    if (key.group !== '') return this.handleAzureObject(event, key);
    if (key.kind === 'Namespace') return this.handleNamespace(event);
    if (dataChanged(event)) this.wake(key);
  }

  /** Of a kind of which something was not known, it may be known now: whoever waits for it is looked at again. */
  public known({ group, kind }: Pick<ObjectKey, 'group' | 'kind'>): void {
    for (const key of this.options.reconciler.takeWaiting(group, kind)) this.addFresh(key);
  }

  private mayBegin(key: ObjectKey, priority: Priority): boolean {
    const { gate, cluster } = this.options;
    if (gate && !gate.isOpen(key, priority)) return false;
    const object = cluster.lastSeen(key);
    return !object || this.large.mayBegin(object);
  }

  private async reconcile(key: ObjectKey, signal: AbortSignal, priority: Priority): Promise<number | undefined> {
    const { reconciler, cluster } = this.options;
    const object = cluster.lastSeen(key);
    const end = object && this.large.begin(object);
    try {
      return await reconciler.reconcile(key, signal, priority);
    } finally {
      if (end) {
        end();
        this.queue.wake();
      }
    }
  }

  /** Nothing is wrong with the object: it waits in the queue, behind its gate, and where the gate knows nothing of it, for a while. */
  private waitForRoom(key: ObjectKey, priority: Priority, { retryIn }: ThrottledError): void {
    const isClosed = this.options.gate?.isOpen(key, priority) === false;
    this.queue.addAfter(key, isClosed ? 0 : Math.max(retryIn, SHORTEST_WAIT), priority);
  }

  /** Something has changed: also what runs now only to look, and still waits to hear whether it has to, or for room to do so, makes room. */
  private addFresh(key: ObjectKey): void {
    const text = textOf(key);
    const isRunning = this.queue.isRunning(text);
    this.queue.add(key);
    if (!isRunning) return;
    this.asked.get(text)?.();
    this.options.gate?.changed?.(key);
  }

  /** Whether a resync has nothing to find: whoever is in doubt has a reconcile. `changed`: the answer is not needed any more. */
  private async verdictOn(key: ObjectKey): Promise<'confirmed' | 'doubt' | 'changed'> {
    const object = this.options.driftDetection && this.options.cluster.lastSeen(key);
    if (!object || object.metadata.deletionTimestamp !== undefined || isUnsettled(object)) return 'doubt';
    const changed = new Promise<'changed'>((resolve) => this.asked.set(textOf(key), () => resolve('changed')));
    const answer = this.options.driftDetection!.confirms(key).then((isConfirmed) => (isConfirmed ? 'confirmed' as const : 'doubt' as const), () => 'doubt' as const);
    try {
      return await Promise.race([answer, changed]);
    } finally {
      this.asked.delete(textOf(key));
    }
  }

  private nextSync(key: ObjectKey): number | undefined {
    const period = this.options.reconciler.nextSync();
    return period === undefined ? undefined : this.options.driftDetection!.nextIn(key, period);
  }

  private handleAzureObject(event: ObjectEvent, key: ObjectKey): void {
    const { type, object } = event;
    if (type !== 'DELETED' && object.metadata.deletionTimestamp === undefined && isUnsettled(object)) this.options.dependencies.waits(object);
    else this.options.dependencies.waitsNoMore(key);
    if (event.type === 'DELETED') {
      this.queue.forget(key);
      this.options.reconciler.forget(key);
    } else if (triggersReconcile(event)) {
      if (event.type === 'ADDED' && this.started) this.options.reconciler.observeInitial(event.object);
      // After a start, what is Ready already only has to be looked at: it must not be in the way of what is not.
      if (event.type === 'ADDED' && !this.started && !isUnsettled(event.object)) this.queue.add(key, 'resync');
      else this.addFresh(key);
    }
    if (concernsDependents(event)) this.wake(key);
  }

  private handleNamespace({ type, object, previous }: ObjectEvent): void {
    if (!policyChanged(previous, type === 'DELETED' ? undefined : object)) return;
    for (const { store, type: { group } } of this.options.cluster.watched) {
      if (group === '') continue;
      for (const affected of store.list(object.metadata.name)) {
        if (!annotation(affected, RECONCILE_POLICY)) this.addFresh(keyOf(affected));
      }
    }
  }

  /** Imported data is sent whenever it changes, another credential is tried at once; everything else is only waited for. */
  private wake(needed: ObjectKey): void {
    for (const { key, use } of this.options.dependencies.on(needed)) {
      const dependent: KubernetesObject | undefined = this.options.cluster.lastSeen(key);
      if (!dependent || (use === 'object' && !isUnsettled(dependent))) continue;
      if (use === 'credential') this.options.reconciler.lookAgain(key);
      if (use === 'object' && this.queue.isRunning(textOf(key))) this.woken.add(textOf(key));
      else this.addFresh(key);
    }
  }
}
