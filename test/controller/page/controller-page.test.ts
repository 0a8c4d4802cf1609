import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../e2e/servers';
import { CredentialEnvironment, OPERATOR_NAMESPACE } from '../../engine/credentials/environment';
import { until } from '../../setup/until';

const CONTROLLER = join(__dirname, '../../../lib/controller/main.js');
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false } as const;

let environment: CredentialEnvironment;
let controller: ChildProcess;
let port: number;
beforeAll(async () => {
  environment = await CredentialEnvironment.start();
  await environment.namespace('team');
  for (const name of ['viewer', 'stranger']) await environment.account('team', name);
  await environment.client.create({ ...RBAC, kind: 'ClusterRole', plural: 'clusterroles' }, {
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'ui' }, rules: [{ nonResourceURLs: ['/ui'], verbs: ['get'] }],
  } as never);
  await environment.client.create({ ...RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' }, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'ui' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ui' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'team', name: 'viewer' }],
  } as never);
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'cdk8s-aso-page-')), 'kubeconfig');
  writeFileSync(kubeconfig, environment.cluster.kubeconfig());
  [port] = await freePorts(1) as [number];
  const env = { PATH: process.env.PATH, ...environment.azure.env, POD_NAMESPACE: OPERATOR_NAMESPACE, KUBECONFIG: kubeconfig };
  controller = spawn(process.execPath, [CONTROLLER, '--delay-scale', '20', `--metrics-addr=127.0.0.1:${port}`, '--ui'], { env, stdio: 'ignore' });
  await environment.object('ResourceGroup', 'team', 'shop');
  await environment.reason('Succeeded', 'ResourceGroup', 'team', 'shop');
});
afterAll(async () => {
  const ended = new Promise((resolve) => controller.once('close', resolve));
  if (controller.exitCode === null && controller.signalCode === null) {
    controller.kill('SIGKILL');
    await ended;
  }
  await environment.close();
});

async function tokenOf(name: string): Promise<string> {
  return (await environment.client.createToken('team', name, environment.cluster.tokens.issuer, 600)).token;
}

/** The beginning of an answer; the rest is left to the caller. */
function open(path: string, token?: string): Promise<IncomingMessage> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false }, resolve).on('error', reject).end();
  });
}

async function get(path: string, token?: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await open(path, token);
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode!, text };
}

interface Snapshot {
  readonly epoch: string;
  readonly version: number;
  readonly nodes: readonly { readonly key: string; readonly state: string }[];
}

async function snapshot(token: string): Promise<Snapshot> {
  let found: { status: number; text: string } | undefined;
  await until('a snapshot', async () => {
    found = await get('/ui/api/snapshot', token);
    return found.status === 200;
  });
  return JSON.parse(found!.text) as Snapshot;
}

test('everybody may load the page, and nobody its data without the right', async () => {
  expect(await get('/ui')).toMatchObject({ status: 308 });
  expect((await get('/ui/')).text).toContain('<html');
  expect((await get('/ui/page.js')).status).toBe(200);
  expect((await get('/ui/api/snapshot')).status).toBe(401);
  expect(await get('/ui/api/snapshot', await tokenOf('stranger'))).toMatchObject({ status: 403, text: expect.stringContaining('the verb get on the nonResourceURL /ui') as string });
  // The right on the page is none on the metrics.
  expect((await get('/metrics', await tokenOf('viewer'))).status).toBe(403);
});

test('the objects, and the requests of this process with their ids', async () => {
  const token = await tokenOf('viewer');
  const { nodes } = await snapshot(token);
  const group = nodes.find(({ key }) => key.includes('ResourceGroup'))!;
  expect(group.state).toBe('Ready');
  const detail = JSON.parse((await get(`/ui/api/object?key=${encodeURIComponent(group.key)}`, token)).text) as {
    requests: { method: string; status: number; requestId: string }[]; events: { reason: string }[]; hasAllRequests: boolean;
  };
  expect(detail.hasAllRequests).toBe(true);
  expect(detail.requests.find(({ method }) => method === 'PUT')).toMatchObject({ status: 201, requestId: expect.stringMatching(/.{8,}/) as string });
  expect(detail.events.map(({ reason }) => reason)).toContain('BeginCreateOrUpdate');
});

test('a change comes by the stream, and the end of the process ends the stream', async () => {
  const token = await tokenOf('viewer');
  const { epoch, version } = await snapshot(token);
  const stream = await open(`/ui/api/changes?epoch=${epoch}&version=${version}`, token);
  let text = '';
  const ended = new Promise((resolve) => stream.on('data', (part) => (text += String(part))).on('close', resolve));
  await environment.object('UserAssignedIdentity', 'team', 'worker', { owner: { name: 'nothing' } });
  await until('a delta', async () => /event: delta\n.*worker/.test(text));
  const closed = new Promise((resolve) => controller.once('close', resolve));
  controller.kill('SIGTERM');
  await Promise.all([ended, closed]);
});
