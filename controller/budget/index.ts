export { Budget } from './budget';
export type { BlockEvent, BudgetOptions, BudgetUse, LaneState } from './budget';
export { HeldBackError } from './held-back';
