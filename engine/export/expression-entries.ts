import type { Budget, ExpressionEngine, ExpressionValue, ExpressionVariables } from './cel';
import { BudgetError, ExpressionError } from './cel';
import type { Entry, Mark } from './collector';
import { expressions, printed } from './destinations';
import type { ExportStep } from './export-step';
import { stepError } from './export-step';
import type { DestinationExpression, ExportFailureKind } from './types';
import type { KindVersion } from '../../src/catalog';
import type { KubernetesObject } from '../kubernetes/types';

export interface ExpressionRun {
  readonly version: KindVersion;
  readonly object: KubernetesObject;
  readonly engine: ExpressionEngine;
  /** The shared limit of all expressions of the object. */
  readonly budget: Budget;
  /** Raw secret values; empty for ConfigMaps. */
  readonly secret: Readonly<Record<string, string>>;
}

class Unusable extends Error {
  public constructor(
    public readonly failure: ExportFailureKind,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The values of `secretExpressions` or `configMapExpressions`.
 *
 * @throws ExportError with the failures of all expressions.
 */
export function expressionEntries(run: ExpressionRun, step: 'secretExpressions' | 'configMapExpressions'): Entry[] {
  const problems: Unusable[] = [];
  const entries = expressions(run.object.spec, step).flatMap((expression) => {
    try {
      return entriesOf(run, step, expression);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      problems.push(error);
      return [];
    }
  });
  const [first] = problems;
  if (first) throw stepError(step, first.failure, problems.map(({ message }) => message));
  return entries;
}

function entriesOf(run: ExpressionRun, step: ExportStep, expression: DestinationExpression): Entry[] {
  const { name, key } = expression;
  const kind = step === 'secretExpressions' ? 'Secret' : 'ConfigMap';
  const value = evaluated(run, expression.value);
  const isText = typeof value === 'string';
  if (isText ? value === '' : Object.keys(value).length === 0) {
    throw new Unusable('missingValue', `unexpected expression output: "${expression.value}" yields nothing`);
  }
  if (isText !== Boolean(key)) {
    const rule = isText ? "string must specify destination 'key'" : "map[string]string must not specify destination 'key'";
    throw new Unusable('compile', `CEL expression with output type ${rule}, ${printed(expression)}`);
  }
  const labels = marksOf(run, expression, 'labels');
  const annotations = marksOf(run, expression, 'annotations');
  const values: [string, string][] = typeof value === 'string' ? [[key!, value]] : Object.entries(value);
  return values.map(([ofKey, text]) => {
    if (kind === 'Secret' && text === '') {
      throw new Unusable('missingValue', `could not find secret to save to '${printed({ ...expression, key: ofKey })}'`);
    }
    return { kind, name, key: ofKey, value: text, step, labels, annotations };
  });
}

function marksOf(run: ExpressionRun, expression: DestinationExpression, member: 'labels' | 'annotations'): Record<string, Mark> {
  const marks = Object.entries(expression[member] ?? {}).map(([key, text]): [string, Mark] => {
    const value = evaluated(run, text);
    if (typeof value !== 'string') {
      const word = member === 'labels' ? 'label' : 'annotation';
      throw new Unusable(
        'compile',
        `${word} expression on ${printed(expression)}: expression for key "${key}" must return a string, got map(string, string)`,
      );
    }
    return [key, { value, quoted: Object.keys(run.secret).length > 0 ? text : value }];
  });
  return Object.fromEntries(marks);
}

function evaluated({ version, object, engine, secret, budget }: ExpressionRun, text: string): ExpressionValue {
  const variables: ExpressionVariables = { self: object, secret };
  try {
    budget.spend(text.length);
    return engine.compile(version, text).evaluate(variables, budget);
  } catch (error) {
    if (error instanceof BudgetError) throw new Unusable('evaluate', error.message);
    if (error instanceof ExpressionError) throw new Unusable(error.phase, error.message);
    throw error;
  }
}
