import { ClaimReconciler } from './claim-reconciler';
import type { ClaimKind } from './types';
import type { Clock } from '../../engine/clock';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes';
import { KeyedBackoff } from '../../engine/kubernetes';
import { WorkQueue, type Priority, type WorkQueueObserver } from '../../runtime/work-queue';
import { APPLY_SET_PART_OF } from '../../src/azure/annotations';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import { applySetId } from '../apply/apply-set';
import type { Problem } from '../apply/decide';

export interface ComposerControllerOptions {
  readonly kinds: readonly ClaimKind[];
  readonly reconciler: Pick<ClaimReconciler, 'reconcile' | 'forget' | 'readersOf'>;
  readonly clock: Clock;
  /** Reconciles at a time. Default: 16. */
  readonly concurrency?: number;
  /** Whether claims of the kind are worked on: its CRD is this composer's. */
  readonly isOurs: (group: string, kind: string) => boolean;
  readonly observer?: WorkQueueObserver<ObjectId>;
  readonly onDone: (key: ObjectId, seconds: number, outcome: 'done' | 'problem' | 'error', problem: Problem | undefined) => void;
  readonly onError: (key: ObjectId, error: unknown, retryInMs: number) => void;
}

const CONCURRENCY = 16;
/** Time in which events of composed and read objects are collected: many change at once. */
const COLLECT_MS = 200;
/** Between two looks at a claim without any event. */
const RESYNC_MS = 10 * 60_000;
/** Between two looks whether a kind has become this composer's: the list of CRDs may be complete a moment after the start. */
const NOT_OURS = { base: 500, max: 30_000, jitter: 0.2 };
/** Of claims with a problem. */
const RETRY = { base: 5_000, max: 300_000, jitter: 0.2 };

/** Has claims reconciled: after their events, those of their objects and of what they read, and at intervals. */
export class ComposerController {
  private readonly queue: WorkQueue<ObjectId>;
  private readonly backoff: KeyedBackoff;
  private readonly notOurs: KeyedBackoff;
  /** Claims by the id of their ApplySet. */
  private readonly claimOf = new Map<string, ObjectId>();

  public constructor(private readonly options: ComposerControllerOptions) {
    const { clock, concurrency = CONCURRENCY } = options;
    this.backoff = new KeyedBackoff(RETRY, () => clock.random());
    this.notOurs = new KeyedBackoff(NOT_OURS, () => clock.random());
    this.queue = new WorkQueue<ObjectId>({
      clock,
      keyOf: textOf,
      groupOf: ({ group, kind }) => `${kind}.${group}`,
      tenantOf: ({ namespace }) => namespace,
      concurrency,
      concurrencyPerGroup: concurrency,
      process: (key) => this.process(key),
      onError: (key, error, retryInMs) => options.onError(key, error, retryInMs),
      observer: options.observer,
    });
  }

  public start(): void {
    this.queue.start();
  }

  /** Claims that wait to be reconciled. */
  public get depth(): number {
    return this.queue.depth;
  }

  public enqueue(claim: KubernetesObject, priority: Priority = 'fresh'): void {
    this.queue.add(objectIdOf(claim), priority);
  }

  /** Begins nothing new, and resolves when the running reconciles have ended. */
  public drain(): Promise<void> {
    return this.queue.drain();
  }

  /** The event of a claim, of a composed object, or of one that claims read. */
  public handle(event: ObjectEvent): void {
    const { type, object, previous } = event;
    const key = objectIdOf(object);
    for (const { claim, afterMs } of this.options.reconciler.readersOf(event)) this.queue.addAfter(claim, Math.max(COLLECT_MS, afterMs), 'fresh');
    // A claim may be composed for a claim of another kind.
    this.handleComposed(object);
    if (!this.isClaim(key)) return;
    const id = applySetId(key);
    if (type === 'DELETED') {
      this.claimOf.delete(id);
      this.backoff.forget(textOf(key));
      this.notOurs.forget(textOf(key));
      this.queue.forget(key);
      this.options.reconciler.forget(key);
      this.handleHolder(key);
      return;
    }
    this.claimOf.set(id, key);
    // The composer's own status is no reason to look again.
    if (previous && isSameClaim(previous, object)) return;
    this.queue.add(key, previous || type === 'MODIFIED' ? 'fresh' : 'resync');
  }

  private handleComposed(object: KubernetesObject): void {
    const key = this.claimOf.get(object.metadata.labels?.[APPLY_SET_PART_OF] ?? '');
    if (key) this.queue.addAfter(key, COLLECT_MS, 'fresh');
  }

  /** A claim is gone that may have held up the deletion of the claim that has the name of its namespace. */
  private handleHolder({ group, kind, namespace }: ObjectId): void {
    for (const held of this.options.kinds.filter(({ heldBy = [] }) => heldBy.some((one) => one.group === group && one.kind === kind))) {
      this.queue.addAfter({ group: held.group, kind: held.kind, namespace: '', name: namespace }, COLLECT_MS, 'fresh');
    }
  }

  private isClaim({ group, kind }: ObjectId): boolean {
    return this.options.kinds.some((one) => one.group === group && one.kind === kind);
  }

  private async process(key: ObjectId): Promise<void> {
    if (!this.options.isOurs(key.group, key.kind)) return this.queue.addAfter(key, this.notOurs.next(textOf(key)), 'resync');
    this.notOurs.forget(textOf(key));
    const began = performance.now();
    const report = (outcome: 'done' | 'problem' | 'error', problem?: Problem) =>
      this.options.onDone(key, (performance.now() - began) / 1000, outcome, problem);
    try {
      const { problem, againAfterMs } = await this.options.reconciler.reconcile(key);
      report(problem ? 'problem' : 'done', problem);
      if (problem?.isTriedAgain) this.queue.addAfter(key, this.backoff.next(textOf(key)), 'resync');
      else this.backoff.forget(textOf(key));
      if (againAfterMs !== undefined) this.queue.addAfter(key, againAfterMs, 'resync');
      else if (!problem) this.queue.addAfter(key, RESYNC_MS * (1 - this.options.clock.random() / 10), 'resync');
    } catch (error) {
      report('error');
      throw error;
    }
  }
}

function textOf({ group, kind, namespace, name }: ObjectId): string {
  return `${kind}.${group}/${namespace}/${name}`;
}

/** Whether nothing but the status differs. */
function isSameClaim(a: KubernetesObject, b: KubernetesObject): boolean {
  const text = ({ metadata: { uid, generation, deletionTimestamp, labels, annotations, finalizers } }: KubernetesObject) =>
    JSON.stringify([uid, generation, deletionTimestamp, labels, annotations, finalizers]);
  return text(a) === text(b);
}
