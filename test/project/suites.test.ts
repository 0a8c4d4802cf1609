import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import nightlySuites from '../setup/nightly-suites.json';
import slowSuites from '../setup/slow-suites.json';

const ROOT = join(__dirname, '..', '..');

test('the slow suites exist, and are named with the seconds that they take', () => {
  expect(Object.keys(slowSuites).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(Object.entries(slowSuites).filter(([, seconds]) => seconds < 2)).toEqual([]);
});

test('the suites that are left to the night are slow ones, each with a reason', () => {
  expect(Object.keys(nightlySuites).filter((path) => !(path in slowSuites))).toEqual([]);
  expect(Object.values(nightlySuites).filter((reason) => reason.length < 20)).toEqual([]);
});

test('together, the suites of the day, of the night and of the site are all suites', () => {
  const names = ['test/e2e/kill.test.ts', 'test/core/outputs.test.ts', 'test/simulation/mutations.test.ts', 'test/site/page.test.ts'];
  const chosenBy = (name: string, night: string): string[] => {
    const { NIGHTLY } = process.env;
    process.env.NIGHTLY = night;
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const filter = require(`../../scripts/suites/${name}.cjs`) as (paths: readonly string[]) => { readonly filtered: string[] };
      return filter(names.map((path) => join(ROOT, path))).filtered.map((path) => relative(ROOT, path));
    } finally {
      if (NIGHTLY === undefined) delete process.env.NIGHTLY;
      else process.env.NIGHTLY = NIGHTLY;
    }
  };
  const [slow, fast, nightly] = names;
  expect([chosenBy('slow', ''), chosenBy('fast', ''), chosenBy('slow', '1')]).toEqual([[slow], [fast], [slow, nightly]]);
});

test('shards have every suite once, and about as many seconds each', () => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const SlowestFirst = require('../../scripts/suites/slowest-first.cjs') as new () => { shard<T>(tests: T[], of: object): T[] };
  const tests = Object.keys(slowSuites).map((path) => ({ path: join(ROOT, path) }));
  const shards = [1, 2, 3].map((shardIndex) => new SlowestFirst().shard(tests, { shardIndex, shardCount: 3 }));
  expect(shards.flat().map(({ path }) => path).sort()).toEqual(tests.map(({ path }) => path).sort());
  const secondsOf = (path: string) => (slowSuites as Record<string, number>)[relative(ROOT, path)]!;
  const seconds = shards.map((shard) => shard.reduce((sum, { path }) => sum + secondsOf(path), 0));
  expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(1.05);
});
