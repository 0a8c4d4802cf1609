import { WAYS, type WayName } from './ways';
import { Deterministic } from '../model/deterministic';

/** So many of a hundred seeds use a way: a seed that leaves some out tells more about those that it has. */
const SEED_USES = 60;

/**
 * The contrary mode: how Azure answers is decided by the seed, the way and what the answer is about, so that a run can be repeated. A seed
 * is any text, or `SEED:WAY,WAY` for these ways alone.
 *
 * @throws Error for a way that there is not
 */
export class Contrary {
  /** In the order of the table. */
  public readonly ways: readonly WayName[];
  private readonly values: Deterministic;
  private readonly percents = new Map<string, number>(WAYS.map(({ name, percent }) => [name, percent]));
  private readonly counts = new Map<string, number>();

  public constructor(public readonly seed: string) {
    const [text = '', list] = seed.split(':', 2);
    this.values = new Deterministic(`contrary ${text}`);
    this.ways = list === undefined ? this.drawn() : chosen(list);
  }

  /** Whether the answer about these words is told in a way. */
  public does(way: WayName, ...words: (string | number)[]): boolean {
    return this.ways.includes(way) && this.values.integer(0, 100, way, ...words) < this.percents.get(way)!;
  }

  public pick<T>(choices: readonly [T, ...T[]], ...words: (string | number)[]): T {
    return choices[this.values.integer(0, choices.length, 'pick', ...words)] ?? choices[0];
  }

  /** How often it was asked about these words before: for what differs from answer to answer. */
  public count(...words: string[]): number {
    const key = words.join(' ');
    const count = this.counts.get(key) ?? 0;
    this.counts.set(key, count + 1);
    return count;
  }

  /** A line for logs. */
  public get text(): string {
    return `Azure answers in other ways: seed ${this.seed} (${this.ways.join(', ')})`;
  }

  private drawn(): WayName[] {
    return WAYS.filter(({ name }) => this.values.integer(0, 100, 'uses', name) < SEED_USES).map(({ name }) => name);
  }
}

function chosen(list: string): WayName[] {
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !WAYS.some((way) => way.name === name));
  if (unknown !== undefined) throw new Error(`there is no way '${unknown}'; the ways are ${WAYS.map(({ name }) => name).join(', ')}`);
  return WAYS.filter(({ name }) => names.includes(name)).map(({ name }) => name);
}
