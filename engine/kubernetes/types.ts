/** Types of Kubernetes objects as the API defines them, as far as the controller uses them. */

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
  /** Set for ConfigMaps (text) and Secrets (base64). */
  readonly data?: Record<string, string>;
  /** Set for Secrets; write-only. */
  readonly stringData?: Record<string, string>;
  readonly type?: string;
}

/** A served resource type: the parts of its URL in the Kubernetes API. */
export interface ResourceType {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export type PatchType = 'application/merge-patch+json' | 'application/json-patch+json' | 'application/apply-patch+yaml';

/** An error of the Kubernetes API (`kind: Status`). */
export class KubernetesError extends Error {
  public constructor(
    /** HTTP status; 0 when there was no answer. */
    public readonly status: number,
    /** `NotFound`, `Conflict`, `AlreadyExists`, `Gone`, `Invalid`, … */
    public readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    // The API server quotes rejected values of any length.
    super(truncate(message, TEXT_LIMITS.message), options);
    this.name = 'KubernetesError';
  }
}

/** Conditions that an object must meet to be deleted. */
export interface DeletePreconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The requests of the controller. They return the server's objects and throw KubernetesError. */
export interface KubernetesClient {
  /** The object, or undefined when it does not exist. */
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
  create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  /** PUT: fails with `Conflict` when the resourceVersion is not the current one. */
  replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  /** PUT on the status subresource. */
  replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  patch(type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType): Promise<KubernetesObject>;
  /** With preconditions, fails with `Conflict` when the object has been replaced or changed. */
  delete(type: ResourceType, name: string, namespace?: string, preconditions?: DeletePreconditions): Promise<void>;
  /** API groups and versions with their resources, from discovery. */
  discover(): Promise<ResourceType[]>;
  /** A client that calls `fence` just before each write; an exception rejects the write, which is not sent. */
  withFence?(fence: () => void): KubernetesClient;
}

/** The objects of an informer, by namespace and name. Synchronous: reads never send a request. */
export interface ObjectStore {
  get(namespace: string, name: string): KubernetesObject | undefined;
  list(namespace?: string): KubernetesObject[];
}

/** Whether a request to the API server for one object has read or written it. */
export type RequestKind = 'read' | 'write';

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
  /** The version before the event, for MODIFIED and DELETED. */
  readonly previous?: KubernetesObject;
}

/** Watches one resource type until it is stopped: a paged list, then events. */
export interface Informer {
  readonly type: ResourceType;
  readonly store: ObjectStore;
  /** Resolves when the first list is complete. */
  start(signal: AbortSignal): Promise<void>;
  /** Handlers are called in the order of the events, after the store has changed. */
  onEvent(handler: (event: ObjectEvent) => void): void;
}

/** The objects of a resource type to list or watch. */
export interface Selection {
  /** Only this namespace; absent: all (or a cluster-scoped type). */
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Requests metadata only. Objects are reduced to metadata even if the server cannot do it. */
  readonly metadataOnly?: boolean | undefined;
}

export interface ListOptions extends Selection {
  /** Objects per page. */
  readonly limit?: number | undefined;
  /** Token of the next page. */
  readonly continue?: string | undefined;
}

/** A page of a list. Items have apiVersion and kind. */
export interface ObjectList {
  readonly resourceVersion: string;
  /** Token of the next page; absent on the last. */
  readonly continue?: string | undefined;
  readonly items: KubernetesObject[];
}

export interface WatchOptions extends Selection {
  /** The watch starts after this version. */
  readonly resourceVersion: string;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds: number;
}

export interface WatchEvent {
  /** BOOKMARK: only a newer resourceVersion. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubernetesObject;
}

/** The requests that informers are built on. */
export interface KubernetesListWatch {
  /** One page. Throws KubernetesError (`Expired` with status 410 for a page token that is too old). */
  list(type: ResourceType, options: ListOptions, signal?: AbortSignal): Promise<ObjectList>;
  /**
   * Events until the server ends the watch. Throws KubernetesError: status 410 when the version is too old, 0 when the connection breaks.
   */
  watch(type: ResourceType, options: WatchOptions, signal: AbortSignal): AsyncIterable<WatchEvent>;
}

/** The result of discovery; it distinguishes groups that did not answer from groups that do not exist. */
export interface Discovery {
  readonly types: ResourceType[];
  /** Groups whose resources could not be read this time. */
  readonly unknownGroups: ReadonlySet<string>;
}
