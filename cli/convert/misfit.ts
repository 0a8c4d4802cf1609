import type { FieldPath } from '../../src/catalog/validate-spec';

/** A value that the types of the class do not allow at its place. */
export class Misfit extends Error {
  /** Path of the value in the spec; set by the caller that knows it. */
  public at?: FieldPath | undefined;

  /** @param message the fault, e.g. `is not a list` */
  public constructor(message: string, at?: FieldPath) {
    super(message);
    this.name = 'Misfit';
    this.at = at;
  }
}
