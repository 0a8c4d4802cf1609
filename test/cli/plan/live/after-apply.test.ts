import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchard } from '../../../../examples/platform/platform';
import { startSandbox, type LoggedRequest } from '../../../e2e/cluster';
import { until } from '../../../setup/until';

const CLI = join(__dirname, '..', '..', '..', '..', 'lib', 'cli', 'main.js');

/** The built program, with the identity of the environment, against what the built controller has made. */
test('the platform example: everything is created before, nothing differs after', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-plan-live-'));
  const platform = orchard(directory);
  platform.synth();
  const folder = join(directory, platform.clusters[0]!.id);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml')).sort().map((file) => join(folder, file));
  const empty = await startSandbox({ args: ['--no-controller'] });
  const plan = (environment: Readonly<Record<string, string>>, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'plan', '--live', '--exit-code', ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
    return { status, stdout, stderr };
  };
  try {
    const before = plan(empty.environment, ['--output', 'json', ...files]);
    expect([before.status, before.stderr]).toEqual([1, '']);
    const { create, update, noChange } = JSON.parse(before.stdout).summary;
    expect([create > 40, update, noChange]).toEqual([true, 0, 0]);
  } finally {
    await empty.close();
  }
  const sandbox = await startSandbox({ args: files });
  try {
    await until('all is Ready', () => / of \d+ Azure objects Ready/.test(sandbox.output()), 240);
    const [, ready, all] = /(\d+) of (\d+) Azure objects Ready/.exec(sandbox.output())!;
    expect(ready).toBe(all);
    const requests = async () => ((await sandbox.azure('/__requests')) as { requests: LoggedRequest[] }).requests;
    const sent = (await requests()).length;

    const after = plan(sandbox.environment, ['--output', 'json', ...files]);
    expect([after.status, after.stderr]).toEqual([0, '']);
    expect(JSON.parse(after.stdout).summary).toEqual({ create: 0, update: 0, noChange: Number(all), delete: 0, unknown: 0 });
    const read = (await requests()).slice(sent);
    expect([new Set(read.map(({ method }) => method)), read.length]).toEqual([new Set(['GET']), Number(all)]);

    const cluster = plan(sandbox.environment, ['--kubeconfig', sandbox.kubeconfig, '--output', 'json']);
    expect([cluster.status, cluster.stderr]).toEqual([0, '']);
    expect(JSON.parse(cluster.stdout).summary).toEqual({ create: 0, update: 0, noChange: Number(all), delete: 0, unknown: 0 });

    const [changed] = files.filter((file) => readFileSync(file, 'utf8').includes('Standard_LRS'));
    const other = join(directory, 'changed.yaml');
    writeFileSync(other, readFileSync(changed!, 'utf8').replace('Standard_LRS', 'Standard_GRS'));
    const edited = plan(sandbox.environment, files.map((file) => (file === changed ? other : file)));
    expect(edited.status).toBe(1);
    expect(edited.stdout).toContain('/sku/name: Standard_LRS → Standard_GRS');
    expect(edited.stdout).toContain(`Summary: 0 to create, 1 to update, ${Number(all) - 1} without change, 0 unknown.`);
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
