import type { Observed, Result, LastWriteKnowledge } from './core/observed';
import { remainsOf } from './core/turn';
import type { LeftBehind } from './parent-locks/parent-write-locks';

/** What a reconcile has sent to Azure. */
export interface SentRequests {
  /** Something that changes a resource. */
  any: boolean;
  /** No answer tells what became of it. */
  inDoubt: boolean;
  /** It has seen the resource, or that there is none. */
  hasLooked: boolean;
  /** What was known before the first request that changes a resource. */
  sightBefore?: LastWriteKnowledge;
}

/** How the reconcile leaves the resource, for the lock of its parent. */
export function leftBehind(observed: Observed, result: Result, actions: readonly string[], { any, inDoubt, hasLooked }: SentRequests): LeftBehind {
  const remains = remainsOf(observed, result, actions);
  if (remains !== 'nothing') return remains;
  // Without a credential nothing could be sent, nor looked at.
  if (!any && 'failure' in observed.credential) return 'unknown';
  const isRefusedDelete = actions.at(-1) === 'delete' && result.kind === 'failure';
  if (isRefusedDelete && !inDoubt && !hasLooked) return 'blind';
  return inDoubt ? 'doubt' : any || hasLooked ? 'nothing' : 'unlooked';
}
