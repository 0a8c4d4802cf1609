import type { ApiObject } from 'cdk8s';
import type { InnerPlace, Item } from './item';
import type { ParameterNames, ParameterValues } from './parameters/parameter';
import type { Texts } from './parameters/texts';
import type { FieldPath } from '../../src/catalog/validate-spec';

/** An expression of the chart's code: its source text and its value at run time. */
export type Expression = Literal | ObjectExpression | ListExpression | Code;

/** Text, number, true, false or null. */
export interface Literal {
  readonly is: 'literal';
  readonly value: string | number | boolean | null;
}

export interface ObjectExpression {
  readonly is: 'object';
  readonly entries: readonly Entry[];
  /** Its path in the manifest. */
  readonly at?: FieldPath | undefined;
}

export interface Entry {
  readonly key: string;
  /** The key as code, where it has parameters. */
  readonly keyCode?: Code | undefined;
  readonly value: Expression;
  readonly at?: FieldPath | undefined;
}

export interface ListExpression {
  readonly is: 'list';
  readonly items: readonly { readonly value: Expression; readonly at?: FieldPath | undefined }[];
  readonly at?: FieldPath | undefined;
}

/** Any other expression: an enum member, a construct, a call. */
export interface Code {
  readonly is: 'code';
  /** The constructs that must be declared above the expression. */
  readonly uses: readonly Item[];
  text(names: CodeNames): string;
  value(run: Run): unknown;
}

/** The chart as it is built to see what comes out. */
export interface Run extends ParameterValues {
  readonly built: ReadonlyMap<Item, ApiObject>;
}

/** A run of code that has neither constructs nor parameters. */
export const NO_RUN: Run = { built: new Map(), valueOf: () => undefined };

/** Resolves the identifiers of the code and records the imports that they need. */
export interface CodeNames extends ParameterNames {
  variable(item: Item): string;
  /** The chart of objects that stand in another object. */
  innerChart(place: InnerPlace): string;
  /** An identifier exported by the root of the library. */
  core(name: string): string;
  /** An identifier exported by cdk8s. */
  cdk8s(name: string): string;
}

/** A manifest value without nulls in objects, which synth drops as well. */
export function literal(value: unknown, at?: FieldPath, texts?: Texts): Expression {
  return expressionOf(value, at, (item) => item !== null && item !== undefined, texts);
}

/** A manifest value with its nulls, for JSON patches. */
export function exactly(value: unknown, at?: FieldPath, texts?: Texts): Expression {
  return expressionOf(value, at, () => true, texts);
}

function expressionOf(
  value: unknown, at: FieldPath | undefined, isWanted: (item: unknown) => boolean, texts: Texts | undefined,
): Expression {
  const below = (step: string | number): FieldPath | undefined => at && [...at, step];
  if (Array.isArray(value)) {
    return { is: 'list', items: value.map((item, i) => ({ value: expressionOf(item, below(i), isWanted, texts), at: below(i) })), at };
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => isWanted(item));
    return {
      is: 'object',
      entries: entries.map(([key, item]) => ({
        key, keyCode: texts?.keyCode(key, below(key)), value: expressionOf(item, below(key), isWanted, texts), at: below(key),
      })),
      at,
    };
  }
  return texts?.code(value, at) ?? { is: 'literal', value: (value ?? null) as Literal['value'] };
}

/** An expression with another one at a path of keys. */
export function replaceAt(expression: Expression, [key, ...rest]: readonly string[], by: Expression): Expression {
  if (key === undefined || expression.is !== 'object') return by;
  const entries = expression.entries.map((entry) => (entry.key === key ? { ...entry, value: replaceAt(entry.value, rest, by) } : entry));
  return { ...expression, entries };
}

/** The paths of all nulls in objects, which `literal` leaves out. */
export function nullsIn(value: unknown, at: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => (item === null ? [] : nullsIn(item, [...at, i])));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (item === null ? [[...at, key]] : nullsIn(item, [...at, key])));
}

/** The value of the expression at run time. */
export function evaluate(expression: Expression, run: Run): unknown {
  switch (expression.is) {
    case 'literal':
      return expression.value;
    case 'object':
      return Object.fromEntries(expression.entries.map(({ key, keyCode, value }) => [keyCode?.value(run) ?? key, evaluate(value, run)]));
    case 'list':
      return expression.items.map(({ value }) => evaluate(value, run));
    case 'code':
      return expression.value(run);
  }
}

/** The constructs that an expression refers to. */
export function usesOf(expression: Expression): Item[] {
  switch (expression.is) {
    case 'literal':
      return [];
    case 'object':
      return expression.entries.flatMap(({ value }) => usesOf(value));
    case 'list':
      return expression.items.flatMap(({ value }) => usesOf(value));
    case 'code':
      return [...expression.uses];
  }
}
