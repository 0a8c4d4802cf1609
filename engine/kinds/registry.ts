import { adjustmentOf } from './error-adjustments';
import { SINGLE_KINDS } from './single-kinds';
import { stateGateOf } from './state-gates';
import type { KindHooks } from './types';

const registered = new Map<string, KindHooks>();

/** What a kind does beyond the catalog; an empty object for most kinds. */
export function hooksOf(group: string, kind: string): KindHooks {
  const key = `${group}/${kind}`;
  let hooks = registered.get(key);
  if (!hooks) {
    const single = Object.hasOwn(SINGLE_KINDS, key) ? SINGLE_KINDS[key] : {};
    hooks = { ...single, adjust: adjustmentOf(group, kind), preCheck: stateGateOf(group, kind) };
    registered.set(key, hooks);
  }
  return hooks;
}
