import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The conformance checks of CI run the CLI in the process of serve.mjs, whose answers are those of a process for each command line.

const ROOT = join(__dirname, '../..');
const CLIENT = join(ROOT, 'scripts/accept-cli/cli.sh');
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'accept-cli-test-')));
const GROUP = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: 'ä', namespace: 'default' },
  spec: { location: 'westeurope' },
};

beforeAll(() => {
  writeFileSync(join(directory, 'group.json'), JSON.stringify({ ...GROUP, metadata: { name: 'group', namespace: 'default' } }));
  writeFileSync(join(directory, 'wrong.json'), JSON.stringify(GROUP));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The answers to the command lines, below serve.mjs or by a process each. */
function answers(program: readonly string[], command: string): string {
  const lines = [
    'plan --output json group.json',
    'plan --output json group.json',
    'check wrong.json',
    'plan missing.json',
    'plan --no-such-option',
    '--version',
  ].map((line) => `${command} ${line} 2>err; echo "status $?"; cat err`);
  const script = `AZURE_SUBSCRIPTION_ID=00000000-0000-0000-0000-000000000001; export AZURE_SUBSCRIPTION_ID\n${lines.join('\n')}\nexit 7`;
  const [file = '', ...args] = [...program, 'bash', '-c', script];
  const { stdout, stderr, status } = spawnSync(file, args, { cwd: directory, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 7 });
  return stdout;
}

it('answers as the CLI does: output, errors, exit status, working directory and environment', () => {
  const served = answers([process.execPath, join(ROOT, 'scripts/accept-cli/serve.mjs')], CLIENT);
  expect(served).toBe(answers([], `${process.execPath} ${join(ROOT, 'lib/cli/main.js')}`));
  expect(served).toContain('/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/group');
  expect([...served.matchAll(/^status (\d)$/gm)].map(([, status]) => Number(status))).toEqual([0, 0, 1, 1, 2, 0]);
});

it('says what is missing where no server is there', () => {
  const { stderr, status } = spawnSync(CLIENT, ['--version'], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(stderr).toContain('run it below scripts/accept-cli/serve.mjs');
  expect(status).toBe(1);
});
