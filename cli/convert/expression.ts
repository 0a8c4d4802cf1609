import type { ApiObject } from 'cdk8s';
import type { Item } from './item';
import type { FieldPath } from '../manifests/manifests';

/** A piece of the chart's code: what is written, and what it is when the code runs. */
export type Expression = Literal | ObjectExpression | ListExpression | Code;

/** Text, number, true, false or null. */
export interface Literal {
  readonly is: 'literal';
  readonly value: string | number | boolean | null;
}

export interface ObjectExpression {
  readonly is: 'object';
  readonly entries: readonly Entry[];
  /** Where it stood in the manifest. */
  readonly at?: FieldPath;
}

export interface Entry {
  readonly key: string;
  readonly value: Expression;
  readonly at?: FieldPath;
}

export interface ListExpression {
  readonly is: 'list';
  readonly items: readonly { readonly value: Expression; readonly at?: FieldPath }[];
  readonly at?: FieldPath;
}

/** Anything else: an enum's member, a construct, a call. */
export interface Code {
  readonly is: 'code';
  /** The constructs that have to stand above it. */
  readonly uses: readonly Item[];
  text(names: CodeNames): string;
  value(built: ReadonlyMap<Item, ApiObject>): unknown;
}

/** Gives the names that code is written with, and notes down what has to be imported. */
export interface CodeNames {
  variable(item: Item): string;
  /** A name of the library's root. */
  core(name: string): string;
  /** A name of a service: `storage.StorageAccount`. */
  service(submodule: string, name: string): string;
  /** A name of cdk8s. */
  cdk8s(name: string): string;
}

/** A value of a manifest as it is. Nulls are left out of objects, as they would be when the chart is synthesized. */
export function literal(value: unknown, at?: FieldPath): Expression {
  return expressionOf(value, at, (item) => item !== null && item !== undefined);
}

/** The same with the nulls, for JSON patches. */
export function exactly(value: unknown, at?: FieldPath): Expression {
  return expressionOf(value, at, () => true);
}

function expressionOf(value: unknown, at: FieldPath | undefined, isWanted: (item: unknown) => boolean): Expression {
  const below = (step: string | number): FieldPath | undefined => at && [...at, step];
  if (Array.isArray(value)) return { is: 'list', items: value.map((item, i) => ({ value: expressionOf(item, below(i), isWanted), at: below(i) })), at };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => isWanted(item));
    return { is: 'object', entries: entries.map(([key, item]) => ({ key, value: expressionOf(item, below(key), isWanted), at: below(key) })), at };
  }
  return { is: 'literal', value: (value ?? null) as Literal['value'] };
}

/** The paths of all nulls in objects: `literal` leaves them out. */
export function nullsIn(value: unknown, at: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => (item === null ? [] : nullsIn(item, [...at, i])));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (item === null ? [[...at, key]] : nullsIn(item, [...at, key])));
}

/** What the expression is when the code runs. */
export function evaluate(expression: Expression, built: ReadonlyMap<Item, ApiObject>): unknown {
  switch (expression.is) {
    case 'literal':
      return expression.value;
    case 'object':
      return Object.fromEntries(expression.entries.map(({ key, value }) => [key, evaluate(value, built)]));
    case 'list':
      return expression.items.map(({ value }) => evaluate(value, built));
    case 'code':
      return expression.value(built);
  }
}

/** The constructs that an expression mentions. */
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
