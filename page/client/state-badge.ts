import { h } from './elements';
import { STATE_SIGNS } from '../../engine/inspect/state-signs';
import type { NodeState } from '../../engine/inspect/types';

/** The colour of a state, which never says anything that its sign and its word do not. */
export function toneOf(state: NodeState): 'bad' | 'warn' | 'busy' | 'good' {
  if (state === 'Error') return 'bad';
  if (state === 'Ready' || state === 'Suspended') return 'good';
  return state === 'Reconciling' || state === 'Deleting' ? 'busy' : 'warn';
}

export function stateSign(state: NodeState): HTMLElement {
  return h('span', { 'class': `sign ${toneOf(state)}`, 'aria-hidden': 'true' }, STATE_SIGNS[state]);
}

/** The state as sign and word, with its reason. */
export function stateBadge(state: NodeState, reason = ''): HTMLElement {
  const isClear = reason === '' || reason === state || state === 'Ready' || state === 'Suspended' || reason === 'Succeeded';
  return h('span', { class: `badge ${toneOf(state)}` }, stateSign(state), ` ${state}${isClear ? '' : ` (${reason})`}`);
}
