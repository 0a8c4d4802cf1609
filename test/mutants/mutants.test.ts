import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseForESLint } from '@typescript-eslint/parser';
import { bySeeds } from './by-seeds';
import { bySuites, edit, type SourceMutant } from './by-suites';
import { mutantsCommand } from './command';
import { allGroups, SOURCE_MUTANTS } from './groups';
import type { Group } from './mutant';
import slowSuites from '../setup/slow-suites.json';

const ROOT = join(__dirname, '..', '..');
const NO_CASES = join(ROOT, 'no-such-directory');
/** Suites of programs that `scripts/bundle.mjs` has bundled: these have no mutant. */
const OF_PROGRAMS = /^test\/(e2e|hostile)\//;
const all = Object.entries(SOURCE_MUTANTS).flatMap(([group, mutants]) =>
  mutants.map((mutant) => [`${group}: ${mutant.name}`, mutant] as const));

/** Names that neither the source nor Node declares. */
function unknownNames(source: string): readonly string[] {
  const { scopeManager } = parseForESLint(source, { sourceType: 'module', range: true });
  const used = scopeManager.scopes[0]!.through.filter(({ isValueReference }) => isValueReference);
  return [...new Set(used.map(({ identifier }) => String(identifier.name)))].filter((name) => !(name in globalThis));
}

const unknownBefore = new Map<string, readonly string[]>();

describe('the list', () => {
  test.each(Object.entries(allGroups(NO_CASES)))('%s: no two mutants have one name', (_, { mutants }) => {
    const names = mutants.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('every group has mutants', () => {
    const counts = Object.entries(allGroups(NO_CASES)).map(([group, { mutants }]) => [group, mutants.length]);
    expect(counts.filter(([, count]) => count === 0)).toEqual([['comparer', 0]]);
  });

  test.each(all)('%s: what it replaces is there once', (_, { edits }) => {
    const found = edits.map(({ file, from }) => [file, readFileSync(join(ROOT, file), 'utf8').split(from).length - 1]);
    expect(found).toEqual(edits.map(({ file }) => [file, 1]));
    expect(edits.filter(({ from, to }) => from === to)).toEqual([]);
  });

  // A name that is no longer there would fail in every suite, so that none would have to find the fault.
  test.each(all)('%s: each name in it exists', (_, { edits }) => {
    for (const file of new Set(edits.map((one) => one.file))) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const mutated = edits.filter((one) => one.file === file).reduce((text, { from, to }) => text.split(from).join(to), source);
      const before = unknownBefore.get(file) ?? unknownNames(source);
      unknownBefore.set(file, before);
      expect(unknownNames(mutated).filter((name) => !before.includes(name))).toEqual([]);
    }
  });

  test.each(all)('%s: suites that load sources have to find it', (_, { suites }) => {
    expect(suites.length).toBeGreaterThan(0);
    expect(suites.filter((suite) => !existsSync(join(ROOT, suite)) || !suite.endsWith('.test.ts') || OF_PROGRAMS.test(suite))).toEqual([]);
  });

  test('none of these suites takes long', () => {
    const suites = new Set(all.flatMap(([, mutant]) => mutant.suites));
    const seconds: Readonly<Record<string, number>> = slowSuites;
    expect([...suites].filter((suite) => (seconds[suite] ?? 0) > 30)).toEqual([]);
  });

  test('every input of the fuzz corpus has the mistake that it once found', () => {
    const inputs = readdirSync(join(ROOT, 'test', 'fuzz', 'corpus')).map((file) => file.slice(0, -'.json'.length));
    expect(SOURCE_MUTANTS.fuzz!.map(({ name }) => name).sort()).toEqual(inputs.sort());
  });
});

test('a reader that stops reading ends the command without a stack', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', join('test', 'mutants', 'run.ts'), '--help'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  expect([errors, status]).toEqual(['', 141]);
});

