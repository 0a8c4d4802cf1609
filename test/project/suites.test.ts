import { existsSync } from 'node:fs';
import { join } from 'node:path';
import slowSuites from '../setup/slow-suites.json';

const ROOT = join(__dirname, '..', '..');

test('the slow suites exist, and are named with the seconds that they take', () => {
  expect(Object.keys(slowSuites).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(Object.entries(slowSuites).filter(([, seconds]) => seconds < 5)).toEqual([]);
});

test('together, fast and slow suites are all suites', () => {
  const paths = ['test/e2e/kill.test.ts', 'test/core/outputs.test.ts'].map((path) => join(ROOT, path));
  const chosenBy = (name: string): string[] => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const filter = require(`../../scripts/suites/${name}.cjs`) as (paths: readonly string[]) => { readonly filtered: string[] };
    return filter(paths).filtered;
  };
  expect([chosenBy('slow'), chosenBy('fast')]).toEqual([[paths[0]], [paths[1]]]);
});
