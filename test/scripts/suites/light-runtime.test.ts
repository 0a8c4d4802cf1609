import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { filesIn } from '../../cli/capture';

const ROOT = join(__dirname, '..', '..', '..');

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

/** jest's report of the suites of `cases`, which one process runs in the order of their names. */
function reported(): Report {
  const { jest: config } = (require('../../../package.json') as { jest: object }); // eslint-disable-line @typescript-eslint/no-require-imports
  const own = { ...config, rootDir: ROOT, testMatch: ['<rootDir>/test/scripts/suites/cases/*.case.ts'], testSequencer: join(__dirname, 'order.cjs') };
  const file = join(filesIn({ 'jest.config.json': JSON.stringify(own) }), 'jest.config.json');
  const { stdout } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '--config', file, '--runInBand', '--forceExit', '--json'], { cwd: ROOT, encoding: 'utf8' });
  return JSON.parse(stdout) as Report;
}

describe('suites of one process', () => {
  let suites: Map<string, Report['testResults'][number]>;
  beforeAll(() => {
    suites = new Map(reported().testResults.map((suite) => [basename(suite.name, '.case.ts'), suite]));
  });

  test.each([
    ['a-changes', 'changes environment, globals, clock and directory'],
    ['b-finds', 'finds them as they were'],
    ['c-adds-kinds', 'adds kinds to the catalog'],
    ['d-reads-kinds', 'has a catalog without them'],
    ['f-replaces', 'replaces a module'],
    ['g-after-replaced', 'has the module itself'],
  ])('%s %s', (name) => {
    const { message, assertionResults } = suites.get(name)!;
    expect([message, assertionResults.map(({ status }) => status)]).toEqual(['', ['passed']]);
  });

  test('a server that still listens after its suite is told', () => {
    expect(suites.get('h-leaves-a-server')!.message).toContain('a server that the suite started still listens');
  });

  test('what fails is told, and does not end the others', () => {
    const { assertionResults } = suites.get('e-fails')!;
    expect(assertionResults.map(({ title, status }) => `${title}: ${status}`)).toEqual([
      'an expectation: failed',
      'a test that does not end: failed',
      'a promise that nobody awaits: failed',
      'that fails: failed',
      'and one that is fine: passed',
    ]);
    const [expectation, endless, promise, hook] = assertionResults.map(({ failureMessages }) => failureMessages.join('\n'));
    expect(expectation).toMatch(/Expected: .*2[^]*e-fails\.case\.ts:1:/);
    expect([endless, promise, hook]).toEqual([
      expect.stringContaining('Exceeded timeout of 20 ms'), expect.stringContaining('lost'), expect.stringContaining('no server'),
    ]);
  });
});