describe('the command', () => {
  const suites = ['test/composer/apply/apply-set.test.ts'];
  const file = 'composer/apply/apply-set.ts';
  const sources: readonly SourceMutant[] = [
    { name: 'the version of an ApplySet is another', edits: [edit(file, "('base64url')}-v1`;", "('base64url')}-v2`;")], suites },
    { name: 'a comment is another', edits: [edit(file, '/** The names in a stable order', '/** The names in an order')], suites },
    { name: 'a module that does not load', edits: [edit(file, 'export function applySetId', 'export functio applySetId')], suites },
  ];

  async function command(words: readonly string[], more: Readonly<Record<string, Group>> = {}) {
    let [out, err] = ['', ''];
    const status = await mutantsCommand(words, {
      groups: () => ({ made: { mutants: bySuites(sources) }, ...more }),
      cases: NO_CASES,
      out: (text) => (out += text),
      err: (text) => (err += text),
      isTerminal: false,
    });
    return { status, out: out.split('\n').filter((line) => line !== ''), err };
  }

  test('one that no suite finds has survived, as has one with which no suite runs', async () => {
    const { status, out } = await command(['--jobs', '1'], { none: { mutants: [], skipped: 'there is nothing' } });
    expect(status).toBe(1);
    expect(out).toEqual([
      expect.stringMatching(/^made {2}found {5}the version of an ApplySet is another: test\/composer\/apply\/apply-set\.test\.ts: \S/),
      'made  SURVIVED  a comment is another: test/composer/apply/apply-set.test.ts passes',
      expect.stringMatching(/^made {2}SURVIVED {2}a module that does not load: \S+\/apply-set\.test\.ts: it did not run: /),
      'made  1 found, 2 survived',
      'none  skipped: there is nothing',
      '1 found, 2 survived',
    ]);
  });

  test('JSON has the same', async () => {
    const mutants = [
      { name: 'a', find: () => Promise.resolve({ found: true, by: 'seed 1' } as const) },
      { name: 'b', find: () => Promise.reject(new Error('x')) },
    ];
    const { status, out, err } = await command(['--only', 'other', '--output', 'json'], { other: { mutants } });
    expect([status, err]).toEqual([1, '1 found, 1 survived\n']);
    expect(JSON.parse(out.join('\n'))).toMatchObject({
      found: 1,
      survived: 1,
      groups: [{
        group: 'other',
        found: 1,
        survived: 1,
        mutants: [{ name: 'a', found: true, by: 'seed 1' }, { name: 'b', found: false, why: 'Error: x' }],
      }],
    });
  });

  test('the help names the groups; what it does not know is refused', async () => {
    expect((await command(['--help'])).out.join('\n')).toContain('may be repeated: made');
    expect(await command(['--only', 'others'])).toEqual({ status: 2, out: [], err: '--only others: give one of made\n' });
    expect(await command(['--jobs', '0'])).toEqual({ status: 2, out: [], err: '--jobs 0: give a whole number from 1\n' });
    expect(await command(['--output', 'xml'])).toEqual({ status: 2, out: [], err: '--output xml: give text or json\n' });
    expect(await command(['--name', 'no such'])).toEqual({ status: 2, out: [], err: '--name no such: no mutant has such a name\n' });
    expect((await command(['--quick'])).status).toBe(2);
  });
});

describe('a simulation', () => {
  const simulated = (violations: (job: string) => string[]) => async () => ({
    start: () => ({ ask: (job: string) => Promise.resolve({ violations: violations(job) }) }), end: () => undefined,
  });
  const mutant = {
    name: 'm',
    seeds: [1, 2, 3],
    job: (seed: number, mistake = 'none') => `${seed} ${mistake}`,
    isFoundBy: (violation: string) => violation !== 'x',
  };

  async function verdictOf(violations: (job: string) => string[]) {
    let out = '';
    const groups = { made: { mutants: bySeeds([mutant], simulated(violations)) } };
    const status = await mutantsCommand([], {
      groups: () => groups, cases: NO_CASES, out: (text) => (out += text), err: () => undefined, isTerminal: false,
    });
    return [status, out.split('\n')[0]];
  }

  test('the first seed that fails has found it, if it fails by what the mistake has to be found by', async () => {
    const verdict = await verdictOf((job) => (job === '2 m' ? ['x', 'y'] : job === '1 m' ? ['x'] : []));
    expect(verdict).toEqual([0, 'made  found     m: seed 2: y']);
  });

  test('a seed that fails without it as well has found nothing', async () => {
    expect(await verdictOf((job) => (job.startsWith('2') ? ['y'] : []))).toEqual([1, 'made  SURVIVED  m: seed 2 fails without it as well']);
  });

  test('where no seed fails, it has survived', async () => {
    expect(await verdictOf(() => [])).toEqual([1, 'made  SURVIVED  m: none of 3 seeds finds it']);
  });
});
