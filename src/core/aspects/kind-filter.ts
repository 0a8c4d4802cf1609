/** The kinds to which a setting of a scope applies. */
export interface KindFilter {
  /**
   * Kinds to which it applies: `StorageAccount`, or with the API group in front where two services have a kind of one name:
   * `dbforpostgresql.azure.com/FlexibleServer`.
   * @default - all
   */
  readonly kinds?: string[];

  /**
   * Kinds to which it does not apply, named in the same way.
   * @default - none
   */
  readonly exceptKinds?: string[];
}
