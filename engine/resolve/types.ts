import type { KubernetesObject } from '../kubernetes/types';

export type { SpecReference } from '../../src/catalog/spec-references';

/**
 * Finds objects of the cluster (or of the manifests that `plan` reads). Synchronous. Where the controller's cache cannot tell whether an object
 * is there, both throw UnknownStateError: "not known" must never be read as "absent".
 */
export interface ObjectLookup {
  /** Any kind of the catalog, by group and kind whatever the version, or a core Secret or ConfigMap with group `''`. */
  find(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined;
  /** Whether the cluster serves the kind at all. */
  serves(group: string, kind: string): boolean;
}

export type ResolutionReason = 'WaitingForOwner' | 'ReferenceNotFound' | 'SecretNotFound' | 'ConfigMapNotFound' | 'SubscriptionMismatch' | 'Failed';

/** Something outside the object that it needs and that is not there (yet), or that does not fit. */
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

/** Whose child an object is: `spec.owner`, with the group and kind filled in where the kind fixes them. */
export type Owner =
  | { readonly by: 'name'; readonly group: string; readonly kind: string; readonly name: string }
  | { readonly by: 'armId'; readonly armId: string };
