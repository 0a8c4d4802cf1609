import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BudgetedRequest, RateLimitQueueState } from '../budget';

const BUCKETS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const QUEUE_LABELS = ['scope', 'principal', 'operation'];
const PURPOSES = ['reconcile', 'poll', 'export', 'sync', 'drift-detection'] as const;

/**
 * Counts requests to Azure by purpose, and the room of its limits. Scopes are subscriptions, or `tenant/<id>`; principals are client IDs.
 */
export class BudgetMetrics {
  private readonly requests: Counter;
  private readonly waits: Histogram;

  /** `states` is called at each scrape. */
  public constructor(registry: Registry, states: () => readonly RateLimitQueueState[]) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'cdk8s_aso_arm_requests_total',
      help: 'Requests to Azure Resource Manager by what they are for',
      labelNames: ['purpose', 'operation'],
      registers,
    });
    for (const purpose of PURPOSES) {
      this.requests.inc({ purpose, operation: purpose === 'drift-detection' || purpose === 'reconcile' ? 'writes' : 'reads' }, 0);
    }
    this.waits = new Histogram({
      name: 'cdk8s_aso_arm_budget_wait_seconds',
      help: 'How long requests waited until a limit of Azure had room for them',
      labelNames: ['operation', 'priority'],
      buckets: BUCKETS,
      registers,
    });
    gauge(registry, 'remaining', 'Requests that could be sent at once, as far as is known', QUEUE_LABELS, states, ({ remaining }) => [
      [{}, remaining],
    ]);
    gauge(registry, 'waiting', 'Requests that wait for room', [...QUEUE_LABELS, 'priority'], states, ({ waiting: { fresh, resync } }) => [
      [{ priority: 'fresh' }, fresh], [{ priority: 'resync' }, resync],
    ]);
    gauge(registry, 'blocked', '1 where Azure takes no requests for now', QUEUE_LABELS, states, ({ isBlocked }) => [[{}, isBlocked ? 1 : 0]]);
    gauge(
      registry,
      'blocked_types',
      '1 for a type of which Azure takes no requests for now',
      [...QUEUE_LABELS, 'type'],
      states,
      ({ blockedTypes }) => blockedTypes.map((type) => [{ type }, 1]),
    );
    blockedSeconds(registry, states);
  }

  public request({ purpose, operation, priority, waitedSeconds }: BudgetedRequest): void {
    this.requests.inc({ purpose, operation });
    this.waits.observe({ operation, priority }, waitedSeconds);
  }
}

function labelsOf({ scope, principal, operation }: RateLimitQueueState): Record<string, string> {
  return { scope: scope.level === 'tenant' ? `tenant/${scope.id}` : scope.id, principal, operation };
}

function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  states: () => readonly RateLimitQueueState[],
  valuesOf: (state: RateLimitQueueState) => readonly (readonly [Record<string, string>, number])[],
): void {
  new Gauge({
    name: `cdk8s_aso_arm_budget_${name}`,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const state of states()) for (const [labels, value] of valuesOf(state)) this.set({ ...labelsOf(state), ...labels }, value);
    },
  });
}

function blockedSeconds(registry: Registry, states: () => readonly RateLimitQueueState[]): void {
  new Counter({
    name: 'cdk8s_aso_arm_budget_blocked_seconds_total',
    help: 'How long Azure has taken no requests in all',
    labelNames: QUEUE_LABELS,
    registers: [registry],
    collect() {
      this.reset();
      for (const state of states()) this.inc(labelsOf(state), state.blockedSeconds);
    },
  });
}
