/**
 * How the controller treats a resource that already exists in Azure when its object is applied. Written as the annotation
 * `aso.cdk8s.io/adopt`, which the bundled controller honours; Azure Service Operator does not know it and always acts as with `OR_CREATE`.
 */
export enum AdoptionPolicy {
  /**
   * Only manages an existing resource. While it does not exist, the controller sends nothing and the object is not Ready. Never creates a
   * resource.
   */
  IF_PRESENT = 'IfPresent',
  /** Takes over an existing resource and creates a missing one. */
  OR_CREATE = 'OrCreate',
  /** Only manages a resource that this object has created. A resource that existed before is left alone, and the object is not Ready. */
  NEVER = 'Never',
}
