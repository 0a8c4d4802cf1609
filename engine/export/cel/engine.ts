import type { Budget } from './budget';
import type { KindVersion } from '../../../src/catalog';
import type { KubernetesObject } from '../../kubernetes/types';

/** The required result of an expression, which its static type must match. */
export type ExpressionOutput = 'string' | 'map';
export type ExpressionValue = string | Readonly<Record<string, string>>;

/** The variables of an expression. */
export interface ExpressionVariables {
  readonly self: KubernetesObject;
  /** Raw secret values by name; empty in `configMapExpressions`. */
  readonly secret: Readonly<Record<string, string>>;
}

export interface CompiledExpression {
  readonly text: string;
  readonly output: ExpressionOutput;
  /** Names `x` of `secret.x`, sorted. */
  readonly secretNames: readonly string[];
  /**
   * @param budget the shared limit for this and other evaluations; default: a new one
   * @throws ExpressionError
   */
  evaluate(variables: ExpressionVariables, budget?: Budget): ExpressionValue;
}

/** An evaluator of CEL expressions over objects of a kind. The exports use the expression library only through this interface. */
export interface ExpressionEngine {
  /** @throws ExpressionError when the expression does not compile, or its result is neither a string nor a map of strings. */
  compile(version: KindVersion, text: string): CompiledExpression;
}

/** The message is complete, names the expression, and contains no secret value. */
export class ExpressionError extends Error {
  public constructor(
    public readonly phase: 'compile' | 'evaluate',
    message: string,
  ) {
    super(message);
    this.name = 'ExpressionError';
  }
}

/** The result of a compilation, for metrics. */
export interface ExpressionObservation {
  /** Kind of the object that has the expression. */
  readonly resource: string;
  /** Absent when the program was cached, which needs no environment. */
  readonly environment?: 'hit' | 'miss';
  readonly program: 'hit' | 'miss';
  /** Duration of the compilation, including its environment. */
  readonly seconds?: number;
}
