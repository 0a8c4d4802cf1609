import type { Conversion, Convert, Destination } from './conversion';
import { expressionProblem, type ResultOf } from './expressions';
import { keyProblem, nameProblem } from './stores';
import type { CompiledStruct } from './structs';
import { structConvert } from './structs';
import type { ExpressionCheck } from '../cel/expression-check';

type Written = Partial<Record<'name' | 'key' | 'value', unknown>> & Partial<Record<'annotations' | 'labels', object>>;

/** Facts for checking expressions over objects of a version. */
export interface Expressions {
  /** The result of a path. */
  readonly resultOf: ResultOf;
  readonly check: ExpressionCheck;
}

/**
 * The conversion of a destination: like any other struct, and recorded so that two writers of one key are detected.
 * @param expressions for expressions: facts for checking them
 */
export function destinationConvert(store: Destination['store'], struct: () => CompiledStruct, expressions?: Expressions): Convert {
  const convert = structConvert(struct);
  return (value, run) => {
    const converted = convert(value, run) as Written | undefined;
    if (typeof converted?.name !== 'string') return converted;
    const key = typeof converted.key === 'string' ? converted.key : undefined;
    const [annotations, labels] = [Object.keys(converted.annotations ?? {}), Object.keys(converted.labels ?? {})];
    run.destinations.push({ store, path: run.where, name: converted.name, key, annotations, labels });
    problemAt('name', nameProblem(store, converted.name), run);
    if (key !== undefined) problemAt('key', keyProblem(store, key), run);
    // An invalid key is null here.
    if (expressions && converted.key !== null) checkExpressions(store, converted, key, expressions, run);
    return converted;
  };
}

/** The labels and annotations of an expression are expressions, too. */
function checkExpressions(
  store: Destination['store'],
  { value, annotations, labels }: Written,
  key: string | undefined,
  { resultOf, check }: Expressions,
  run: Conversion,
): void {
  if (typeof value === 'string') problemAt('value', expressionProblem(store, value, key, resultOf) ?? check(value), run);
  for (const [property, texts] of [['annotations', annotations], ['labels', labels]] as const) {
    run.enter(property);
    for (const [name, text] of Object.entries(texts ?? {})) if (typeof text === 'string' && text !== '') problemAt(name, check(text), run);
    run.leave();
  }
}

function problemAt(property: string, problem: string | undefined, run: Conversion): void {
  if (problem === undefined) return;
  run.enter(property);
  run.problem(problem);
  run.leave();
}
