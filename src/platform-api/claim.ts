import type { ReadName, ReadObject } from './read-object';

/** A claim: an object of the platform's own kind, as `compose` gets it. Frozen. */
export interface Claim<Spec> {
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the object; empty for a cluster-scoped kind. */
  readonly namespace: string;
  /** UID of the object. In `cdk8s-aso api test` a UUID that is made of namespace and name. */
  readonly uid: string;
  /** Labels that the user has given. */
  readonly labels: Readonly<Record<string, string>>;
  /** Annotations that the user has given, without those of kubectl and of this library. */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * Time of the claim's creation: the only clock that `compose` has. `Date.now()` gives it too, so that a claim always composes the same
   * objects.
   */
  readonly createdAt: Date;
  /** The spec, checked by the schema, with its defaults. */
  readonly spec: Spec;
  /**
   * Reads an object of a kind that the definition lists in `reads`. The claim is composed again when the object changes.
   *
   * Not for the claim itself.
   * @param name group, kind and name; the namespace is the claim's unless it is given
   * @returns the object, or undefined if there is none
   * @throws when `reads` does not list the kind. Do not catch errors of this function: the composer has not read every object at the first
   * run, ends it with an error, and runs `compose` again.
   */
  readonly read: <OtherSpec = unknown, OtherStatus = unknown>(name: ReadName) => ReadObject<OtherSpec, OtherStatus> | undefined;
}
