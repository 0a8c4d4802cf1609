import { Registry } from 'prom-client';
import type { RateLimitQueueState } from '../../../controller/budget';
import { BudgetMetrics } from '../../../controller/telemetry/budget-metrics';

const STATE: RateLimitQueueState = {
  endpoint: 'https://arm',
  scope: { level: 'subscription', id: 's' },
  principal: 'p',
  operation: 'writes',
  remaining: 7,
  waiting: { fresh: 2, resync: 3 },
  isBlocked: true,
  blockedTypes: ['microsoft.cdn/profiles'],
  blockedSeconds: 12.5,
};

test('the metrics show each queue as it is when they are read, and what requests were for', async () => {
  const registry = new Registry();
  let states = [STATE, { ...STATE, scope: { level: 'tenant' as const, id: 't' }, isBlocked: false, blockedTypes: [] }];
  const metrics = new BudgetMetrics(registry, () => states);
  metrics.request({ purpose: 'drift-detection', operation: 'writes', priority: 'resync', waitedSeconds: 0.2 });
  const text = await registry.metrics();
  expect(text).toContain('cdk8s_aso_arm_requests_total{purpose="drift-detection",operation="writes"} 1');
  expect(text).toContain('cdk8s_aso_arm_budget_wait_seconds_sum{operation="writes",priority="resync"} 0.2');
  expect(text).toContain('cdk8s_aso_arm_budget_remaining{scope="s",principal="p",operation="writes"} 7');
  expect(text).toContain('cdk8s_aso_arm_budget_waiting{scope="s",principal="p",operation="writes",priority="resync"} 3');
  expect(text).toContain('cdk8s_aso_arm_budget_blocked{scope="s",principal="p",operation="writes"} 1');
  expect(text).toContain('cdk8s_aso_arm_budget_blocked{scope="tenant/t",principal="p",operation="writes"} 0');
  expect(text).toContain('cdk8s_aso_arm_budget_blocked_types{scope="s",principal="p",operation="writes",type="microsoft.cdn/profiles"} 1');
  expect(text).toContain('cdk8s_aso_arm_budget_blocked_seconds_total{scope="s",principal="p",operation="writes"} 12.5');
  states = [];
  expect(await registry.metrics()).not.toContain('scope="s"');
});
