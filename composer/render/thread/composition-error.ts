import type { ComposeProblem } from '../types';

/** A claim that cannot be composed. */
export class CompositionError extends Error {
  public constructor(public readonly problem: ComposeProblem) {
    super(problem.reason);
    this.name = 'CompositionError';
  }
}

/** A result of `compose` that the cluster could not take. */
export function failed(message: string, path?: string): CompositionError {
  return new CompositionError({ reason: 'ComposeFailed', message, ...(path !== undefined && { path }) });
}
