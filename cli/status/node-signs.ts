import type { InspectionNode, NodeState } from '../../engine/inspect';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

const SIGNS: Readonly<Record<NodeState, string>> = {
  Error: '✗',
  Warning: '!',
  Waiting: '·',
  Deleting: '-',
  Stale: '~',
  Unclaimed: '?',
  Reconciling: '…',
  Suspended: '=',
  Ready: '✓',
};

/** The sign of a state, in its colour. */
export function signOf(state: NodeState, style: Style): string {
  const sign = SIGNS[state];
  if (state === 'Ready' || state === 'Suspended') return style.good(sign);
  if (state === 'Error') return style.bad(sign);
  return state === 'Reconciling' || state === 'Deleting' ? style.dim(sign) : style.warn(sign);
}

/** State and reason in few words: `Ready`, `Waiting (WaitingForOwner)`, `Warning (AuthorizationFailed)`. */
export function stateWords({ state, reason, severity }: Pick<InspectionNode, 'state' | 'reason' | 'severity'>): string {
  const shown = oneLine(reason);
  const isClear = state === 'Ready' || state === 'Suspended' || state === 'Unclaimed' || state === 'Stale' || reason === state || reason === '';
  if (isClear) return state === 'Deleting' && severity !== undefined && severity !== 'Info' ? `${state} (${shown})` : state;
  return `${state} (${shown})`;
}
