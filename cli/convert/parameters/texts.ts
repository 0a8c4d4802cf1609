import { isMessageAt } from './message-place';
import type { ParameterNames, ParameterValues } from './parameter';
import type { ParameterType } from './parameter-type';
import { fits, printAs, Text, valueAs } from './text';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';

/** The code of a text. */
interface TextCode {
  readonly is: 'code';
  readonly uses: readonly never[];
  text(names: ParameterNames): string;
  value(values: ParameterValues): unknown;
}

/** The texts of an object, in which variables are parameters. */
export class Texts {
  /** Of an object whose texts have no parameters. */
  public static readonly NONE = new Texts(() => undefined, new Map());

  /**
   * @param read a text with parameters; undefined where it has none
   * @param places the types of places that are whole parameters
   */
  public constructor(
    private readonly read: (text: string, at: FieldPath | undefined) => Text | undefined,
    private readonly places: ReadonlyMap<string, ParameterType>,
    /** The places, as messages about the props write them: `properties.rules[2].name`. */
    private readonly where: readonly string[] = [],
  ) {}

  /** The text at a path, if it has parameters. */
  public parametric(value: unknown, at?: FieldPath): Text | undefined {
    return typeof value === 'string' ? this.read(value, at) : undefined;
  }

  /** A text, with its parameters if it has any. */
  public of(value: string): Text {
    return this.read(value, undefined) ?? new Text([value]);
  }

  /** A text as code, converted to the type of its place; undefined when it has no parameters. */
  public code(value: unknown, at: FieldPath | undefined): TextCode | undefined {
    const text = this.parametric(value, at);
    if (!text) return undefined;
    const place = at && this.places.get(placeKey(at));
    return { is: 'code', uses: [], value: (run) => valueAs(text, place, run), text: (names) => printAs(text, place, names) };
  }

  /** Whether a text with parameters can have the type of its place. */
  public fitsAt(value: unknown, at: FieldPath): boolean {
    const [text, place] = [this.parametric(value, at), this.places.get(placeKey(at))];
    return text !== undefined && place !== undefined && fits(text, place);
  }

  /** The types of its places, with what stands before them. */
  public placesBelow(prefix: FieldPath): [key: string, type: ParameterType][] {
    const before = placeKey(prefix);
    return Array.from(this.places, ([key, type]) => [before + key, type]);
  }

  /** Whether a message about the props begins with a place at which, or below which, a parameter stands. */
  public hasPlaceAt(message: string): boolean {
    const [at = ''] = message.split(/[:\s]/, 1);
    return this.where.some((place) => isMessageAt(message, place) || isMessageAt(place, at));
  }

  /** A key as code; undefined when it has no parameters. */
  public keyCode(key: string, at: FieldPath | undefined): TextCode | undefined {
    const text = this.read(key, at);
    return text && { is: 'code', uses: [], value: (run) => text.text(run), text: (names) => text.print(names) };
  }

  /** The object with values for its parameters. */
  public filled<T>(object: T, run: ParameterValues): T {
    return this.fill(object, run, []) as T;
  }

  private fill(value: unknown, run: ParameterValues, at: FieldPath): unknown {
    if (typeof value === 'string') {
      const text = this.read(value, at);
      return text ? valueAs(text, this.places.get(placeKey(at)), run) : value;
    }
    if (Array.isArray(value)) return value.map((item, index) => this.fill(item, run, [...at, index]));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [
      this.read(key, [...at, key])?.text(run) ?? key, this.fill(item, run, [...at, key]),
    ]));
  }
}

export function placeKey(path: FieldPath): string {
  return path.map((step) => `${step}\u0000`).join('');
}
