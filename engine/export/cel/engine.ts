import type { Budget } from './budget';
import type { KindVersion } from '../../../src/catalog';
import type { KubernetesObject } from '../../kubernetes/types';

/** What an expression may yield, and what its static type must be. */
export type ExpressionOutput = 'string' | 'map';
export type ExpressionValue = string | Readonly<Record<string, string>>;

/** What an expression can see. */
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
   * @param budget what this and other evaluations may cost together; default: one of its own
   * @throws ExpressionError
   */
  evaluate(variables: ExpressionVariables, budget?: Budget): ExpressionValue;
}

/** An evaluator of CEL expressions over objects of a kind. The only thing that the exports know of any library. */
export interface ExpressionEngine {
  /** @throws ExpressionError when the expression does not compile, or yields neither text nor a map of texts. */
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

/** What became of a compilation, for metrics. */
export interface ExpressionObservation {
  /** Kind of the object that has the expression. */
  readonly resource: string;
  /** Absent where the program was there: then no environment is needed. */
  readonly environment?: 'hit' | 'miss';
  readonly program: 'hit' | 'miss';
  /** Of the compilation, its environment included. */
  readonly seconds?: number;
}
