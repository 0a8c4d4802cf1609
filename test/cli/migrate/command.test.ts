import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { Connection, loadClusterAccess, RestClient } from '../../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';
import { Catalog } from '../../../src/catalog';
import { captured } from '../capture';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const directory = mkdtempSync(join(tmpdir(), 'migrate-command-'));
const kubeconfig = join(directory, 'kubeconfig');
const EMPTY = join(directory, 'install.yaml');
let kubernetes: SandboxKubernetes;
beforeAll(async () => {
  kubernetes = await startKubernetes({ crds: [Catalog.default().kind('resources.azure.com', 'ResourceGroup')!] });
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  writeFileSync(EMPTY, 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: operators\n');
});
afterAll(async () => {
  await kubernetes.close();
  rmSync(directory, { recursive: true });
});

async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const terminal = captured();
  const status = await runCommandLine(['migrate', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
}

test.each([
  [['from-aso', '--check', '--run'], 'give one of --check, --plan and --run'],
  [['from-aso', '--run'], '--run needs --install'],
  [['from-aso', '--run', '--install', 'x.yaml'], 'there is no terminal to ask for confirmation on: give --yes'],
  [['elsewhere'], 'Allowed choices are from-aso, to-aso'],
])('%s is refused', async (args, message) => {
  const { status, err } = await run(...args);
  expect(err).toContain(message);
  expect(status).toBe(2);
});

test('a file that is not there, and a cluster that does not answer, are one line each', async () => {
  const missing = await run('from-aso', '--check', '--install', join(directory, 'absent.yaml'));
  expect([missing.status, missing.err]).toEqual([1, expect.stringContaining('no such file')]);
  const other = join(directory, 'other');
  writeFileSync(other, kubernetes.kubeconfig().replace(/:\d+(?=["\s])/, ':1'));
  const { status, err } = await run('from-aso', '--kubeconfig', other);
  expect(err).toContain('no answer from');
  expect(status).toBe(1);
});

test("a journal in a tenant's namespace is named, and not followed", async () => {
  const connection = new Connection(await loadClusterAccess({ path: kubeconfig }));
  const client = new RestClient(connection);
  const data = { journal: JSON.stringify({ format: 'cdk8s-aso/migration/1', direction: 'from-aso', done: ['stop-watchers'] }) };
  await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cdk8s-aso-migration', namespace: 'default' }, data });
  try {
    const { status, out } = await run('to-aso', '--run', '--yes', '--kubeconfig', kubeconfig);
    expect(status).toBe(1);
    expect(out).toMatch(/^Cluster https?:/);
    expect(out).toContain('there is no controller, and a journal of a migration in default');
    const named = await run('from-aso', '--run', '--yes', '--install', EMPTY, '--kubeconfig', kubeconfig, '--namespace', 'default');
    expect(named).toMatchObject({ status: 1, err: expect.stringContaining('cannot be read: it was edited: id, cluster, startedAt, kinds, rewritten') });
  } finally {
    await client.delete(CONFIG_MAPS, 'cdk8s-aso-migration', 'default');
    await connection.close();
  }
});

test('a cluster without ASO has nothing to migrate', async () => {
  const { status, out } = await run('from-aso', '--kubeconfig', kubeconfig);
  expect(status).toBe(1);
  expect(out).toContain('no CRD of the cluster is one of ASO');
  expect(out).toContain('ASO has no Deployment');
  const json = await run('from-aso', '--check', '--kubeconfig', kubeconfig, '--output', 'json');
  expect((JSON.parse(json.out) as { findings: { severity: string }[] }).findings.filter(({ severity }) => severity === 'stop').length).toBeGreaterThan(1);
});
