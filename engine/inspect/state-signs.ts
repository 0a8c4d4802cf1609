import type { NodeState } from './types';

/** A sign for each state, so that colour is never the only one. */
export const STATE_SIGNS: Readonly<Record<NodeState, string>> = {
  Error: '✗',
  Warning: '!',
  Waiting: '○',
  Deleting: '-',
  Stale: '~',
  Unclaimed: '?',
  Reconciling: '…',
  Suspended: '=',
  Ready: '✓',
};
