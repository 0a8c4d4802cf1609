import type { Expression } from './expression';

/** A JSON patch that sets a part of the object that its construct has no prop for. */
export interface Patch {
  readonly operation: 'add' | 'replace' | 'remove';
  readonly path: string;
  /** Absent for `remove`. */
  readonly value?: Expression;
}
