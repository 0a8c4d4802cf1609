/** What a team may do with objects of a kind. */
export enum KindUse {
  /** Create, change and delete them. */
  CREATE = 'create',
  /** Look at them, refer to them and own below them. */
  REFERENCE = 'reference',
}

/** A property that may have only some values. */
export interface PropertyLimit {
  /**
   * Path of the property below `spec`, e.g. `sku.name` or, for every element of a list, `agentPoolProfiles[].vmSize`. It has to be a property of
   * the kind, with a value of its own.
   */
  readonly property: string;
  /** The values it may have; numbers and booleans as texts: `3`, `true`. */
  readonly allowed: string[];
  /**
   * Whether it has to be there. Where it is not, Azure decides.
   * @default false
   */
  readonly required?: boolean;
}

/** A kind that a team may use. */
export interface CatalogueEntry {
  /** API group, e.g. `storage.azure.com`. */
  readonly group: string;
  /** Kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /**
   * What the team may do with it.
   * @default KindUse.CREATE
   */
  readonly use?: KindUse;
  /**
   * Regions in which objects of the kind may be.
   * @default - those of the policy
   */
  readonly locations?: string[];
  /**
   * SKUs that objects of the kind may have.
   * @default - any
   */
  readonly skus?: string[];
  /**
   * Where the SKU stands below `spec`.
   * @default sku.name
   */
  readonly skuProperty?: string;
  /**
   * Further properties that may have only some values.
   * @default - none
   */
  readonly properties?: PropertyLimit[];
}

/** Something in Azure, outside of the team's own resource group, in which the team may own. */
export interface GrantedScope {
  /** ARM id of the resource, e.g. of the shared Service Bus namespace. */
  readonly armId: string;
  /**
   * Kinds that the resource itself may own, e.g. `NamespacesQueue`, with the API group in front where several groups have one of that name.
   * Whatever lies below the resource may then own only if its name begins with `namePrefix`.
   * @default - all, and everything below the resource may own too
   */
  readonly kinds?: string[];
  /**
   * How names in Azure of the team's resources begin there, which keeps it apart from other teams.
   * @default - as in shared services (`sharedNamePrefix`) where there are `kinds`, else any name
   */
  readonly namePrefix?: string;
}
