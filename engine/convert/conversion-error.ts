/** A place in a document, innermost step first: cheap to pass along; its text is built only for an error. */
export interface Place {
  readonly up?: Place;
  readonly at: string | number;
}

/** `spec.sku.name`, `spec.identity.userAssignedIdentities[0]` */
export function spellPlace(place: Place): string {
  const own = typeof place.at === 'number' ? `[${place.at}]` : place.at;
  if (!place.up) return own;
  return `${spellPlace(place.up)}${typeof place.at === 'number' ? '' : '.'}${own}`;
}

/** A spec that does not have the shape of its kind. The message names the place and the types, never a value. */
export class ConversionError extends Error {
  public constructor(
    /** `spec.sku.name` */
    public readonly path: string,
    /** The fault at that place. */
    public readonly problem: string,
  ) {
    super(`${path}: ${problem}`);
    this.name = 'ConversionError';
  }
}
