/** A property, as documentation of its type lists it. */
export interface PropertySummary {
  /** Name in TypeScript; the path in a manifest differs where `manifestName` is given. */
  readonly name: string;
  readonly manifestName?: string;
  readonly type: string;
  readonly required: boolean;
  readonly text?: string;
  /** Allowed values, bounds, unit, format, exclusions, whether it can be changed, its first release: a sentence each. */
  readonly facts: readonly string[];
  readonly allowed?: readonly string[];
  readonly default?: string;
  readonly immutable?: boolean | string;
  /** Properties below it, with `--recursive`. */
  readonly properties?: readonly PropertySummary[];
}

export interface Example {
  readonly yaml: string;
  readonly typescript: string;
}

/** A kind or a property, explained. */
export interface Explanation {
  /** `storage.StorageAccount.networkAcls`, as the command takes it. */
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** For a kind: its sentences. For a property: the sentence about it. */
  readonly text: readonly string[];
  readonly property?: PropertySummary;
  /** Path in the manifest: `spec.networkAcls`. */
  readonly manifest: string;
  /** Path in the body of the ARM request; absent for a value that is not sent. */
  readonly arm?: string;
  readonly armType?: string;
  readonly armApiVersion?: string;
  readonly properties: readonly PropertySummary[];
  readonly outputs: readonly string[];
  readonly secretOutputs: readonly string[];
  readonly versions: readonly string[];
  readonly example: Example;
  readonly links: readonly string[];
}
