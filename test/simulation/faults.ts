import type { Random } from './random';

/** Faults of one run. Each seed picks some of them, so that rare combinations are not drowned by all at once. */
export const FAULTS = [
  'crash',
  'kubeLost',
  'kubeErrors',
  'staleCaches',
  'lostWatches',
  'armLost',
  'armErrors',
  'throttling',
  'duplicates',
  'slowOperations',
  'failedOperations',
  'lostOperations',
  'staleReads',
  'drift',
  'vanishing',
  'clockJumps',
  'credentials',
  'policies',
  'edits',
  'deletions',
  'namespaces',
  'recreations',
  'lazyAnswers',
  'stubborn',
  'lateLists',
  'garbled',
  'handmade',
  'pauses',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Decides what goes wrong, until all faults stop. */
export class Faults {
  public readonly chosen: ReadonlySet<Fault>;
  private stopped = false;

  /** `without`: these happen in no run, so that one can tell which fault a violation needs. */
  public constructor(private readonly random: Random, without: readonly string[] = []) {
    // Some runs have nearly everything, some next to nothing.
    const share = random.pick([0, 0.15, 0.3, 0.5, 0.8]);
    this.chosen = new Set(FAULTS.filter((fault) => random.chance(share) && !without.includes(fault)));
  }

  public get isOver(): boolean {
    return this.stopped;
  }

  public has(fault: Fault): boolean {
    return !this.stopped && this.chosen.has(fault);
  }

  /** Whether it happens now. */
  public strikes(fault: Fault, probability: number): boolean {
    return this.has(fault) && this.random.chance(probability);
  }

  public stop(): void {
    this.stopped = true;
  }
}
