import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account, group, identity, TestEnvironment } from './environment';
import { planLive } from '../../../../cli/plan/live/plan-live';
import type { PlanOptions } from '../../../../cli/plan/plan';
import { startKubernetes, type SandboxKubernetes } from '../../../../sandbox/kubernetes';
import { Catalog } from '../../../../src/catalog';
import { GROUP, SUBSCRIPTION } from '../../../sandbox/azure/client';
import { send } from '../../../sandbox/kubernetes/client';
import { captured } from '../../capture';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/files4711`;
const GROUPS = '/apis/resources.azure.com/v1api20200601/namespaces/ns/resourcegroups';
const ACCOUNTS = '/apis/storage.azure.com/v20250601/namespaces/ns/storageaccounts';
const kind = (of: string, name: string) => Catalog.default().kind(of, name)!;

let environment: TestEnvironment;
let kubernetes: SandboxKubernetes;
let directory: string;
beforeEach(async () => {
  environment = await TestEnvironment.start({ timeScale: 3600 });
  kubernetes = await startKubernetes({
    crds: [
      kind('resources.azure.com', 'ResourceGroup'),
      kind('storage.azure.com', 'StorageAccount'),
      kind('managedidentity.azure.com', 'UserAssignedIdentity'),
    ],
  });
  directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-plan-cluster-'));
  writeFileSync(join(directory, 'kubeconfig'), kubernetes.kubeconfig());
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
});
afterEach(async () => {
  expect(new Set(environment.sent.map(({ method }) => method))).toEqual(new Set(environment.sent.length > 0 ? ['GET'] : []));
  rmSync(directory, { recursive: true });
  await kubernetes.close();
  await environment.close();
});

async function post(path: string, body: unknown): Promise<void> {
  const { code, body: answer } = await send(kubernetes.url, 'POST', path, body);
  expect([path, code, code < 300 ? '' : answer]).toEqual([path, 201, '']);
}

async function inAzure(path: string, body: unknown): Promise<void> {
  await environment.azure.put(path, body);
  environment.azure.clock.advance(3600);
  await environment.azure.login();
}
const accountInAzure = (sku = 'Standard_LRS') =>
  inAzure(ACCOUNT, { location: 'uksouth', kind: 'StorageV2', sku: { name: sku }, properties: {} });

async function changes(files: readonly unknown[], options: Partial<PlanOptions> = {}) {
  const paths = files.length === 0 ? [] : [join(directory, 'all.json')];
  if (files.length > 0) writeFileSync(paths[0]!, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: files }));
  const terminal = captured();
  const access = () => ({ client: environment.client, signIn: async () => undefined });
  const all: PlanOptions = { output: 'json', live: true, kubeconfig: join(directory, 'kubeconfig'), ...options };
  const status = await planLive(paths, all, terminal, { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION }, access);
  const reported =
    terminal.out.length > 0 ? (JSON.parse(terminal.out.join('\n')).changes as { name: string; change: string; notes: string[] }[]) : [];
  return { status, err: terminal.err, fates: Object.fromEntries(reported.map(({ name, change }) => [name, change])), reported };
}

test('without files, all objects of the cluster are reported of', async () => {
  await environment.azure.group();
  await accountInAzure('Standard_GRS');
  await post(GROUPS, group());
  await post(ACCOUNTS, account());
  await post('/apis/managedidentity.azure.com/v1api20230131/namespaces/ns/userassignedidentities', identity());
  expect(await changes([])).toMatchObject({ status: 0, err: [], fates: { group: 'noChange', files: 'update', reader: 'create' } });
  expect((await changes([], { namespace: 'other' })).fates).toEqual({});
});

test('with files, those are reported of; owners and namespaces come from the cluster', async () => {
  await environment.azure.group();
  await accountInAzure();
  await post(GROUPS, group());
  await post(ACCOUNTS, account());
  expect((await changes([account({ sku: { name: 'Standard_GRS' } })])).fates).toEqual({ files: 'update' });
  await send(
    kubernetes.url,
    'PATCH',
    '/api/v1/namespaces/ns',
    { metadata: { annotations: { [POLICY]: 'skip' } } },
    { 'Content-Type': 'application/merge-patch+json' },
  );
  expect((await changes([account({ sku: { name: 'Standard_GRS' } })])).fates).toEqual({ files: 'noChange' });
});

test('what the cluster knows of Azure\'s own ways is no difference', async () => {
  await environment.azure.group();
  await accountInAzure('Standard_GRS');
  await post(GROUPS, group());
  const [difference] = (await changes([account()])).reported;
  expect(difference?.change).toBe('update');
  const { driftOf } = await import('../../../../engine/compare');
  const known = Object.fromEntries(
    driftOf([{ path: '/sku/name', wanted: 'Standard_LRS', actual: 'Standard_GRS' }]).map(({ path, mark }) => [path, mark]),
  );
  await post(
    ACCOUNTS,
    account(
      {},
      { 'aso.cdk8s.io/last-put': JSON.stringify({ at: '2026-01-01T00:00:00Z', digest: 'x', generation: 1, answered: true, known }) },
    ),
  );
  const [reported] = (await changes([account()])).reported;
  expect([reported!.change, reported!.notes]).toEqual(['noChange', ["1 known difference of Azure's own making is left as it is"]]);
});

describe('deletions', () => {
  const deleting = async () => {
    await post(ACCOUNTS, {
      ...(account() as object),
      metadata: { name: 'files', namespace: 'ns', finalizers: ['serviceoperator.azure.com/finalizer'] },
    });
    await send(kubernetes.url, 'DELETE', `${ACCOUNTS}/files`);
  };

  test('an object that is being deleted takes its resource with it, if that is there', async () => {
    await environment.azure.group();
    await post(GROUPS, group());
    await deleting();
    expect((await changes([])).fates).toEqual({ group: 'noChange', files: 'noChange' });
    await accountInAzure();
    expect((await changes([], { exitCode: true }))).toMatchObject({ status: 1, fates: { group: 'noChange', files: 'delete' } });
  });

  test('--prune: what the files no longer have goes, unless a policy keeps it', async () => {
    await environment.azure.group();
    await accountInAzure();
    await post(GROUPS, group());
    await post(ACCOUNTS, account());
    expect((await changes([group()])).fates).toEqual({ group: 'noChange' });
    expect((await changes([group()], { prune: true })).fates).toEqual({ group: 'noChange', files: 'delete' });
    await send(
      kubernetes.url,
      'PATCH',
      `${ACCOUNTS}/files`,
      { metadata: { annotations: { [POLICY]: 'detach-on-delete' } } },
      { 'Content-Type': 'application/merge-patch+json' },
    );
    const { reported } = await changes([group()], { prune: true });
    expect(reported.find(({ name }) => name === 'files')).toMatchObject({
      change: 'noChange',
      notes: ['its object goes; reconcile-policy is detach-on-delete: the resource is kept'],
    });
  });
});

test('a cluster that is not there is one line', async () => {
  await kubernetes.close();
  const { status, err } = await changes([]);
  expect([status, err]).toEqual([1, [expect.stringContaining('ECONNREFUSED')]]);
  expect((await changes([], { kubeconfig: join(directory, 'none') })).err).toEqual([
    expect.stringMatching(/none cannot be read: there is no such file/),
  ]);
});
