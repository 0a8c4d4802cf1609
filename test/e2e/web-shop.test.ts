import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from './cluster';
import { until } from '../setup/until';

const root = join(__dirname, '..', '..');

test('every resource of the web shop becomes Ready in the sandbox', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-web-shop-'));
  const env = { ...process.env, CDK8S_OUTDIR: directory };
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', join(root, 'examples', 'web-shop', 'main.ts')], { cwd: root, encoding: 'utf8', env });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const sandbox = await startSandbox({ args: [directory] });
  try {
    await until('all is Ready', () => / of \d+ Azure objects Ready/.test(sandbox.output()), 150);
    const [, ready, all] = /(\d+) of (\d+) Azure objects Ready/.exec(sandbox.output())!;
    // Each of its twenty kinds has a watch.
    expect(sandbox.output()).not.toContain('Warning');
    expect([ready, Number(all) > 50]).toEqual([all, true]);
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true });
  }
});
