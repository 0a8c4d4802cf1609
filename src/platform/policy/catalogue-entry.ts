/** The rights of a team on objects of a kind. */
export enum KindUse {
  /** The team may create, change and delete objects. */
  CREATE = 'create',
  /** The team may read and reference objects, and own resources below them. */
  REFERENCE = 'reference',
}

/** A property with a restricted set of values. */
export interface PropertyLimit {
  /**
   * Path of the property below `spec`, e.g. `sku.name` or, for every element of a list, `agentPoolProfiles[].vmSize`. It must be a scalar
   * property of the kind.
   */
  readonly property: string;
  /** The allowed values; numbers and booleans as texts: `3`, `true`. */
  readonly allowed: string[];
  /**
   * Whether the property is required. If it is missing, Azure chooses the value.
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
   * The team's rights on objects of the kind.
   * @default KindUse.CREATE
   */
  readonly use?: KindUse;
  /**
   * Allowed regions of the kind's objects.
   * @default - those of the policy
   */
  readonly locations?: string[];
  /**
   * Allowed SKUs of the kind's objects.
   * @default - any
   */
  readonly skus?: string[];
  /**
   * Path of the SKU below `spec`.
   * @default sku.name
   */
  readonly skuProperty?: string;
  /**
   * Further properties with a restricted set of values.
   * @default - none
   */
  readonly properties?: PropertyLimit[];
}

/** A resource outside of the team's own resource group below which the team may own resources. */
export interface GrantedScope {
  /** ARM id of the resource, e.g. of the shared Service Bus namespace. */
  readonly armId: string;
  /**
   * Kinds that the resource itself may own, e.g. `NamespacesQueue`, with the API group in front if several groups have a kind of that name.
   * Resources below it may then be owners only if their names begin with `namePrefix`.
   * @default - all kinds, and all resources below it may be owners
   */
  readonly kinds?: string[];
  /**
   * Prefix of the Azure names of the team's resources there, which separates them from those of other teams.
   * @default - that of shared services (`sharedNamePrefix`) if `kinds` is set, else any name
   */
  readonly namePrefix?: string;
}
