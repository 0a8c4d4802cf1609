/** What names by the Cloud Adoption Framework consist of, besides the abbreviation of the type and the ids of constructs. */
export interface CloudAdoptionFrameworkOptions {
  /**
   * The workload or application, e.g. `shop`.
   * @default - none: the ids of the constructs say it
   */
  readonly workload?: string;
  /**
   * The stage, e.g. `prod`.
   * @default - none
   */
  readonly environment?: string;
  /**
   * The region, as it is to stand in names, e.g. `uksouth` or `uks`.
   * @default - none
   */
  readonly region?: string;
  /**
   * The instance, e.g. `001`.
   * @default - none
   */
  readonly instance?: string;
  /**
   * What tells you from the rest of the world: the subscription's id, the name of the company. Names that have to be unique in all
   * of Azure, or in a region of it, end with a hash of it.
   * @default - none: such names consist of what the others consist of, and may be taken
   */
  readonly uniqueIn?: string;
  /**
   * Abbreviations other than the recommended ones: ARM type or kind → abbreviation, `''` for none.
   * @default - those of the Cloud Adoption Framework
   */
  readonly abbreviations?: { [armTypeOrKind: string]: string };
}
