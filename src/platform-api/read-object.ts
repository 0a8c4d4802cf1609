/** The name of an object that `compose` reads. */
export interface ReadName {
  /** Group; empty for the core group. */
  readonly group: string;
  /** The kind; `reads` of the definition has to list it. */
  readonly kind: string;
  readonly name: string;
  /**
   * Namespace of the object; ignored for cluster-scoped kinds.
   * @default - the claim's namespace
   */
  readonly namespace?: string;
}

/** Metadata of an object that `compose` reads: what changes with each write, such as the resource version, is left out. */
export interface ReadMetadata {
  readonly name: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace?: string;
  readonly uid?: string;
  /** Number of the present spec, where the kind counts it. */
  readonly generation?: number;
  /** RFC 3339. */
  readonly creationTimestamp?: string;
  /** RFC 3339; given when the object is being deleted. */
  readonly deletionTimestamp?: string;
  /** Without those of kubectl and of this library, as of a claim. */
  readonly labels: Readonly<Record<string, string>>;
  /** Without those of kubectl and of this library, as of a claim. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** An object that `compose` reads, as it is in the cluster. Frozen. Its other members, e.g. `data` of a ConfigMap, are there too. */
export interface ReadObject<Spec = unknown, Status = unknown> {
  /** The version in which the composer watches the kind: that of the definition for a kind of the same module. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ReadMetadata;
  /** With the defaults of the API server; no schema of a definition has checked it. */
  readonly spec?: Spec;
  /** A claim that looks at it is composed again when the status changes, at most every 5 seconds. */
  readonly status?: Status;
  readonly [member: string]: unknown;
}
