import type { Priority } from '../work-queue';

/** What decides who of those that wait comes next. */
export interface Waiting {
  readonly namespace: string;
  readonly priority: Priority;
  /** Higher goes first: how many objects wait for this one, one after the other. */
  readonly rank: number;
  /** Whether its reconcile has been let through before: what it has found out is lost unless it comes to its end. */
  readonly hasBegun?: boolean;
  /** Grows with each request. */
  readonly number: number;
}

/** Each so-manieth token goes to a resync first, so that a stream of changes never starves them. */
export const RESYNC_SHARE = 8;
/** Each so-manieth token of a namespace goes to who has waited longest, so that a stream of high ranks starves nobody. */
const OLDEST_SHARE = 4;
/** Namespaces that are remembered beyond those that wait. */
const MOST_NAMESPACES = 1_000;

/** Fair turns: changes before resyncs, namespace after namespace, then what was begun before what was not, then by rank, then by age. */
export class FairScheduler {
  private served = 0;
  private readonly lastServed = new Map<string, { at: number; count: number }>();

  /** Whether a resync goes before what has changed this time. */
  public get isTurnOfResync(): boolean {
    return this.served % RESYNC_SHARE === RESYNC_SHARE - 1;
  }

  /** Of those that may be served now, the one that comes next. */
  public next<T extends Waiting>(candidates: readonly T[]): T | undefined {
    const first: Priority = this.isTurnOfResync ? 'resync' : 'fresh';
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

  /** Tells who was served. */
  public serve({ namespace }: Waiting): void {
    this.served += 1;
    const count = (this.lastServed.get(namespace)?.count ?? 0) + 1;
    this.lastServed.delete(namespace);
    this.lastServed.set(namespace, { at: this.served, count });
    // Who was not served for the longest time goes first anyway.
    if (this.lastServed.size > MOST_NAMESPACES) this.lastServed.delete(this.lastServed.keys().next().value!);
  }
}
