import type { Comparison, Path } from './comparison';

const MATCHER = Symbol.for('cdk8s-aso.assertions.Matcher');

/** Compares a value and reports where it differs. `Match` creates matchers; they may appear anywhere in a pattern. */
export abstract class Matcher {
  /**
   * Whether a value is a matcher, of whichever copy of this library.
   * @param value the value
   */
  public static isMatcher(value: any): boolean {
    return typeof value === 'object' && value !== null && MATCHER in value;
  }

  /** Name of the matcher, e.g. `objectLike`. */
  public abstract readonly name: string;

  protected constructor() {
    Object.defineProperty(this, MATCHER, { value: true });
  }

  /** @internal */
  public abstract _compare(actual: unknown, path: Path): Comparison;

  /**
   * The expected value, in a few words.
   * @internal
   */
  public abstract _describe(): string;

  /**
   * The number of values that the matcher requires.
   * @internal
   */
  public _weight(): number {
    return 1;
  }
}
