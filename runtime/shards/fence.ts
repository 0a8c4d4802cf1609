import { MAX_DRIFT_MS, TERM_MS } from './timing';

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

/**
 * The terms of the process, as numbers in memory that its threads share: a thread that was blocked sees the end of a term at once, without
 * a message.
 */
export class Fence {
  private readonly numbers: BigInt64Array;

  /** @param memory of another thread's fence; default: a new one */
  public constructor(
    private readonly clocks: Clocks,
    public readonly memory: SharedArrayBuffer = new SharedArrayBuffer(LENGTH * BigInt64Array.BYTES_PER_ELEMENT),
  ) {
    this.numbers = new BigInt64Array(memory);
  }

  /** Whether the term has neither ended, nor is in doubt because one clock went on without the other. */
  public isCurrent(term: TermName): boolean {
    if (this.hasEnded(term)) return false;
    const { now, elapsed } = momentOf(this.clocks);
    return Math.abs(now - elapsed - this.read(indexOf(term) + 1)) <= MAX_DRIFT_MS;
  }

  /** Whether the term has ended by the monotonic clock, or never begun. */
  public hasEnded(term: TermName): boolean {
    return this.clocks.elapsed() >= this.read(indexOf(term));
  }

  /** Milliseconds until the monotonic end. */
  public left(term: TermName): number {
    return this.read(indexOf(term)) - this.clocks.elapsed();
  }

  /** A term from the moment before the renewal was sent. An older moment than before changes nothing. */
  public renew(term: TermName, sent: Moment): void {
    const index = indexOf(term);
    const end = Math.floor(sent.elapsed + TERM_MS);
    if (end <= this.read(index)) return;
    this.write(index + 1, Math.floor(sent.now - sent.elapsed));
    this.write(index, end);
  }

  public end(term: TermName): void {
    this.write(indexOf(term), 0);
  }

  /** Snapshots of ownership that are older than this epoch allow nothing. */
  public get epoch(): number {
    return this.read(EPOCH);
  }

  public set epoch(epoch: number) {
    this.write(EPOCH, epoch);
  }

  private read(index: number): number {
    return Number(Atomics.load(this.numbers, index));
  }

  private write(index: number, value: number): void {
    Atomics.store(this.numbers, index, BigInt(value));
  }
}

function indexOf(term: TermName): number {
  return term === 'own' ? OWN : GROUP;
}
