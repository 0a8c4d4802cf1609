/** The parts of names by the Cloud Adoption Framework, besides the abbreviation of the type and the ids of constructs. */
export interface CloudAdoptionFrameworkOptions {
  /**
   * The workload or application, e.g. `shop`.
   * @default - none: only the ids of the constructs name it
   */
  readonly workload?: string;
  /**
   * The stage, e.g. `prod`.
   * @default - none
   */
  readonly environment?: string;
  /**
   * The region, spelt as in the names, e.g. `uksouth` or `uks`.
   * @default - none
   */
  readonly region?: string;
  /**
   * The instance, e.g. `001`.
   * @default - none
   */
  readonly instance?: string;
  /**
   * A text unique to you, such as the subscription's id or the name of the company. Names that have to be unique in all of Azure, or in a
   * region of it, end with a hash of it.
   * @default - none: such names have no hash, and others may already have taken them
   */
  readonly uniqueIn?: string;
  /**
   * Abbreviations other than the recommended ones: ARM type or kind → abbreviation, `''` for none.
   * @default - those of the Cloud Adoption Framework
   */
  readonly abbreviations?: { [armTypeOrKind: string]: string };
}
