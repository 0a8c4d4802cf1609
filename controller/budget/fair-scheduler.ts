import type { Priority } from '../../runtime/work-queue';
import { setNewest } from '../../src/util/set-newest';

/** The properties of a waiting request that decide its turn. */
export interface Waiting {
  readonly namespace: string;
  readonly priority: Priority;
  /** Higher goes first: the length of the longest chain of objects that wait for this one. */
  readonly rank: number;
  /** Whether an earlier request of the same reconcile was let through: its results are lost unless the reconcile completes. */
  readonly hasBegun?: boolean;
  /** Grows with each request. */
  readonly number: number;
}

/** Every n-th token goes to a resync first, so that a stream of changes never starves resyncs. */
export const RESYNC_SHARE = 8;
/** Every n-th token of a namespace goes to its oldest request, so that a stream of high ranks starves no request. */
const OLDEST_SHARE = 4;
/** Namespaces to remember besides those with waiting requests. */
const MOST_NAMESPACES = 1_000;

/** Fair order: changes before resyncs, round robin over namespaces, then begun reconciles first, then by rank, then by age. */
export class FairScheduler {
  private served = 0;
  private readonly lastServed = new Map<string, { at: number; count: number }>();

  /** Whether a resync goes before changes this time. */
  public get isResyncNext(): boolean {
    return this.served % RESYNC_SHARE === RESYNC_SHARE - 1;
  }

  /** The candidate to serve next. */
  public next<T extends Waiting>(candidates: readonly T[]): T | undefined {
    const first: Priority = this.isResyncNext ? 'resync' : 'fresh';
    return candidates.reduce<T | undefined>((best, one) => (best === undefined || this.isBefore(one, best, first) ? one : best), undefined);
  }

  private isBefore(a: Waiting, b: Waiting, first: Priority): boolean {
    if (a.priority !== b.priority) return a.priority === first;
    if (a.namespace !== b.namespace) {
      const [atA, atB] = [this.lastServed.get(a.namespace)?.at ?? 0, this.lastServed.get(b.namespace)?.at ?? 0];
      return atA === atB ? a.namespace < b.namespace : atA < atB;
    }
    const [hasBegunA, hasBegunB] = [a.hasBegun ?? false, b.hasBegun ?? false];
    if (hasBegunA !== hasBegunB) return hasBegunA;
    const byAge = ((this.lastServed.get(a.namespace)?.count ?? 0) + 1) % OLDEST_SHARE === 0;
    return byAge || a.rank === b.rank ? a.number < b.number : a.rank > b.rank;
  }

  /** Records which request was served. */
  public serve({ namespace }: Waiting): void {
    this.served += 1;
    const count = (this.lastServed.get(namespace)?.count ?? 0) + 1;
    // The namespace served least recently goes first anyway.
    setNewest(this.lastServed, namespace, { at: this.served, count }, MOST_NAMESPACES);
  }
}
