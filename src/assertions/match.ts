import { Objects } from './compare';
import type { Matcher } from './matcher';
import { Absent, AnyValue, ArrayWith, Literal, Not, StringLikeRegexp } from './matchers';

/** Matchers for patterns of objects. They may appear anywhere in a pattern, and can be nested. */
export class Match {
  /**
   * Matches an object with these properties and any others. Objects in the pattern match in the same way; lists match as a whole, except in
   * `arrayWith`.
   * @param pattern the properties
   */
  public static objectLike(pattern: { [key: string]: any }): Matcher {
    return new Literal('objectLike', pattern, Objects.PARTIAL);
  }

  /**
   * Matches a list with these elements in this order, with any others before, between and after them. Objects match as a whole; use
   * `objectLike` to match a part of an element.
   * @param elements the elements
   */
  public static arrayWith(elements: any[]): Matcher {
    return new ArrayWith(elements);
  }

  /**
   * Matches exactly this value: objects with these properties and no others, at any depth.
   * @param pattern the value
   */
  public static exact(pattern: any): Matcher {
    return new Literal('exact', pattern, Objects.EXACT);
  }

  /** Matches a missing property. */
  public static absent(): Matcher {
    return new Absent();
  }

  /** Matches any value except null. */
  public static anyValue(): Matcher {
    return new AnyValue();
  }

  /**
   * Matches a text that contains a match of a regular expression.
   * @param pattern the expression, as `RegExp` takes it
   * @throws when it is no valid regular expression
   */
  public static stringLikeRegexp(pattern: string): Matcher {
    return new StringLikeRegexp(pattern);
  }

  /**
   * Matches any other value. Objects match as a whole: use `not(objectLike(…))` to require that an object lacks these properties.
   * @param pattern the excluded value
   */
  public static not(pattern: any): Matcher {
    return new Not(pattern);
  }

  private constructor() {}
}
