import type { Mutation } from './mutations';
import type { Report } from './simulate';
import type * as Core from '../../controller/reconcile/core/decide';

/** Seeds that may pass before a mistake has to be found. */
const PATIENCE = 40;

let mockMutation: Mutation = (real) => real;

jest.mock('../../controller/reconcile/core/decide', () => {
  const actual = jest.requireActual<typeof Core>('../../controller/reconcile/core/decide');
  return { decide: (...told: Parameters<typeof actual.decide>) => mockMutation(actual.decide)(...told) };
});

const { MUTATIONS } = jest.requireActual<typeof import('./mutations')>('./mutations');
const { simulate } = jest.requireActual<typeof import('./simulate')>('./simulate');

test.each(Object.entries(MUTATIONS))('%s: found', async (_name, mutation) => {
  mockMutation = mutation;
  const found: Report[] = [];
  for (let seed = 1; seed <= PATIENCE && found.length === 0; seed += 1) {
    const report = await simulate(seed);
    if (report.violations.length > 0) found.push(report);
  }

  expect(found).toHaveLength(1);
}, 600_000);
