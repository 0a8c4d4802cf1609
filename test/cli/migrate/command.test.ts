import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { Journal } from '../../../cli/migrate/journal';
import { Connection, loadClusterAccess, RestClient } from '../../../engine/kubernetes';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';
import { Catalog } from '../../../src/catalog';
import { captured } from '../capture';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };
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
  [['from-aso', '--check', '--run'], 'give one of --check, --plan, --run and --status'],
  [['from-aso', '--run'], '--run needs --install'],
  [['from-aso', '--run', '--install', 'x.yaml'], 'there is no terminal to ask for confirmation on: give --yes'],
  [['elsewhere'], 'Allowed choices are from-aso, to-aso, abort'],
  [['abort', '--install', EMPTY], 'abort needs no --install'],
  [[], 'give from-aso, to-aso or abort, or --status'],
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

describe('an unfinished migration', () => {
  const NAMESPACE = 'operators';
  const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
  const deployment = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'azureserviceoperator-controller-manager', namespace: NAMESPACE, generation: 1 },
    spec: { replicas: 1, selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'manager', image, env: [{ name: 'AZURE_OPERATOR_MODE', value: 'webhooks' }, { name: 'AZURE_TARGET_NAMESPACES', value: '' }] }] } } },
  });
  const INSTALL = join(directory, 'with-deployment.json');
  let connection: Connection;
  let client: RestClient;

  beforeAll(async () => {
    writeFileSync(INSTALL, JSON.stringify(deployment('controller:1')));
    connection = new Connection(await loadClusterAccess({ path: kubeconfig }));
    client = new RestClient(connection);
    await client.create({ group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  });
  afterAll(() => connection.close());
  afterEach(async () => {
    await client.patch(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE, { metadata: { finalizers: null } }, 'application/merge-patch+json').catch(() => undefined);
    await client.delete(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE).catch(() => undefined);
    await client.delete(DEPLOYMENTS, 'azureserviceoperator-controller-manager', NAMESPACE).catch(() => undefined);
  });

  const here = (...args: string[]) => run(...args, '--kubeconfig', kubeconfig, '--namespace', NAMESPACE);
  const begun = async (done: readonly string[], more: object = {}) => {
    const journal = await Journal.begin(client, NAMESPACE, { direction: 'from-aso', kinds: [] }, { now: 0 });
    await journal.update({ done, ...more });
    return journal;
  };

  test('its status, and the note in its ConfigMap, name the way on and the way back', async () => {
    expect(await here('--status')).toMatchObject({ status: 0, out: expect.stringContaining('There was no migration.') });
    await begun(['stop-watchers']);
    const { status, out } = await here('--status');
    expect(status).toBe(1);
    expect(out).toContain('Done: stop-watchers.');
    expect(out).toContain('On: cdk8s-aso migrate from-aso --run --install dist/controller.k8s.yaml');
    expect(out).toContain('Back: cdk8s-aso migrate abort --run starts ASO again');
    expect((await client.get(CONFIG_MAPS, 'cdk8s-aso-migration', NAMESPACE))?.data?.note).toBe(out.split('\n').slice(1).join('\n'));
    const json = await here('from-aso', '--status', '--output', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ direction: 'from-aso', done: ['stop-watchers'], back: expect.stringContaining('migrate abort --run') });
    expect((await here('from-aso', '--check')).out).toContain('Back: cdk8s-aso migrate abort --run');
  });

  test('an error names the way back, and advises to run again only where that may help', async () => {
    await begun([]);
    const again = () => here('from-aso', '--run', '--yes', '--install', INSTALL);
    const first = await again();
    expect(first.status).toBe(1);
    expect(first.err).toMatch(/the step stop-watchers is not finished: .* is not there.*When the cause is gone, cdk8s-aso migrate from-aso --run .*goes on with this step\. Back: cdk8s-aso migrate abort --run/);
    expect((await again()).err).toContain('The last run ended in the same way: as long as its cause is there, another one does as well. Back: ');
    expect((await here('--status')).out).toContain('The last run ended in the step stop-watchers: ');
  });

  test('is taken back while ASO is there, and never twice', async () => {
    expect((await here('abort')).err).toContain(`there is no unfinished migration in ${NAMESPACE}`);
    await begun(['stop-watchers'], { watchers: [{ container: 'manager', env: [{ name: 'AZURE_TARGET_NAMESPACES', value: 'shop' }] }] });
    expect((await here('abort')).err).toContain('cannot be taken back: the Deployment operators/azureserviceoperator-controller-manager of ASO is removed already. Back: cdk8s-aso migrate to-aso --run');
    await client.create(DEPLOYMENTS, deployment('azureserviceoperator:v2.20.0') as KubernetesObject);
    await client.patchStatus(DEPLOYMENTS, 'azureserviceoperator-controller-manager', NAMESPACE, { status: { observedGeneration: 9, updatedReplicas: 1, availableReplicas: 1 } }, 'application/merge-patch+json');
    const look = await here('abort');
    expect([look.status, look.out]).toEqual([0, expect.stringContaining('6. Start the watchers of the old controller again')]);
    const { status, out } = await here('abort', '--run', '--yes');
    expect(out).toContain('The migration is taken back: ASO reconciles again.');
    expect(status).toBe(0);
    const { spec } = (await client.get(DEPLOYMENTS, 'azureserviceoperator-controller-manager', NAMESPACE))!;
    expect((spec as { template: { spec: { containers: { env: object[] }[] } } }).template.spec.containers[0]!.env).toEqual([{ name: 'AZURE_TARGET_NAMESPACES', value: 'shop' }]);
    expect(await here('abort', '--run', '--yes')).toMatchObject({ status: 1, err: expect.stringContaining('the migration from-aso is taken back') });
    expect((await here('--status')).out).toContain('taken back at');
  });

  test('that is being taken back is not gone on with', async () => {
    await begun(['stop-watchers'], { abortedAt: '2026-11-30T08:00:00Z' });
    const refused = await here('from-aso', '--run', '--yes', '--install', INSTALL);
    expect([refused.status, refused.out]).toEqual([1, expect.stringContaining('is being taken back since 2026-11-30T08:00:00Z')]);
  });

  test.each<[string, (journal: Journal) => Promise<void>]>([
    ['taken back', (journal) => journal.update({ abortedAt: '2026-11-30T08:00:00Z', finishedAt: '2026-11-30T08:01:00Z' })],
    ['turned round', (journal) => journal.turnRound({ kinds: [] }, 0)],
  ])('that another process has %s while this one waited for the lease is not gone on with', async (_, act) => {
    const journal = await begun(['stop-watchers']);
    const spec = { holderIdentity: 'another', renewTime: '2026-11-30T08:00:00.000000Z' };
    // That of an earlier run was released.
    await client.delete(LEASES, 'cdk8s-aso-migration', NAMESPACE).catch(() => undefined);
    await client.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'cdk8s-aso-migration', namespace: NAMESPACE }, spec });
    const terminal = captured();
    let others: Promise<unknown> | undefined;
    const print = (text: string) => {
      if (text.includes('holds the lease')) others = act(journal).then(() => client.patch(LEASES, 'cdk8s-aso-migration', NAMESPACE, { spec: { holderIdentity: '' } }, 'application/merge-patch+json'));
    };
    const args = ['migrate', 'from-aso', '--run', '--yes', '--install', INSTALL, '--kubeconfig', kubeconfig, '--namespace', NAMESPACE];
    expect(await runCommandLine(args, '1.2.3', { ...terminal, print })).toBe(1);
    await others;
    expect(terminal.err).toEqual(['another process has taken this migration back, or begun another one, since this command began']);
    await client.delete(LEASES, 'cdk8s-aso-migration', NAMESPACE);
  });

  test('whose CRDs are replaced turns round to ASO, without a controller', async () => {
    const steps = ['stop-watchers', 'refuse-writes', 'record-versions', 'move-storage', 'rewrite-objects', 'stored-versions', 'owner-references'];
    await begun(steps.slice(0, 6));
    expect((await here('to-aso', '--plan', '--install', INSTALL)).out).toContain('is not finished');
    await (await Journal.read(client, NAMESPACE))!.update({ done: [...steps, 'replace-crds'] });
    const { out } = await here('to-aso', '--plan', '--install', INSTALL, '--output', 'json');
    const { findings } = JSON.parse(out) as { findings: { check: string; severity: string }[] };
    expect(findings.filter(({ severity, check }) => severity === 'stop' && ['journal', 'installation', 'webhooks'].includes(check))).toEqual([]);
  });

  test('settings in an edited journal that are none of the old controller are refused', async () => {
    await begun(['stop-watchers'], { watchers: [{ container: 'manager', env: [{ name: 'LD_PRELOAD', value: '/x' }] }] });
    expect((await here('--status')).err).toContain('it was edited: watchers');
  });
});
