import { STATE_SIGNS, stateText, type InspectionNode, type NodeState } from '../../engine/inspect';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

/**
 * The sign of a state, in its colour. An object that waits has the terminal's own colour, which is legible on each background: it is
 * neither healthy (green) nor in need of someone (yellow, red).
 */
export function signOf(state: NodeState, style: Style): string {
  const sign = STATE_SIGNS[state];
  if (state === 'Ready' || state === 'Suspended') return style.good(sign);
  if (state === 'Error') return style.bad(sign);
  if (state === 'Waiting') return sign;
  return state === 'Reconciling' || state === 'Deleting' ? style.dim(sign) : style.warn(sign);
}

/** State and reason in few words: `Ready`, `Waiting (WaitingForOwner)`, `Warning (AuthorizationFailed)`. */
export function stateWords(node: Pick<InspectionNode, 'state' | 'reason' | 'severity'>): string {
  return oneLine(stateText(node));
}
