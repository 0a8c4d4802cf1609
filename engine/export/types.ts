import type { OwnerReference } from '../kubernetes/types';

export type ExportFailureKind =
  /** A value that a destination needs is not there. */
  | 'missingValue'
  /** Two values for one key, annotation or label. */
  | 'collision'
  /** An expression that does not compile. */
  | 'compile'
  /** An expression that fails when it is evaluated. */
  | 'evaluate'
  /** A Secret or ConfigMap of that name belongs to somebody else. */
  | 'notOwned'
  /** A Secret that is or would become a credential, or an object that the platform writes. */
  | 'protected'
  /** The request for the keys failed in a way that is no ArmError. */
  | 'fetch';

/** An export that failed, with what the condition shows of it (docs/spec/exports.md#export-steps). Never contains a secret value. */
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

/** A Kubernetes Secret or ConfigMap as it is to be written. Texts of Secrets are in `stringData`. */
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
  /** Of ConfigMaps. */
  readonly data?: Record<string, string>;
  /** Of Secrets. */
  readonly stringData?: Record<string, string>;
  /** Of Secrets. */
  readonly type?: 'Opaque';
}

export interface Exports {
  /** By name. */
  readonly secrets: ExportedObject[];
  /** By name. */
  readonly configMaps: ExportedObject[];
}

/** What Azure answered of the wanted secret values, by the names that `operatorSpec.secrets` gives them. */
export interface SecretValues {
  readonly values: Readonly<Record<string, string>>;
  /** Values of things that Azure does not have (no key of that name): not exported, and no error. */
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
