import { Lane, type Waiting } from './lane';

/** Who may begin now. */
export interface Admission<T> {
  /** Whether there is a slot for the tenant, whatever the group. */
  readonly tenant: (tenant: string) => boolean;
  readonly group: (tenant: string, group: string) => boolean;
  /** Whether there is a slot of the group, whatever the tenant. */
  readonly anyOf: (group: string) => boolean;
  readonly gate: (item: T) => boolean;
}

/** Each so-manieth pick of a tenant goes by age instead of rank, so that no rank starves another. */
const BY_AGE = 4;

/** What waits of one tenant: the highest rank first, and where ranks are equal groups take turns. */
export class Tenant<T> {
  /** By group; who was served stands at the end. */
  private readonly lanes = new Map<string, Lane<T>>();
  private count = 0;
  private picks = 0;

  public constructor(public readonly name: string) {}

  public get size(): number {
    return this.count;
  }

  public add(waiting: Waiting<T>): void {
    let lane = this.lanes.get(waiting.group);
    if (!lane) this.lanes.set(waiting.group, (lane = new Lane()));
    lane.add(waiting);
    this.count += 1;
  }

  public replace(waiting: Waiting<T>): void {
    this.lanes.get(waiting.group)?.replace(waiting);
  }

  public remove(waiting: Waiting<T>): void {
    const lane = this.lanes.get(waiting.group);
    if (!lane) return;
    lane.remove(waiting);
    this.count -= 1;
    if (lane.size === 0) this.lanes.delete(waiting.group);
  }

  /** With another rank, also for those that are held back. */
  public rerank(before: Waiting<T>, after: Waiting<T>): void {
    const lane = this.lanes.get(before.group);
    if (!lane) return;
    const held = lane.isHeld(before.key);
    lane.remove(before);
    lane.add(after);
    if (held) lane.hold(after);
  }

  /** Takes the next item that may begin; those that the gate refuses are set aside, and `onHeld` is told. */
  public take({ group, gate }: Admission<T>, onHeld: () => void): Waiting<T> | undefined {
    const byAge = (this.picks + 1) % BY_AGE === 0;
    for (;;) {
      const lane = this.nextLane(byAge, group);
      if (!lane) return undefined;
      // The gate may refuse many of one lane in a row.
      const { topRank } = lane;
      while (lane.openCount > 0 && (byAge || lane.topRank === topRank)) {
        const next = (byAge ? lane.oldest : lane.best)!;
        if (gate(next.item)) {
          this.picks += 1;
          this.served(next, lane);
          return next;
        }
        lane.hold(next);
        onHeld();
      }
    }
  }

  public release(): void {
    for (const lane of this.lanes.values()) lane.release();
  }

  public get waiting(): readonly Waiting<T>[] {
    return [...this.lanes.values()].flatMap((lane) => [...lane.waiting]);
  }

  private nextLane(byAge: boolean, mayBegin: Admission<T>['group']): Lane<T> | undefined {
    let next: Lane<T> | undefined;
    for (const [group, lane] of this.lanes) {
      if (lane.openCount === 0 || (next && lane.topRank <= next.topRank) || !mayBegin(this.name, group)) continue;
      if (byAge) return lane;
      next = lane;
    }
    return next;
  }

  private served(taken: Waiting<T>, lane: Lane<T>): void {
    lane.remove(taken);
    this.count -= 1;
    this.lanes.delete(taken.group);
    if (lane.size > 0) this.lanes.set(taken.group, lane);
  }
}
