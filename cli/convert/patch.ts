import type { Expression } from './expression';

/** A JSON patch that gives the object what its construct cannot say. */
export interface Patch {
  readonly operation: 'add' | 'replace' | 'remove';
  readonly path: string;
  /** Absent for `remove`. */
  readonly value?: Expression;
}
