import { MAX_DRIFT_MS, TERM_MS } from './timing';
import { SharedTimes } from '../shared-times';

/** The clocks of a process, in milliseconds. */
export interface Clocks {
  /** The wall clock. */
  now(): number;
  /** A monotonic clock that all threads of the process share. */
  elapsed(): number;
}

/** A moment, by both clocks. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

export function momentOf(clocks: Clocks): Moment {
  return { now: clocks.now(), elapsed: clocks.elapsed() };
}

/** The terms of a process: of its own Lease, and of the group's. */
export type TermName = 'own' | 'group';

const [OWN, GROUP, EPOCH, LENGTH] = [0, 2, 4, 5];

/** The terms of the process, in memory that its threads share: a thread that was blocked sees the end of a term at once. */
export class Fence {
  private readonly shared: SharedTimes;

  /** @param memory of another thread's fence; default: a new one */
  public constructor(private readonly clocks: Clocks, memory?: SharedArrayBuffer) {
    this.shared = new SharedTimes(memory ?? LENGTH);
  }

  /** For the fence of another thread. */
  public get memory(): SharedArrayBuffer {
    return this.shared.memory;
  }

  /** Whether the term has neither ended, nor is in doubt because one clock went on without the other. */
  public isCurrent(term: TermName): boolean {
    if (this.hasEnded(term)) return false;
    const { now, elapsed } = momentOf(this.clocks);
    return Math.abs(now - elapsed - this.shared.read(indexOf(term) + 1)) <= MAX_DRIFT_MS;
  }

  /** Whether the term has ended by the monotonic clock, or never begun. */
  public hasEnded(term: TermName): boolean {
    return this.clocks.elapsed() >= this.shared.read(indexOf(term));
  }

  /** Milliseconds until the monotonic end. */
  public left(term: TermName): number {
    return this.shared.read(indexOf(term)) - this.clocks.elapsed();
  }

  /** A term from the moment before the renewal was sent. An older moment than before changes nothing. */
  public renew(term: TermName, sent: Moment): void {
    const index = indexOf(term);
    const end = Math.floor(sent.elapsed + TERM_MS);
    if (end <= this.shared.read(index)) return;
    this.shared.write(index + 1, sent.now - sent.elapsed);
    this.shared.write(index, end);
  }

  public end(term: TermName): void {
    this.shared.write(indexOf(term), 0);
  }

  /** Snapshots of ownership that are older than this epoch allow nothing. */
  public get epoch(): number {
    return this.shared.read(EPOCH);
  }

  public set epoch(epoch: number) {
    this.shared.write(EPOCH, epoch);
  }
}

function indexOf(term: TermName): number {
  return term === 'own' ? OWN : GROUP;
}
