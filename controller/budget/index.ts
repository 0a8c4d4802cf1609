export { Budget } from './budget';
export type { BlockEvent, BudgetedRequest, BudgetOptions, BudgetUse, LaneState } from './budget';
export { HeldBackError } from './held-back';
export { holdable } from './holdable';
