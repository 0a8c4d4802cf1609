import type { OwnerReference } from '../kubernetes/types';

export type ExportFailureKind =
  /** A destination needs a value that does not exist. */
  | 'missingValue'
  /** Two values for one key, annotation or label. */
  | 'collision'
  /** An expression does not compile. */
  | 'compile'
  /** The evaluation of an expression fails. */
  | 'evaluate'
  /** A Secret or ConfigMap of that name has another owner. */
  | 'notOwned'
  /** The data of a Secret or ConfigMap would change, and is immutable. */
  | 'immutable'
  /** A Secret is or would become a credential, or the platform writes the object. */
  | 'protected'
  /** The request for the keys failed with an error other than ArmError. */
  | 'fetch';

/** A failed export, in the form that the condition reports (docs/spec/exports.md#export-steps). Never contains a secret value. */
export class ExportError extends Error {
  public constructor(
    public readonly failure: ExportFailureKind,
    message: string,
    public readonly reason: 'Failed' | 'FailedWritingAdditionalKubernetesObjects',
    public readonly severity: 'Warning' | 'Error',
  ) {
    super(message);
    this.name = 'ExportError';
  }
}

/** A Kubernetes Secret or ConfigMap to write. Values of Secrets are in `stringData`. */
export interface ExportedObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret' | 'ConfigMap';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly ownerReferences: OwnerReference[];
  };
  /** Set for ConfigMaps. */
  readonly data?: Record<string, string>;
  /** Set for Secrets. */
  readonly stringData?: Record<string, string>;
  /** Set for Secrets. */
  readonly type?: 'Opaque';
}

export interface Exports {
  /** Sorted by name. */
  readonly secrets: ExportedObject[];
  /** Sorted by name. */
  readonly configMaps: ExportedObject[];
}

/** The secret values that Azure returned, by their names in `operatorSpec.secrets`. */
export interface SecretValues {
  readonly values: Readonly<Record<string, string>>;
  /** Names whose source Azure does not have (no key of that name): they are not exported, and this is not an error. */
  readonly notThere: readonly string[];
}

export const NO_SECRET_VALUES: SecretValues = { values: {}, notThere: [] };

/** `{name, key, …}` under `operatorSpec.secrets` and `operatorSpec.configMaps`. */
export interface Destination {
  readonly name: string;
  readonly key: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

/** An element of `secretExpressions` and `configMapExpressions`; labels and annotations are expressions as well. */
export interface DestinationExpression {
  readonly name: string;
  readonly key?: string;
  readonly value: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}
