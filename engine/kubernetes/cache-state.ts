import { KubernetesError, type KubernetesObject } from './types';
import type { ObjectId } from '../../src/object-id';
import { shortened } from '../../src/util/words';

/** The cache cannot answer, with the reason. Never equivalent to "absent". */
export interface UnknownState {
  readonly state: 'unknown';
  /**
   * Reason of the condition Ready. `KindNotWatched`: only an administrator can change it; `CacheNotSynced`: the controller keeps retrying.
   */
  readonly reason: 'CacheNotSynced' | 'KindNotWatched';
  readonly group: string;
  readonly kind: string;
  /** Text for a condition: `the list of namespaces failed: 403 Forbidden: …`. */
  readonly why: string;
  /** Whether a retry may succeed within seconds. */
  readonly isMomentary?: boolean;
  /** Set where the list of the kind is complete, and only this object is unknown. */
  readonly only?: ObjectId;
  /** A read of the object is under way. Its answer wakes the objects that wait for it, so nothing is reported meanwhile. */
  readonly isBeingRead?: boolean;
  /** The last known version of the object. Only for redacting its values; no decision may depend on it. */
  readonly last?: KubernetesObject;
}

/** Whether the cache of a kind is complete. */
export type CacheState = { readonly state: 'whole' } | UnknownState;

/** The cached state of one object. */
export type CachedObject =
  | { readonly state: 'present'; readonly object: KubernetesObject }
  | { readonly state: 'absent' }
  | UnknownState;

/** The cached objects of a kind. */
export type CachedList = { readonly state: 'whole'; readonly objects: readonly KubernetesObject[] } | UnknownState;

export const WHOLE: CacheState = { state: 'whole' };

/** A reconcile needs an object that the cache cannot answer for. It ends without changing anything. */
export class UnknownStateError extends Error {
  public static ofObject(unknown: UnknownState, { kind, name }: Pick<ObjectId, 'kind' | 'name'>): UnknownStateError {
    return new UnknownStateError(unknown, `the ${kind} "${name}"`);
  }

  public static ofKind(unknown: UnknownState): UnknownStateError {
    return new UnknownStateError(unknown, `the objects of kind ${nameOfKind(unknown)}`);
  }

  public constructor(public readonly unknown: UnknownState, what: string) {
    super(`${what} cannot be read${unknown.reason === 'CacheNotSynced' ? ' yet' : ''}: ${unknown.why}`);
    this.name = 'UnknownStateError';
  }
}

/** The result of `find`, or the error when the cache cannot answer. */
export function findOrUnknown<T>(find: () => T): T | UnknownStateError {
  try {
    return find();
  } catch (error) {
    if (error instanceof UnknownStateError) return error;
    throw error;
  }
}

export function unknownState(
  { group, kind }: Pick<ObjectId, 'group' | 'kind'>,
  why: string,
  reason: UnknownState['reason'] = 'CacheNotSynced',
): UnknownState {
  return { state: 'unknown', reason, group, kind, why };
}

/** `ResourceGroup.resources.azure.com`, `Secret`. */
export function nameOfKind({ group, kind }: Pick<ObjectId, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

const LONGEST_CAUSE = 300;

/** A failed request to the API server in a few words: `403 Forbidden: …`. */
export function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof KubernetesError && error.status > 0 ? `${error.status} ${error.reason}: ` : '';
  return shortened(`${status}${message}`.replace(/\s+/g, ' '), LONGEST_CAUSE);
}

/** Whether a retry is useless until the permissions change. */
export function isRefused(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 401 || error.status === 403);
}
