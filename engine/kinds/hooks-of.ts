import { behaviourOf } from './all-kinds';
import { adjustmentOf } from './error-adjustments';
import { stateGateOf } from './state-gates';
import type { KindHooks } from './types';

const known = new Map<string, KindHooks>();

/** The hooks of a kind; most kinds have none. */
export function hooksOf(group: string, kind: string): KindHooks {
  const key = `${group}/${kind}`;
  let hooks = known.get(key);
  if (!hooks) {
    const behaviour = behaviourOf(group, kind);
    const { postCheck, configMapValues, beforeDelete, onSuccess } = behaviour;
    hooks = { postCheck, configMapValues, beforeDelete, onSuccess, adjust: adjustmentOf(behaviour), preCheck: stateGateOf(behaviour) };
    known.set(key, hooks);
  }
  return hooks;
}
