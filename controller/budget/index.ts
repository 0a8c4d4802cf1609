export { Budget } from './budget';
export type { BlockEvent, BudgetedRequest, BudgetUse, RateLimitQueueState } from './budget-options';
export { ThrottledError } from './throttled-error';
export { preemptible } from './preemptible';
