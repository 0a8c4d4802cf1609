import type { ComposeProblem } from './types';

/** A claim may be nested more deeply than it can be written: the API server takes 10,000 levels. */
export const NESTED_TOO_DEEPLY: ComposeProblem = { reason: 'InvalidSpec', issues: [{ path: 'spec', message: 'is nested too deeply' }] };

/** JSON, or undefined for a value that is nested more deeply than the stack allows. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
