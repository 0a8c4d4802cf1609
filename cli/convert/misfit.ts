import type { FieldPath } from '../manifests/manifests';

/** A value that the class's types do not allow where it stands. */
export class Misfit extends Error {
  /** Its path in the spec, once somebody knows it. */
  public at?: FieldPath;

  /** @param message what is wrong with it, e.g. `is not a list` */
  public constructor(message: string, at?: FieldPath) {
    super(message);
    this.name = 'Misfit';
    this.at = at;
  }
}
