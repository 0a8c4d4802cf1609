import { logBlock } from './log-lines';
import type { WatchersOptions } from './watchers-options';
import { Budget } from '../budget';
import { BudgetMetrics } from '../telemetry/budget-metrics';

/** Azure's request limits, with their metrics; undefined if the settings switch the budget off. */
export function createBudget({ settings, clock, logger, metrics, limitScale, delayScale }: WatchersOptions): Budget | undefined {
  const budget = settings.requestBudget
    ? new Budget({
      clock,
      timeScale: limitScale ?? delayScale,
      onBlock: (event) => logBlock(logger, event),
      onRequest: (request) => budgetMetrics.request(request),
    })
    : undefined;
  const budgetMetrics = new BudgetMetrics(metrics.registry, () => budget?.states ?? []);
  return budget;
}
