import type { Comparison, Path } from './comparison';

const MATCHER = Symbol.for('cdk8s-aso.assertions.Matcher');

/** Says whether a value is as wanted, and where it is not. `Match` makes them; they may stand anywhere in a pattern. */
export abstract class Matcher {
  /**
   * Whether something is a matcher, of whichever copy of this library.
   * @param value what is asked about
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
   * What is wanted, in a few words.
   * @internal
   */
  public abstract _describe(): string;

  /**
   * How many values it asks for.
   * @internal
   */
  public _weight(): number {
    return 1;
  }
}
