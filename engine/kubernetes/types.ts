/** What the controller knows of Kubernetes objects; the shapes of the API itself, nothing of our own. */

import { TEXT_LIMITS, truncate } from '../text-limits';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly ownerReferences?: OwnerReference[];
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly severity?: 'Error' | 'Warning' | 'Info';
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly message?: string;
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown> & { readonly conditions?: Condition[] };
  /** Of ConfigMaps (text) and Secrets (base64). */
  readonly data?: Record<string, string>;
  /** Of Secrets, write-only. */
  readonly stringData?: Record<string, string>;
  readonly type?: string;
}

/** A served resource: what a URL of the Kubernetes API is made of. */
export interface ResourceType {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export type PatchType = 'application/merge-patch+json' | 'application/json-patch+json' | 'application/apply-patch+yaml';

/** A refusal of the Kubernetes API (`kind: Status`). */
export class KubernetesError extends Error {
  public constructor(
    /** HTTP status; 0 where there was no answer. */
    public readonly status: number,
    /** `NotFound`, `Conflict`, `AlreadyExists`, `Gone`, `Invalid`, … */
    public readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    // The API server quotes what it refuses, whatever its length.
    super(truncate(message, TEXT_LIMITS.message), options);
    this.name = 'KubernetesError';
  }
}

/** What has to hold of an object for it to be deleted. */
export interface DeletePreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** The requests that the controller makes; answers are the server's objects, refusals a KubernetesError. */
export interface KubernetesClient {
  /** The object, or undefined when there is none. */
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
  create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  /** PUT: refused with `Conflict` when the resourceVersion is not the current one. */
  replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  /** PUT on the status subresource. */
  replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  patch(type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType): Promise<KubernetesObject>;
  /** With preconditions refused with `Conflict` when the object is another one, or another version of it, by now. */
  delete(type: ResourceType, name: string, namespace?: string, preconditions?: DeletePreconditions): Promise<void>;
  /** API groups and versions with their resources, as discovery tells them. */
  discover(): Promise<ResourceType[]>;
}

export interface ObjectKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What an informer has seen, by namespace and name. Synchronous: reads never leave the process. */
export interface ObjectStore {
  get(namespace: string, name: string): KubernetesObject | undefined;
  list(namespace?: string): KubernetesObject[];
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
  /** The version seen before, for MODIFIED and DELETED. */
  readonly previous?: KubernetesObject;
}

/** Watches one resource type: first a paged list, then events, for ever, until it is stopped. */
export interface Informer {
  readonly type: ResourceType;
  readonly store: ObjectStore;
  /** Resolves when the first list is complete. */
  start(signal: AbortSignal): Promise<void>;
  /** Handlers are called in the order of the events, after the store has changed. */
  onEvent(handler: (event: ObjectEvent) => void): void;
}

/** What to list or watch of a resource type. */
export interface Selection {
  /** Only this namespace; absent: all (or a cluster-scoped type). */
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Ask the server for metadata only. Answers are stripped to metadata even where the server cannot do it. */
  readonly metadataOnly?: boolean;
}

export interface ListOptions extends Selection {
  /** Objects a page. */
  readonly limit?: number;
  /** Token of the next page. */
  readonly continue?: string;
}

/** A page of a list. Items carry apiVersion and kind. */
export interface ObjectList {
  readonly resourceVersion: string;
  /** Token of the next page; absent on the last. */
  readonly continue?: string;
  readonly items: KubernetesObject[];
}

export interface WatchOptions extends Selection {
  /** Events after this version. */
  readonly resourceVersion: string;
  /** After so many seconds the server ends the watch. */
  readonly timeoutSeconds: number;
}

export interface WatchEvent {
  /** BOOKMARK: nothing but a newer resourceVersion. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubernetesObject;
}

/** The reads that informers are made of. */
export interface KubernetesListWatch {
  /** One page. Throws KubernetesError (`Expired` with status 410 for a page token that is too old). */
  list(type: ResourceType, options: ListOptions, signal?: AbortSignal): Promise<ObjectList>;
  /** Events until the server ends the watch. Throws KubernetesError: status 410 when the version is too old, 0 when the connection broke. */
  watch(type: ResourceType, options: WatchOptions, signal: AbortSignal): AsyncIterable<WatchEvent>;
}

/** What discovery found; groups that did not answer are not the same as groups that are not there. */
export interface Discovery {
  readonly types: ResourceType[];
  /** Groups whose resources could not be read this time. */
  readonly unknownGroups: ReadonlySet<string>;
}
