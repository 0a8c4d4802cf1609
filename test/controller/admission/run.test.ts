import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectOf, versionOf } from './objects';
import { startAdmission, type AdmissionOptions } from '../../../controller/admission';
import { runController } from '../../../controller/run-controller';
import { systemClock } from '../../../engine/clock';
import { Connection, loadClusterAccess, RestClient } from '../../../engine/kubernetes';
import { silentLogger } from '../../../runtime/log/log';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox';
import { Catalog } from '../../../src/catalog';
import { freePort } from '../../e2e/servers';
import { until } from '../../setup/until';

const account = versionOf('storage', 'StorageAccount');
let kubernetes: SandboxKubernetes;
let directory: string;
let kubeconfig: string;

beforeAll(async () => {
  kubernetes = await startKubernetes({ crds: [account.kind] });
  directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-webhooks-'));
  kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
});
afterAll(async () => {
  await kubernetes.close();
  rmSync(directory, { recursive: true });
});

const secretOf = () =>
  kubernetes.store.get('secrets', 'azureserviceoperator-system', 'webhook-server-cert') as { data?: Record<string, string> } | undefined;

function validate(port: number, ca: string): Promise<string> {
  const body = JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', operation: 'CREATE', object: objectOf(account, { owner: {} }) },
  });
  const servername = 'azureserviceoperator-webhook-service.azureserviceoperator-system.svc';
  return new Promise((resolve, reject) => {
    const path = `/validate-storage-azure-com-${account.name}-storageaccount`;
    const sent = request({ host: '127.0.0.1', port, servername, path, method: 'POST', ca, agent: false }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString()));
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('a controller in mode webhooks makes its certificate, and answers for the service', async () => {
  const port = await freePort();
  const stop = new AbortController();
  const connection = new Connection(await loadClusterAccess({ path: kubeconfig }));
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  await new RestClient(connection).create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'azureserviceoperator-system' },
  });
  await connection.close();
  const ran = runController({ kubeconfig, webhookPort: port!, environment: { AZURE_OPERATOR_MODE: 'webhooks' } }, stop.signal);
  await until('the certificate is there', () => secretOf()?.data?.['ca.crt'] !== undefined);
  const ca = Buffer.from(secretOf()!.data!['ca.crt']!, 'base64').toString();
  await until('it is served', async () => (await validate(port!, ca).catch(() => '')) !== '');
  expect(JSON.parse(await validate(port!, ca))).toMatchObject({
    response: { allowed: false, status: { message: expect.stringContaining('must all be specified') } },
  });
  stop.abort(new Error('enough'));
  await ran;
  await expect(validate(port!, ca)).rejects.toThrow();
});

describe('when webhooks are served', () => {
  const start = (options: Partial<AdmissionOptions>) => startAdmission({
    operatorMode: 'watchers-and-webhooks',
    podNamespace: 'azureserviceoperator-system',
    environment: {},
    catalog: Catalog.default(),
    client: undefined as never,
    clock: systemClock,
    logger: silentLogger(),
    ...options,
  });
  test.each<[string, Partial<AdmissionOptions>]>([
    ['neither flag', {}],
    ['mode watchers', { operatorMode: 'watchers', webhookPort: 1, webhookCertDir: '/nowhere' }],
    ['port 0', { webhookPort: 0, webhookCertDir: '/nowhere' }],
  ])('%s: off', async (_, options) => expect(await start(options)).toBeUndefined());

  test('a directory without a certificate is waited for', async () => {
    const port = await freePort();
    const admission = await start({ webhookPort: port!, webhookCertDir: directory });
    expect(admission).toMatchObject({ port, isReady: false });
    await admission!.close();
  });
  test('mode webhooks without webhooks is a contradiction', async () => {
    await expect(start({ operatorMode: 'webhooks', webhookPort: 0 })).rejects.toThrow(
      'AZURE_OPERATOR_MODE is webhooks, but --webhook-port 0 turns them off',
    );
  });
});
