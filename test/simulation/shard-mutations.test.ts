import { SHARD_MISTAKES } from './mistakes-of-shards';
import { simulationsOfSuite } from './program';
import type { Report } from './simulate';

/** Seeds within which each mistake has to be found. */
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
/** Where those do not begin with one that finds it: one that does. */
const FOUND_IN: Readonly<Record<string, number>> = {
  'writes to Azure do not ask the fence': 29,
  'writes to Kubernetes do not ask the fence': 2,
  'reconciles of a namespace that is given away do not end first': 2,
  'reconciles begin in a namespace that is given away': 2,
  'a namespace that is not listed yet is taken for empty': 24,
  'a term does not end': 3,
  'trees are not read before a write to Azure': 11,
  'an object that comes to another tree is not left alone': 11,
  'a namespace that is split has one owner': 2,
};

const simulate = simulationsOfSuite();

test.each(Object.entries(SHARD_MISTAKES))('%s: found', async (name, { says }) => {
  const found: Report[] = [];
  for (const seed of new Set([...name in FOUND_IN ? [FOUND_IN[name]!] : [], ...SEEDS])) {
    const report = await simulate({ seed, shards: true, mistake: name });
    if (!report.violations.some((text) => says.test(text))) continue;
    found.push(report);
    break;
  }
  expect(found).toHaveLength(1);
}, 600_000);
