import type { Scheduler } from '../../../simulation/scheduler';

/** A process that may say that it owns a key now. */
export interface Claimant {
  readonly name: string;
  /** Whether it could act at this moment: it runs. */
  readonly isRunning: boolean;
  says(key: string): boolean;
}

/** A request that changes something, from the moment when it is sent until it has been carried out. */
interface Write {
  readonly by: string;
  readonly until: number;
}

/** Judges by what happens in true time. It knows nothing of the protocol. */
export class Journal {
  public readonly violations: string[] = [];
  public writes = 0;
  /** Moments at which somebody came to own something. */
  public takeOvers = 0;
  private readonly claimants = new Set<Claimant>();
  private readonly owners = new Map<string, Set<Claimant>>();
  private readonly underWay = new Map<string, Write[]>();

  public constructor(private readonly scheduler: Scheduler, private readonly keys: readonly string[]) {}

  public enter(claimant: Claimant): void {
    this.claimants.add(claimant);
  }

  public leave(claimant: Claimant): void {
    this.claimants.delete(claimant);
    for (const owners of this.owners.values()) owners.delete(claimant);
  }

  /** Looks at a claimant after something has happened in it. */
  public look(claimant: Claimant): void {
    if (!this.claimants.has(claimant) || !claimant.isRunning) return;
    for (const key of this.keys) {
      const owners = this.ownersOf(key);
      if (!claimant.says(key)) {
        owners.delete(claimant);
        continue;
      }
      if (owners.has(claimant)) continue;
      // The ownership of others may have ended since they were looked at.
      for (const other of owners) if (!other.says(key)) owners.delete(other);
      owners.add(claimant);
      this.takeOvers += 1;
      const running = [...owners].filter(({ isRunning }) => isRunning);
      if (running.length > 1) this.violate(`${quoted(key)} is owned by ${running.map(({ name }) => name).join(' and ')}`);
    }
  }

  public lookAtAll(): void {
    for (const claimant of this.claimants) this.look(claimant);
  }

  /** A request that changes something is sent, and takes so long. */
  public write(by: string, key: string, milliseconds: number): void {
    const { time } = this.scheduler;
    this.writes += 1;
    const others = (this.underWay.get(key) ?? []).filter(({ until }) => until > time);
    const other = others.find((write) => write.by !== by);
    if (other) this.violate(`${quoted(key)}: ${by} writes, and a write of ${other.by} is under way`);
    this.underWay.set(key, [...others, { by, until: time + milliseconds }]);
  }

  /** Keys that not exactly one owns. */
  public unsettled(): string[] {
    return this.keys.flatMap((key) => {
      const owners = [...this.claimants].filter((claimant) => claimant.isRunning && claimant.says(key));
      return owners.length === 1 ? [] : [`${quoted(key)} is owned by ${owners.map(({ name }) => name).join(' and ') || 'nobody'}`];
    });
  }

  private ownersOf(key: string): Set<Claimant> {
    let owners = this.owners.get(key);
    if (!owners) this.owners.set(key, owners = new Set());
    return owners;
  }

  private violate(text: string): void {
    if (this.violations.length < 20) this.violations.push(`${(this.scheduler.time / 1_000).toFixed(3)} s: ${text}`);
  }
}

function quoted(key: string): string {
  return key === '' ? 'the cluster' : key;
}
