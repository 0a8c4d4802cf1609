import { KubernetesError, type KubernetesObject, type ObjectKey } from './types';
import { shortened } from '../../src/util/words';

/** What a cache cannot tell, and why. Never to be taken for "there is none". */
export interface UnknownState {
  readonly state: 'unknown';
  /** Of the condition Ready. `KindNotWatched`: only an administrator can change it; `CacheNotSynced`: it is tried all the time. */
  readonly reason: 'CacheNotSynced' | 'KindNotWatched';
  readonly group: string;
  readonly kind: string;
  /** For a condition: `the list of namespaces failed: 403 Forbidden: …`. */
  readonly why: string;
  /** Asking again may help within seconds. */
  readonly isMomentary?: boolean;
  /** What was last known of the object. Good for hiding its values in texts; no decision may rest on it. */
  readonly last?: KubernetesObject;
}

/** Whether what a cache holds of a kind can be taken for what there is. */
export type CacheState = { readonly state: 'whole' } | UnknownState;

/** What a cache knows of one object. */
export type CachedObject =
  | { readonly state: 'present'; readonly object: KubernetesObject }
  | { readonly state: 'absent' }
  | UnknownState;

/** What a cache knows of the objects of a kind. */
export type CachedList = { readonly state: 'whole'; readonly objects: readonly KubernetesObject[] } | UnknownState;

export const WHOLE: CacheState = { state: 'whole' };

/** Somebody needs to know what cannot be told now. A reconciliation that meets it ends, and changes nothing. */
export class UnknownStateError extends Error {
  public static ofObject(unknown: UnknownState, { kind, name }: Pick<ObjectKey, 'kind' | 'name'>): UnknownStateError {
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

/** What was found, or why nobody can tell. */
export function findOrUnknown<T>(find: () => T): T | UnknownStateError {
  try {
    return find();
  } catch (error) {
    if (error instanceof UnknownStateError) return error;
    throw error;
  }
}

export function unknownState({ group, kind }: Pick<ObjectKey, 'group' | 'kind'>, why: string, reason: UnknownState['reason'] = 'CacheNotSynced'): UnknownState {
  return { state: 'unknown', reason, group, kind, why };
}

/** `ResourceGroup.resources.azure.com`, `Secret`. */
export function nameOfKind({ group, kind }: Pick<ObjectKey, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

const LONGEST_CAUSE = 300;

/** A failure of the API server in a few words: `403 Forbidden: …`. */
export function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof KubernetesError && error.status > 0 ? `${error.status} ${error.reason}: ` : '';
  return shortened(`${status}${message}`.replace(/\s+/g, ' '), LONGEST_CAUSE);
}

/** Whether asking again is of no use before somebody changes rights. */
export function isRefused(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 401 || error.status === 403);
}
