import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';
import { Catalog } from '../../../src/catalog';
import { send } from '../../sandbox/kubernetes/client';
import { captured, filesIn } from '../capture';

const kind = (group: string, name: string) => Catalog.default().kind(group, name)!;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let kubernetes: SandboxKubernetes;
let kubeconfig: string;
beforeEach(async () => {
  kubernetes = await startKubernetes({ crds: [kind('resources.azure.com', 'ResourceGroup'), kind('cache.azure.com', 'RedisEnterprise')] });
  kubeconfig = join(filesIn({}), 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
});
afterEach(() => kubernetes.close());

async function request(method: string, path: string, body: unknown, type = 'application/json'): Promise<void> {
  const { code, body: answer } = await send(kubernetes.url, method, path, body, { 'Content-Type': type });
  expect([path, code < 300 ? '' : answer]).toEqual([path, '']);
}

async function check(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['upgrade-check', '--kubeconfig', kubeconfig, '--output', 'json', ...args], '0.0.0', terminal);
  const report = JSON.parse(terminal.out.join('\n') || '{}') as { from?: string; findings?: { rule: string; severity: string; line?: number; name?: string; message: string }[] };
  return { status, err: terminal.err, from: report.from, findings: (report.findings ?? []).filter(({ severity }) => severity === 'error') };
}

test('the release of the CRDs, the versions that objects are stored in, and those that they were applied in', async () => {
  await request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await request('POST', '/apis/cache.azure.com/v1api20230701/namespaces/shop/redisenterprises', {
    apiVersion: 'cache.azure.com/v1api20230701',
    kind: 'RedisEnterprise',
    metadata: { name: 'cache' },
    spec: { owner: { name: 'shop' }, location: 'uksouth', sku: { name: 'Enterprise_E10' } },
  });
  const crd = `${CRDS}/redisenterprises.cache.azure.com`;
  const merge = 'application/merge-patch+json';
  await request('PATCH', crd, { metadata: { labels: { 'app.kubernetes.io/version': 'v2.19.2' } } }, merge);
  await request('PATCH', `${crd}/status`, { status: { storedVersions: ['v1api20230701', 'v20250701'] } }, merge);
  const { status, from, findings, err } = await check('--to', '2.21');
  expect({ status, from, err }).toEqual({ status: 1, from: 'v2.19.0', err: [] });
  expect(findings.map(({ rule, name, message }) => [rule, name, message])).toEqual([
    ['stored-version', 'redisenterprises.cache.azure.com', 'names v1api20230701, which v2.21.0 does not have'],
    ['version-removed', 'cache', 'v2.21.0 does not serve v1api20230701 of RedisEnterprise any more'],
  ]);
});

test('a finding about an object of a cluster has no line', async () => {
  await request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await request('POST', '/apis/resources.azure.com/v1api20200601/namespaces/shop/resourcegroups', {
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: 'shop', annotations: { 'serviceoperator.azure.com/credential-from': 'other/secret' } },
    spec: { location: 'uksouth' },
  });
  const { findings } = await check('--from', '2.0', '--to', '2.1');
  expect(findings.map(({ rule, line }) => [rule, line])).toContainEqual(['credential-namespace', undefined]);
});

test('a healthy cluster has nothing against the upgrade', async () => {
  expect(await check('--from', '2.20', '--to', '2.21')).toEqual({ status: 0, err: [], from: 'v2.20.0', findings: [] });
});

test('a cluster that does not answer is one sentence', async () => {
  await kubernetes.close();
  const { status, err, findings } = await check();
  expect([status, findings, err.length]).toEqual([1, [], 1]);
  kubernetes = await startKubernetes({ crds: [] });
});
