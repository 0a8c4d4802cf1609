import type { Observed, Result, LastWriteKnowledge } from './core/observed';
import { remainsOf } from './core/parent-lock';
import type { LeftBehind } from './parent-locks/parent-write-locks';

/** The requests that a reconcile has sent to Azure. */
export interface SentRequests {
  /** Whether a request that changes a resource was sent. */
  any: boolean;
  /** Whether the outcome of a request is unknown, without an answer. */
  inDoubt: boolean;
  /** Whether the reconcile has read the resource, or seen that there is none. */
  hasLooked: boolean;
  /** The knowledge before the first request that changes a resource. */
  knowledgeBefore?: LastWriteKnowledge;
}

/** How the reconcile leaves the resource, for the lock of its parent. */
export function leftBehind(
  observed: Observed,
  result: Result,
  actions: readonly string[],
  { any, inDoubt, hasLooked }: SentRequests,
): LeftBehind {
  const remains = remainsOf(observed, result, actions);
  if (remains !== 'nothing') return remains;
  // Without a credential no request could be sent, not even a read.
  if (!any && 'failure' in observed.credential) return 'unknown';
  const isRefusedDelete = actions.at(-1) === 'delete' && result.kind === 'failure';
  if (isRefusedDelete && !inDoubt && !hasLooked) return 'blind';
  if (inDoubt) return 'doubt';
  if (any || hasLooked) return 'nothing';
  return actions.at(-1) === 'read' && result.kind === 'failure' ? 'unread' : 'unlooked';
}
