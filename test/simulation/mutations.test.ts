import { MISTAKES } from './mistakes';
import { PENDING } from './pending';
import { simulationsOfSuite } from './program';
import type { Report } from './simulate';

/**
 * Seeds that may pass before a mistake has to be found. First those that are known to find one: in 20 something is edited under `skip`, in
 * 223 something is deleted under it, in 14 something is let go.
 */
const SEEDS = [...new Set([77, 1, 14, 20, 111, 223, 147, ...Array.from({ length: 40 }, (_, index) => index + 1)])];

/** Where those do not begin with one that finds it: one that does. */
const FOUND_IN: Readonly<Record<string, number>> = {
  'DELETE despite skip': 74,
  'PUT despite skip': 6,
  'DELETE despite detach-on-delete': 64,
  'the object goes before its resource': 20,
  'a bucket gives out more than it has': 111,
  'a Retry-After is forgotten': 14,
  'a lost answer is taken for none sent': 14,
  'siblings do not wait for the operation of an earlier process': 6,
  'the global credential helps out': 27,
  'a PUT does not wait until the Secret of its credential is kept': 14,
  'a list that has not come counts as empty': 111,
  'a Secret whose content was not read counts as absent': 6,
  'a process that leads no more goes on': 59,
  'drift is given up after three corrections': 6,
  'an owner that this process has sent counts as made by it': 33,
  'a parent is sent without the children of others': 14,
  'a 200 that is no resource counts as an empty one': 15,
  'a 200 of another resource is trusted': 6,
  'any 404 says that there is no resource': 39,
};

const simulate = simulationsOfSuite();

test.each(Object.entries(MISTAKES))('%s: found', async (name, { says = /./ }) => {
  const found: Report[] = [];
  for (const seed of new Set(name in FOUND_IN ? [FOUND_IN[name]!, ...SEEDS] : SEEDS)) {
    const report = await simulate({ seed, without: PENDING, mistake: name });
    if (report.violations.some((text) => says.test(text))) found.push(report);
    if (found.length > 0) break;
  }

  expect(found).toHaveLength(1);
}, 600_000);
