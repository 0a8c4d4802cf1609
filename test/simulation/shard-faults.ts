import type { Cut, Process } from './process';
import type { Random } from './random';

/** Faults of replicas that share the namespaces. Each seed has some of them. */
export const SHARD_FAULTS = [
  'kills',
  'standstills',
  'suspensions',
  'blocked threads',
  'partitions',
  'muteness',
  'Azure partitions',
  'clock steps',
  'deleted Leases',
  'leaving',
] as const;

export type ShardFault = (typeof SHARD_FAULTS)[number];

/** A replica, as faults see it. */
export interface Victim {
  readonly identity: string;
  readonly main: Process;
  readonly supervisor: Process;
  kill(): void;
  /** SIGTERM; another one comes some time later. */
  leave(): void;
}

export interface ShardFaultsOptions {
  readonly random: Random;
  readonly without: readonly string[];
  readonly after: (milliseconds: number, act: () => void) => void;
  readonly victims: () => readonly Victim[];
  /** Replicas that are active and know each other. */
  readonly settledMembers: () => readonly string[];
  readonly deleteLease: (identity: string) => void;
  /** A suspension and a step of the wall clock may not be told from each other within this time (docs/sharding.md, limits). */
  readonly termMs: number;
  readonly log: (line: string) => void;
}

const MINUTE = 60_000;
const LONGEST_MS = 2 * MINUTE;

/** Disturbs replicas, one at a time, until faults stop. */
export class ShardFaults {
  public readonly chosen: readonly ShardFault[];
  /** Number of times that each has happened. */
  public readonly happened = new Map<ShardFault, number>();
  private isOver = false;
  /** When a clock of a replica did something odd. */
  private readonly oddAt = new Map<string, { readonly what: ShardFault; readonly until: number }>();

  public constructor(private readonly options: ShardFaultsOptions) {
    const { random, without } = options;
    const share = random.pick([0.2, 0.5, 0.9]);
    this.chosen = SHARD_FAULTS.filter((fault) => random.chance(share) && !without.includes(fault));
  }

  public begin(): void {
    const { random, after } = this.options;
    after(random.between(10_000, 2 * MINUTE), () => {
      if (this.isOver) return;
      if (this.chosen.length > 0) this.strike(random.pick(this.chosen));
      this.begin();
    });
  }

  public stop(): void {
    this.isOver = true;
    for (const { main } of this.options.victims()) main.cut.clear();
  }

  private strike(fault: ShardFault): void {
    const { random, victims, log } = this.options;
    const all = victims();
    if (all.length === 0) return;
    const victim = random.pick(all);
    const milliseconds = random.between(1_000, LONGEST_MS);
    if (!this.happens(fault, victim, milliseconds)) return;
    this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
    log(`${fault}: ${victim.identity}, ${milliseconds} ms`);
  }

  private happens(fault: ShardFault, victim: Victim, milliseconds: number): boolean {
    const { random, settledMembers, deleteLease } = this.options;
    const { main, supervisor, identity } = victim;
    switch (fault) {
      case 'kills':
        victim.kill();
        return true;
      case 'standstills':
        [main, supervisor].forEach((thread) => thread.pause(milliseconds));
        return true;
      case 'suspensions':
        if (main.isSuspended || !this.isOdd(fault, victim, milliseconds)) return false;
        main.suspend(milliseconds);
        [main, supervisor].forEach((thread) => thread.pause(milliseconds));
        return true;
      case 'blocked threads':
        main.pause(milliseconds);
        return true;
      case 'partitions':
        return this.cuts(main, 'kube', milliseconds);
      case 'muteness':
        return this.cuts(main, 'answers', milliseconds);
      case 'Azure partitions':
        return this.cuts(main, 'azure', milliseconds);
      case 'clock steps':
        if (!this.isOdd(fault, victim, 0)) return false;
        main.skew += random.pick([-1, 1]) * random.pick([500, 5_000, 20_000, 300_000]);
        return true;
      case 'deleted Leases':
        // Where no other replica has known it, newcomers cannot know of it.
        if (settledMembers().length < 3 || !settledMembers().includes(identity)) return false;
        deleteLease(identity);
        return true;
      case 'leaving':
        victim.leave();
        return true;
    }
  }

  private cuts({ cut }: Process, what: Cut, milliseconds: number): boolean {
    if (cut.has(what)) return false;
    cut.add(what);
    this.options.after(milliseconds, () => cut.delete(what));
    return true;
  }

  private isOdd(what: ShardFault, { identity, main }: Victim, milliseconds: number): boolean {
    const now = main.trueTime;
    const before = this.oddAt.get(identity);
    if (before && before.what !== what && now < before.until) return false;
    this.oddAt.set(identity, { what, until: now + milliseconds + this.options.termMs });
    return true;
  }
}
