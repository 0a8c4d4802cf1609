/** Where a Flux object finds another one. */
export interface FluxReference {
  /** Kind of the object, e.g. `GitRepository`. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /**
   * Namespace of the object.
   * @default - that of the referring object
   */
  readonly namespace?: string;
}
