import type { WatchedType } from './cluster';
import type { Observed, Outcome, Result } from './core/observed';
import type { ObjectMemory } from './object-memories';
import type { ReconcilerOptions } from './reconciler-options';
import type { ReconcilerState } from './reconciler-state';
import type { SentRequests } from './sent-requests';
import type { ExternalKind } from '../../engine/kinds/external';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { ObjectLookup } from '../../engine/resolve/types';
import type { Priority } from '../../runtime/work-queue';
import type { KindVersion } from '../../src/catalog';
import type { ObjectId } from '../../src/object-id';
import type { ThrottledError } from '../budget';

/** A reconcile of one object, before the object is read. */
export interface ReconcileRequest {
  readonly options: ReconcilerOptions;
  readonly state: ReconcilerState;
  readonly key: ObjectId;
  readonly watched: WatchedType;
  /** The object in the cache when the reconcile began, in the version in which its kind is watched. */
  readonly cached: KubernetesObject;
  readonly priority: Priority;
  readonly sent: SentRequests;
}

/** How a reconcile is aborted, and how it is throttled until Azure's limits have room. */
export interface Preemption {
  readonly signal: AbortSignal;
  readonly onThrottled: (reason: ThrottledError) => void;
  /** A request waits until Azure's limits have room; what it answers is called when the wait is over. */
  readonly onWait?: (() => () => void) | undefined;
}

/** A reconcile of one object that was read. */
export interface ObjectReconcile extends ReconcileRequest {
  /** The object as read, in the version in which it was applied. */
  readonly object: KubernetesObject;
  readonly memory: ObjectMemory;
  readonly version: KindVersion;
  /** Implementation of a kind outside of Azure Resource Manager. */
  readonly external?: ExternalKind | undefined;
  /** Finds other objects, and makes this one depend on them. */
  readonly lookup: ObjectLookup;
}

/** How far a reconcile is. */
export interface ReconcileProgress {
  /** Input of the decisions, with the wanted object. */
  observed: Observed;
  /** The object as the API server has it. */
  stored: KubernetesObject;
  /** Outcome of the last action. */
  outcome?: Outcome;
  /** The names of the actions so far. */
  readonly actions: string[];
}

export interface ReconcileEnd {
  readonly result: Result;
  readonly object: KubernetesObject;
  readonly actions: readonly string[];
  readonly memory: ObjectMemory;
}
