import { IConstruct } from 'constructs';

/** A reference to an Azure resource: an object of the namespace, an ARM id, or a well-known name. */
export interface AzureResourceReference {
  /**
   * API group of the object, e.g. `storage.azure.com`.
   * @default - none: the reference is an ARM id or a well-known name
   */
  readonly group?: string;

  /**
   * Kind of the object, e.g. `StorageAccount`.
   * @default - none: the reference is an ARM id or a well-known name
   */
  readonly kind?: string;

  /**
   * Kubernetes name of the object.
   * @default - none: the reference is an ARM id or a well-known name
   */
  readonly name?: string;

  /**
   * ARM id, e.g. `/subscriptions/…/resourceGroups/shared`.
   * @default - none: the reference is an object or a well-known name
   */
  readonly armId?: string;

  /**
   * A name that Azure knows, e.g. of a built-in role or a private link alias.
   * @default - none: the reference is an object or an ARM id
   */
  readonly wellKnownName?: string;

  /**
   * The construct that is referenced.
   * @default - none: the reference was made from a name or an id
   */
  readonly construct?: IConstruct;
}

/** A resource that others can refer to: a construct of an Azure resource, or the result of `fromName` and `fromArmId`. */
export interface IAzureResourceRef {
  /** The reference to the resource. */
  readonly azureResourceRef: AzureResourceReference;
}
