import type { ApiObject } from 'cdk8s';

/** A value that exists only in the cluster: the composer evaluates it when the objects are there. */
export class ComposedValue {
  /**
   * A value of a composed object, e.g. of its status.
   * @param object the object
   * @param cel an expression over `self`, the object as it is in the cluster, e.g. `self.status.primaryEndpoints.blob`. The result is a
   *   text, a number or a boolean.
   * @see https://kubernetes.io/docs/reference/using-api/cel/
   */
  public static fromObject(object: ApiObject, cel: string): ComposedValue {
    return new ComposedValue({ object, cel });
  }

  /**
   * A key of a ConfigMap to which a composed object exports, e.g. `identity.outputs.clientId`. The definition needs `configMapOutputs`.
   * @param value the key; an `Output` of a resource is one
   * @param namespace namespace of the ConfigMap
   */
  public static fromConfigMap(value: { readonly configMapName: string; readonly key: string }, namespace: string): ComposedValue {
    return new ComposedValue({ configMap: { namespace, name: value.configMapName, key: value.key } });
  }

  /** @internal */
  public readonly _source: ComposedSource;

  private constructor(source: ComposedSource) {
    this._source = source;
  }
}

/** @internal */
export type ComposedSource =
  | { readonly object: ApiObject; readonly cel: string }
  | { readonly configMap: { readonly namespace: string; readonly name: string; readonly key: string } };

/** A condition for the readiness of a composed object that the composer does not know by itself. */
export interface Readiness {
  /** The object. */
  readonly object: ApiObject;
  /** An expression over `self` that gives a boolean, e.g. `self.status.phase == 'Bound'`. Not ready while it has no value. */
  readonly cel: string;
}

/** The answer of `compose`: values for the status of the claim, and conditions of its readiness. */
export interface Composition {
  /**
   * Values for the status, by name: `status.outputs.<name>`. One that does not exist yet is left out of the status. No secrets: whoever may
   * read the claim reads them.
   * @default - none
   */
  readonly outputs?: Readonly<Record<string, string | number | boolean | ComposedValue>>;
  /**
   * Links for people, by name: `status.links.<name>`, `https` only.
   * @default - none
   */
  readonly links?: Readonly<Record<string, string>>;
  /**
   * Conditions of readiness of single objects.
   * @default - Azure's kinds by their condition Ready, workloads by their status, all others when they exist
   */
  readonly readiness?: readonly Readiness[];
}
