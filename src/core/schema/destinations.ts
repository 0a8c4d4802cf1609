import type { Conversion, Convert, Destination } from './conversion';
import { expressionProblem, type ResultOf } from './expressions';
import { keyProblem, nameProblem } from './stores';
import type { CompiledStruct } from './structs';
import { structConvert } from './structs';

type Written = Partial<Record<'name' | 'key' | 'value', unknown>> & Partial<Record<'annotations' | 'labels', object>>;

/**
 * A destination struct: converted like any other, and noted down so that two writers of one key are found.
 * @param resultOf for expressions: what one gives, as far as it is known
 */
export function destinationConvert(store: Destination['store'], struct: () => CompiledStruct, resultOf?: ResultOf): Convert {
  const convert = structConvert(struct);
  return (value, run) => {
    const converted = convert(value, run) as Written | undefined;
    if (typeof converted?.name !== 'string') return converted;
    const key = typeof converted.key === 'string' ? converted.key : undefined;
    const [annotations, labels] = [Object.keys(converted.annotations ?? {}), Object.keys(converted.labels ?? {})];
    run.destinations.push({ store, path: run.where, name: converted.name, key, annotations, labels });
    problemAt('name', nameProblem(store, converted.name), run);
    if (key !== undefined) problemAt('key', keyProblem(store, key), run);
    // A faulty key is null here.
    if (resultOf && typeof converted.value === 'string' && converted.key !== null) problemAt('value', expressionProblem(store, converted.value, key, resultOf), run);
    return converted;
  };
}

function problemAt(property: string, problem: string | undefined, run: Conversion): void {
  if (problem === undefined) return;
  run.enter(property);
  run.problem(problem);
  run.leave();
}
