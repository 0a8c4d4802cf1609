import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type LoggedRequest } from './cluster';
import { orchard } from '../../examples/platform/platform';
import { until } from '../setup/until';

const CLI = join(__dirname, '..', '..', 'lib', 'cli', 'main.js');

interface Report {
  readonly resources: { readonly armId: string; readonly object: object; readonly change: string }[];
  readonly failed: unknown[];
  readonly problems: string[];
}

/** The built program imports what the built controller has made: nothing is written, and nothing would change. */
test('what the platform example made is imported, and applying it would change nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-import-'));
  const platform = orchard(directory);
  platform.synth();
  const folder = join(directory, platform.clusters[0]!.id);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml')).sort().map((file) => join(folder, file));
  const sandbox = await startSandbox({ args: files });
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      encoding: 'utf8', maxBuffer: 64 * 1024 ** 2, env: { ...process.env, ...sandbox.environment },
    });
    return { status, stdout, stderr };
  };
  try {
    await until('all is Ready', () => / of \d+ Azure objects Ready/.test(sandbox.output()), 240);
    const requests = async () => ((await sandbox.azure('/__requests')) as { requests: LoggedRequest[] }).requests;
    const before = await requests();
    const made = new Set(before.filter(({ method }) => method === 'PUT').map(({ path }) => path.toLowerCase()));
    const groups = [...made].filter((path) => /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+$/.test(path));
    expect(groups.length).toBeGreaterThan(1);

    const imported = run('import', '--format', 'json', '--verify', ...groups);
    const { resources, failed, problems } = JSON.parse(imported.stdout) as Report;
    const found = new Set(resources.map(({ armId }) => armId.toLowerCase()));
    expect({
      failed,
      problems,
      missing: [...made].filter((path) => !found.has(path)),
      changed: resources.filter(({ change }) => change !== 'noChange'),
      status: imported.status,
    }).toEqual({ failed: [], problems: [], missing: [], changed: [], status: 0 });

    const file = join(directory, 'imported.yaml');
    writeFileSync(file, resources.map(({ object }) => JSON.stringify(object)).join('\n---\n'));
    expect(JSON.parse(run('check', '--output', 'json', file).stdout)).toMatchObject({ summary: { error: 0, warning: 0 } });
    const sent = (await requests()).slice(before.length);
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
    // A property that holds a secret; `passwordAuth` holds none.
    expect(readFileSync(file, 'utf8')).not.toMatch(/[pP]assword"/);
  } finally {
    await sandbox.close();
  }
});
