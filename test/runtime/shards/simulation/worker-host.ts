import type { Journal } from './journal';
import type { Machine } from './machine';
import type { Assignment, Ownership } from '../../../../runtime/shards/ownership';
import type { Random } from '../../../simulation/random';

export interface HostTraits {
  /** The longest time for caches to be filled, in milliseconds. */
  readonly slowestFill: number;
  /** The most requests of one piece of work. */
  readonly longestWork: number;
}

/** The longest that one request is under way. Less than what the terms leave. */
const LONGEST_REQUEST = 2_500;

/** The rest of a replica: it works on keys that it owns, piece by piece, each of several requests, and asks before each. */
export class WorkerHost {
  private readonly working = new Map<string, Promise<void>>();
  private aborting = false;
  private next: Assignment | undefined;

  public constructor(
    private readonly name: string,
    private readonly machine: Machine,
    private readonly journal: Journal,
    private readonly random: Random,
    private readonly keys: readonly string[],
    private readonly traits: HostTraits,
    private readonly ownership: Ownership,
  ) {}

  public start(): void {
    const again = () => {
      this.begin(this.random.pick(this.keys));
      this.machine.after(this.random.between(200, 2_500), again);
    };
    this.machine.after(this.random.between(0, 1_000), again);
  }

  public async prepare(next: Assignment, signal: AbortSignal): Promise<void> {
    this.next = next;
    this.aborting = false;
    signal.addEventListener('abort', () => (this.aborting = true), { once: true });
    const drained = Promise.all([...this.working].filter(([key]) => this.leaving(key)).map(([, work]) => work));
    const filled = new Promise<void>((resolve) => {
      this.machine.after(this.random.between(20, this.traits.slowestFill), resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.all([drained, filled]);
  }

  private leaving(key: string): boolean {
    return this.next !== undefined && !this.next.owns(key);
  }

  private begin(key: string): void {
    if (this.working.has(key) || this.leaving(key) || !this.ownership.owns(key)) return;
    const work = this.work(key).finally(() => this.working.delete(key));
    this.working.set(key, work);
  }

  private async work(key: string): Promise<void> {
    for (let left = this.random.between(1, this.traits.longestWork); left > 0; left -= 1) {
      if ((this.aborting && this.leaving(key)) || !this.ownership.owns(key)) return;
      const milliseconds = this.random.between(50, LONGEST_REQUEST);
      this.journal.write(this.name, key, milliseconds);
      await new Promise<void>((resolve) => this.machine.after(milliseconds, resolve));
    }
  }
}
