import { Objects } from './compare';
import type { Matcher } from './matcher';
import { Absent, AnyValue, ArrayWith, Literal, Not, StringLikeRegexp } from './matchers';

/** Patterns for what is wanted of an object. They may stand anywhere in a pattern, and inside one another. */
export class Match {
  /**
   * An object that has these properties, whatever else it has. Objects inside the pattern are meant in the same way; lists
   * are meant whole, unless `arrayWith` says otherwise.
   * @param pattern the properties
   */
  public static objectLike(pattern: { [key: string]: any }): Matcher {
    return new Literal('objectLike', pattern, Objects.PARTIAL);
  }

  /**
   * A list that has these elements in this order, whatever stands before, between and after them. Objects are meant whole;
   * use `objectLike` for elements of which only a part is of interest.
   * @param elements the elements
   */
  public static arrayWith(elements: any[]): Matcher {
    return new ArrayWith(elements);
  }

  /**
   * Just this: objects with these properties and no others, at any depth.
   * @param pattern the value
   */
  public static exact(pattern: any): Matcher {
    return new Literal('exact', pattern, Objects.EXACT);
  }

  /** No such property. */
  public static absent(): Matcher {
    return new Absent();
  }

  /** Any value that is there and is not null. */
  public static anyValue(): Matcher {
    return new AnyValue();
  }

  /**
   * A text in which a regular expression is found.
   * @param pattern the expression, as `RegExp` takes it
   * @throws when it is no regular expression
   */
  public static stringLikeRegexp(pattern: string): Matcher {
    return new StringLikeRegexp(pattern);
  }

  /**
   * Anything but this. Objects are meant whole: use `not(objectLike(…))` to say that an object has not these properties.
   * @param pattern what is not wanted
   */
  public static not(pattern: any): Matcher {
    return new Not(pattern);
  }

  private constructor() {}
}
