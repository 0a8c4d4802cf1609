import type { CachedObject, DeletePreconditions, KubernetesObject, PatchType, ResourceType } from '../../engine/kubernetes';
import type { ObjectId } from '../../src/object-id';
import type { FindObject } from '../render/object-reads';
import type { ComposeResult } from '../render/types';

/** Runs `compose` for claims. */
export interface ClaimRenderer {
  /**
   * @param reads how objects that `compose` reads are found, and those that it has read the last time
   * @throws Error where the claim is not to blame: the composer ends, or too many claims of the namespace wait
   */
  compose(claim: KubernetesObject, reads: { readonly find: FindObject; readonly expected: readonly ObjectId[] }): Promise<ComposeResult>;
}

/** A kind of claims, as far as the composer has to know it. */
export interface ClaimKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** The version that is composed. */
  readonly version: string;
  readonly namespaced: boolean;
  readonly composes: readonly { readonly group: string; readonly kind: string }[];
  /** Kinds whose objects `compose` may read. */
  readonly reads: readonly { readonly group: string; readonly kind: string }[];
  /** Kinds of claims that hold up the deletion of a claim: those in the namespace of its name. */
  readonly heldBy?: readonly { readonly group: string; readonly kind: string }[];
}

/** The requests of the composer. */
export interface ComposerClient {
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
  patch(type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType): Promise<KubernetesObject>;
  replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  delete(type: ResourceType, name: string, namespace?: string, preconditions?: DeletePreconditions): Promise<void>;
}

/** The objects that the informers know. Reads send no request. */
export interface ComposerCache {
  find(key: ObjectId): CachedObject;
  /** The type of a kind that the cluster serves. */
  typeOf(group: string, kind: string): ResourceType | undefined;
  /** Stores the answer to a write. */
  updateLocal(object: KubernetesObject): void;
  /** The claims of all kinds. */
  claims(): readonly KubernetesObject[];
}
