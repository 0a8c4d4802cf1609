import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandbox } from '../../../cli/sandbox/sandbox';
import { uncheckedText } from '../../../sandbox';

const directory = mkdtempSync(join(tmpdir(), 'unchecked-'));
const file = join(directory, 'group.json');
writeFileSync(file, JSON.stringify({
  apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'group' }, spec: { location: 'uksouth' },
}));
afterAll(() => rmSync(directory, { recursive: true }));

/** A run without a controller: the text on both streams. */
async function run(output: 'text' | 'json', environment: Record<string, string> = {}) {
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => ((texts[stream] += String(text)), true)));
  const same = (text: string) => text;
  const terminal = {
    style: { bold: same, dim: same, good: same, bad: same, warn: same },
    print: (text: string) => void (texts.stdout += `${text}\n`),
    error: (text: string) => void (texts.stderr += `${text}\n`),
    note: (text: string) => void (texts.stderr += `${text}\n`),
  };
  try {
    await sandbox([file], { output, timeScale: 60, existing: [], controller: false }, terminal, environment);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return texts;
}

const count = (text: string) => text.split(uncheckedText()).length - 1;

test('the text is one line, and names Azure\'s rules only where they are off', () => {
  expect(uncheckedText()).toMatch(/^The Azure simulator does not check quotas, .* Azure Policy, .*#limitations$/);
  expect(uncheckedText(false)).toContain('check Azure\'s own rules (--no-azure-rules), quotas');
});

test('a run says it once', async () => {
  const { stdout, stderr } = await run('text');
  expect([count(stdout), count(stderr)]).toEqual([1, 0]);
});

test('with --output json the standard output has the results alone', async () => {
  const { stdout, stderr } = await run('json');
  expect([count(stdout), count(stderr)]).toEqual([0, 1]);
  expect(JSON.parse(stdout)).toBeDefined();
});

test('an Azure that is no simulator checks them itself', async () => {
  const { stdout, stderr } = await run('text', { AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://localhost:1' });
  expect([count(stdout), count(stderr)]).toEqual([0, 0]);
});

test('the servers alone say it on the standard error', async () => {
  const root = join(__dirname, '..', '..', '..');
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'sandbox', 'main.ts'), '--no-kubernetes'], { cwd: root });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
      if (stderr.includes('#limitations')) resolve();
    });
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  await ended;
  expect(count(stderr)).toBe(1);
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['azure', 'env']);
});
