import { createCelEngine, ExpressionError, type ExpressionOutput } from './cel';
import { exportsOf } from './exports-of';
import { ExportError, type Exports, type SecretValues } from './types';
import type { KindVersion } from '../../src/catalog';
import type { KubernetesObject } from '../kubernetes/types';

/** The part of `isolated-expressions.ts` that runs in worker threads. */

export interface KindType {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

export interface ExpressionsInput {
  readonly type: KindType;
  readonly texts: readonly string[];
}

/** Facts about an expression that are kept without its program. */
export type CheckedExpression =
  | { readonly output: ExpressionOutput; readonly secretNames: readonly string[] }
  | { readonly refused: string };

export interface ExportsInput {
  readonly type: KindType;
  readonly object: KubernetesObject;
  readonly secrets: SecretValues;
  readonly configMapValues?: Readonly<Record<string, string>>;
}

export type ExportsOutput =
  | { readonly exports: Exports }
  | { readonly refused: Pick<ExportError, 'failure' | 'message' | 'reason' | 'severity'> };

const engine = createCelEngine();

export function checkExpressions(version: KindVersion, { texts }: ExpressionsInput): CheckedExpression[] {
  return texts.map((text) => {
    try {
      const { output, secretNames } = engine.compile(version, text);
      return { output, secretNames };
    } catch (error) {
      if (error instanceof ExpressionError) return { refused: error.message };
      throw error;
    }
  });
}

export function evaluateExports(version: KindVersion, { object, secrets, configMapValues }: ExportsInput): ExportsOutput {
  try {
    return { exports: exportsOf(version, object, secrets, { engine, ...(configMapValues ? { configMapValues } : {}) }) };
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const { failure, message, reason, severity } = error;
    return { refused: { failure, message, reason, severity } };
  }
}

