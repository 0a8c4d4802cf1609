/* eslint-disable no-bitwise */
/** Chance from one seed (mulberry32): the same seed gives the same numbers, on every machine. */
export class Random {
  private state: number;

  public constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** Uniform in [0, 1). */
  public next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  public chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  public between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  public pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
}
