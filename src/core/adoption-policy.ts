/**
 * What becomes of a resource that is in Azure already when its object is applied. It is written as the annotation `aso.cdk8s.io/adopt`, which
 * the bundled controller honours; Azure Service Operator does not know it and always acts as with `OR_CREATE`.
 */
export enum AdoptionPolicy {
  /** Only what is there is managed: as long as it does not exist, nothing is sent and the object is not Ready. Nothing is ever created. */
  IF_PRESENT = 'IfPresent',
  /** What is there is taken over, what is not there is created. */
  OR_CREATE = 'OrCreate',
  /** Only what this object has created is managed: what is there already is left alone, and the object is not Ready. */
  NEVER = 'Never',
}
