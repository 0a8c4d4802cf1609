import { compare, Objects, weight } from './compare';
import { closest, Comparison, costOf, different, matches, Path, SAME, together } from './comparison';
import { describe, pathText } from './describe';
import { Matcher } from './matcher';

/** A literal pattern, whose objects match partially or exactly. */
export class Literal extends Matcher {
  public constructor(public readonly name: string, private readonly pattern: unknown, private readonly objects: Objects) {
    super();
  }

  public _compare(actual: unknown, path: Path): Comparison {
    return compare(this.pattern, actual, path, this.objects);
  }

  public _describe(): string {
    return `${this.objects === Objects.EXACT ? 'exactly ' : ''}${describe(this.pattern)}`;
  }

  public override _weight(): number {
    return weight(this.pattern);
  }
}

interface Candidate {
  readonly index: number;
  readonly comparison: Comparison;
}

/** Matches some elements, in this order, with others before, between and after them. */
export class ArrayWith extends Matcher {
  public readonly name = 'arrayWith';

  public constructor(private readonly patterns: readonly unknown[]) {
    super();
  }

  public _compare(actual: unknown, path: Path): Comparison {
    if (!Array.isArray(actual)) return different({ path, want: this._describe(), cost: weight(this.patterns) });
    const parts: Comparison[] = [];
    let from = 0;
    for (const pattern of this.patterns) {
      // Taking the first match leaves the most elements for the patterns that follow.
      const candidates = actual.map((element: unknown, index) => ({
        index,
        comparison: compare(pattern, element, [...path, index], Objects.EXACT),
      }));
      const found = candidates.find(({ index, comparison }) => index >= from && matches(comparison));
      if (found) {
        parts.push(found.comparison);
        from = found.index + 1;
      } else {
        parts.push(this.notFound(pattern, actual, candidates, from, path));
      }
    }
    return together(parts);
  }

  public _describe(): string {
    return `a list with ${describe(this.patterns)}`;
  }

  public override _weight(): number {
    return weight(this.patterns);
  }

  private notFound(pattern: unknown, actual: readonly unknown[], candidates: readonly Candidate[], from: number, path: Path): Comparison {
    const cost = weight(pattern);
    const want = `an element ${describe(pattern)}${from > 0 ? ` after [${from - 1}]` : ''}`;
    const early = candidates.find(({ comparison }) => matches(comparison));
    if (early) {
      return different({ path, want, got: `it at [${early.index}]; arrayWith wants its elements in their order, each once`, cost: 1 });
    }
    const best = closest(candidates.slice(from));
    // An element that has nothing in common with the pattern would not help the reader.
    const alike = best && costOf(compare(pattern, actual[best.index], path, Objects.PARTIAL)) < cost;
    if (!alike) {
      return different({ path, want, got: candidates.length === 0 ? 'an empty list' : `none such among ${candidates.length}`, cost });
    }
    const remark = `${pathText([best.index])} comes closest to the element that arrayWith wants`;
    return { captured: [], differences: best.comparison.differences.map((difference) => ({ remark, ...difference })) };
  }
}

/** Matches a missing value. */
export class Absent extends Matcher {
  public readonly name = 'absent';

  public constructor() {
    super();
  }

  public _compare(actual: unknown, path: Path): Comparison {
    return actual === undefined ? SAME : different({ path, want: this._describe(), cost: 1 });
  }

  public _describe(): string {
    return 'nothing';
  }
}

/** Matches any value except null. */
export class AnyValue extends Matcher {
  public readonly name = 'anyValue';

  public constructor() {
    super();
  }

  public _compare(actual: unknown, path: Path): Comparison {
    return actual === undefined || actual === null ? different({ path, want: this._describe(), cost: 1 }) : SAME;
  }

  public _describe(): string {
    return 'any value';
  }
}

/** Matches a text that contains a match of the expression. */
export class StringLikeRegexp extends Matcher {
  public readonly name = 'stringLikeRegexp';
  private readonly expression: RegExp;

  public constructor(expression: string) {
    super();
    try {
      this.expression = new RegExp(expression);
    } catch (error) {
      throw new Error(`Match.stringLikeRegexp: '${expression}' is no regular expression: ${(error as Error).message}.`);
    }
  }

  public _compare(actual: unknown, path: Path): Comparison {
    return typeof actual === 'string' && this.expression.test(actual) ? SAME : different({ path, want: this._describe(), cost: 1 });
  }

  public _describe(): string {
    return `a text like ${String(this.expression)}`;
  }
}

/** Matches any other value. */
export class Not extends Matcher {
  public readonly name = 'not';

  public constructor(private readonly pattern: unknown) {
    super();
  }

  public _compare(actual: unknown, path: Path): Comparison {
    return matches(compare(this.pattern, actual, path, Objects.EXACT)) ? different({ path, want: this._describe(), cost: 1 }) : SAME;
  }

  public _describe(): string {
    return `not ${describe(this.pattern)}`;
  }
}
