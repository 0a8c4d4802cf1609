import type { Mutation } from './mutations';
import { PENDING } from './pending';
import type { Report } from './simulate';
import type * as Core from '../../controller/reconcile/core/decide';

/**
 * Seeds that may pass before a mistake has to be found. First those that are known to find one: in 20 something is edited under `skip`, in
 * 223 something is deleted under it, in 14 something is let go.
 */
const SEEDS = [...new Set([77, 1, 14, 20, 111, 223, 147, ...Array.from({ length: 40 }, (_, index) => index + 1)])];

/** Where those do not begin with one that finds it: one that does. */
const FOUND_IN: Readonly<Record<string, number>> = {
  'DELETE despite skip': 74,
  'PUT despite skip': 204,
  'DELETE despite detach-on-delete': 64,
  'the object goes before its resource': 20,
  'a Retry-After is forgotten': 14,
  'the global credential helps out': 27,
  'a list that has not come counts as empty': 111,
  'a process that leads no more goes on': 59,
  'drift is given up after three corrections': 6,
  'a 200 that is no resource counts as an empty one': 15,
  'a 200 of another resource is trusted': 6,
  'any 404 says that there is no resource': 127,
};

let mockMutation: Mutation = (real) => real;

jest.mock('../../controller/reconcile/core/decide', () => {
  const actual = jest.requireActual<typeof Core>('../../controller/reconcile/core/decide');
  return { decide: (...input: Parameters<typeof actual.decide>) => mockMutation(actual.decide)(...input) };
});

const { MISTAKES } = jest.requireActual<typeof import('./mistakes')>('./mistakes');
const { simulate } = jest.requireActual<typeof import('./simulate')>('./simulate');

let undo: () => void = () => undefined;
afterEach(() => undo());

test.each(Object.entries(MISTAKES))('%s: found', async (name, { core, around, says = /./ }) => {
  mockMutation = core ?? ((real) => real);
  const found: Report[] = [];
  for (const seed of new Set(name in FOUND_IN ? [FOUND_IN[name], ...SEEDS] : SEEDS)) {
    undo = around?.() ?? (() => undefined);
    const report = await simulate(seed!, { without: PENDING });
    undo();
    undo = () => undefined;
    if (report.violations.some((text) => says.test(text))) found.push(report);
    if (found.length > 0) break;
  }

  expect(found).toHaveLength(1);
}, 600_000);
