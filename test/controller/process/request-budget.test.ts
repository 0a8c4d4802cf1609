import { Metrics } from '../../../controller/metrics';
import { createBudget } from '../../../controller/process/request-budget';
import type { WatchersOptions } from '../../../controller/process/watchers-options';
import { systemClock } from '../../../engine/clock';
import { silentLogger } from '../../../runtime/log/log';

function created(requestBudget: boolean) {
  const metrics = new Metrics();
  const options = { settings: { requestBudget }, clock: systemClock, logger: silentLogger(), metrics };
  return { metrics, budget: createBudget(options as unknown as WatchersOptions) };
}

test.each([true, false])('the budget follows the setting (%s), and its metrics are there either way', async (isWanted) => {
  const { budget, metrics } = created(isWanted);
  expect(budget !== undefined).toBe(isWanted);
  expect(await metrics.registry.metrics()).toContain('cdk8s_aso_arm_budget_remaining');
  budget?.stop();
});
