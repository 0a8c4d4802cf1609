/** A place in a document, innermost first: cheap to carry along, spelt out only when something is wrong. */
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

/** A spec that is not of the shape that its kind has. Names the place and the types, never a value. */
export class ConversionError extends Error {
  public constructor(
    /** `spec.sku.name` */
    public readonly path: string,
    /** What is wrong there. */
    public readonly problem: string,
  ) {
    super(`${path}: ${problem}`);
    this.name = 'ConversionError';
  }
}
