import type { KubernetesObject } from '../kubernetes/types';


/**
 * Finds objects of the cluster (or of the manifests that `plan` reads). Synchronous. When the controller's cache does not know whether an
 * object exists, both methods throw UnknownStateError: "not known" must never be read as "absent".
 */
export interface ObjectLookup {
  /** Finds an object of any kind of the catalog, by group and kind in any version, or a core Secret or ConfigMap with group `''`. */
  find(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined;
  /** Whether the cluster serves the kind. */
  serves(group: string, kind: string): boolean;
  /** All objects of a kind, in all namespaces that are looked at; undefined: not all of them are known yet. Default: there are none. */
  list?(group: string, kind: string): readonly KubernetesObject[] | undefined;
}

export type ResolutionReason =
  'WaitingForOwner' | 'ReferenceNotFound' | 'SecretNotFound' | 'ConfigMapNotFound' | 'SubscriptionMismatch' | 'Failed';

/** A dependency of the object that is missing (yet) or does not fit. */
export class ResolutionError extends Error {
  public constructor(
    public readonly reason: ResolutionReason,
    public readonly severity: 'Warning' | 'Error',
    message: string,
  ) {
    super(message);
    this.name = 'ResolutionError';
  }
}

/** The owner of an object: `spec.owner`, with group and kind added when the kind fixes them. */
export type Owner =
  | { readonly by: 'name'; readonly group: string; readonly kind: string; readonly name: string }
  | { readonly by: 'armId'; readonly armId: string };
