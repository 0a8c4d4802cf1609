import { compare, Objects } from './compare';
import { Comparison, different, matches, Path } from './comparison';
import { describe } from './describe';
import { Matcher } from './matcher';
import { isRecord } from '../util/records';

/**
 * Captures the value in its place for further assertions. It captures one value from each object that matches as a whole, in the order of
 * the objects; `next()` moves to the next one.
 */
export class Capture extends Matcher {
  /** Name of the matcher. */
  public readonly name = 'capture';
  private readonly values: unknown[] = [];
  private readonly pattern: unknown;
  private at = 0;

  /** @param pattern the pattern of the value; default: any value except null */
  public constructor(pattern?: any) {
    super();
    this.pattern = pattern;
  }

  /**
   * Moves to the next captured value.
   * @returns false if there is none
   */
  public next(): boolean {
    if (this.at + 1 >= this.values.length) return false;
    this.at++;
    return true;
  }

  /**
   * The captured text.
   * @throws when nothing was captured, or the value is no text
   */
  public asString(): string {
    return this.as('a string', (value) => typeof value === 'string');
  }

  /**
   * The captured number.
   * @throws when nothing was captured, or the value is no number
   */
  public asNumber(): number {
    return this.as('a number', (value) => typeof value === 'number');
  }

  /**
   * The captured boolean.
   * @throws when nothing was captured, or the value is no boolean
   */
  public asBoolean(): boolean {
    return this.as('a boolean', (value) => typeof value === 'boolean');
  }

  /**
   * The captured list.
   * @throws when nothing was captured, or the value is no list
   */
  public asArray(): any[] {
    return this.as('a list', Array.isArray);
  }

  /**
   * The captured object.
   * @throws when nothing was captured, or the value is no object
   */
  public asObject(): { [key: string]: any } {
    return this.as('an object', (value) => isRecord(value));
  }

  /** @internal */
  public _compare(actual: unknown, path: Path): Comparison {
    if (actual === undefined || actual === null) return different({ path, want: this._describe(), cost: 1 });
    if (this.pattern === undefined) return { differences: [], captured: [{ capture: this, value: actual }] };
    const comparison = compare(this.pattern, actual, path, Objects.EXACT);
    return matches(comparison) ? { ...comparison, captured: [...comparison.captured, { capture: this, value: actual }] } : comparison;
  }

  /** @internal */
  public _describe(): string {
    return this.pattern === undefined ? 'any value (to be captured)' : `${describe(this.pattern)} (to be captured)`;
  }

  /** @internal */
  public _take(value: unknown): void {
    this.values.push(value);
  }

  private as<T>(what: string, is: (value: unknown) => boolean): T {
    if (this.values.length === 0) {
      throw new Error('Nothing was captured: no object has matched yet. Call hasResource or findResources with this capture first.');
    }
    const value = this.values[this.at];
    if (!is(value)) throw new Error(`The captured value is not ${what}: ${describe(value)}.`);
    return value as T;
  }
}
