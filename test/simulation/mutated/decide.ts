import { decide as real } from '../../../controller/reconcile/core/decide';
import type { Mutation } from '../mutations';

const UNCHANGED: Mutation = (decide) => decide;
let mutation = UNCHANGED;

/** Changes all decisions from now on; without a mutation none is changed. */
export function mutate(next: Mutation = UNCHANGED): void {
  mutation = next;
}

/** In the place of the core's function. */
export const decide: typeof real = (...input) => mutation(real)(...input);
