import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { anonymousAccess, Connection, RestClient } from '../../../engine/kubernetes';
import { LEASE_NAME } from '../../../runtime/leader';
import { LEASES } from '../../../runtime/leader/lease';
import { startAzure, startKubernetes, type AzureSimulator, type SandboxKubernetes } from '../../../sandbox';
import { Catalog } from '../../../src/catalog';
import { freePort } from '../../e2e/servers';
import { until } from '../../setup/until';

const PROGRAM = join(__dirname, '..', '..', '..', 'lib', 'controller', 'main.js');
const BLOCKER = pathToFileURL(join(__dirname, 'block-main-thread.mjs')).href;
const NAMESPACE = 'azureserviceoperator-system';
let kubernetes: SandboxKubernetes;
let azure: AzureSimulator;
let directory: string;
let connection: Connection;
let client: RestClient;

beforeAll(async () => {
  const catalog = Catalog.default();
  kubernetes = await startKubernetes({ crds: [catalog.kind('resources.azure.com', 'ResourceGroup')!] });
  azure = await startAzure();
  directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-supervisor-'));
  writeFileSync(join(directory, 'kubeconfig'), kubernetes.kubeconfig());
  connection = new Connection(anonymousAccess(kubernetes.url));
  client = new RestClient(connection);
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
});
afterAll(async () => {
  await connection.close();
  await kubernetes.close();
  await azure.close();
  rmSync(directory, { recursive: true });
});

class Controller {
  public log = '';
  public status?: number | null;
  private readonly child: ChildProcess;

  public constructor(
    private readonly port: number,
    blockSeconds: number,
  ) {
    this.child = spawn(
      process.execPath,
      [PROGRAM, '--enable-leader-election', '--health-addr', `127.0.0.1:${port}`, '--webhook-port', '0'],
      {
        env: {
          ...azure.env,
          PATH: process.env.PATH,
          KUBECONFIG: join(directory, 'kubeconfig'),
          POD_NAMESPACE: NAMESPACE,
          NODE_OPTIONS: `--import=${BLOCKER}`,
          BLOCK_SECONDS: String(blockSeconds),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.child.stderr!.on('data', (data: Buffer) => (this.log += data.toString()));
    this.child.on('close', (code) => (this.status = code));
  }

  public block(): void {
    this.child.kill('SIGUSR2');
  }

  public async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await until('it has ended', () => this.status !== undefined);
  }

  public stop(): void {
    this.child.kill('SIGTERM');
  }

  public get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.port, path, agent: false, timeout: 60_000 }, (response) => {
        let text = '';
        response.on('data', (data: Buffer) => (text += data.toString()));
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', reject).end();
    });
  }
}

const lease = async () => (await client.get(LEASES, LEASE_NAME, NAMESPACE))!.spec as { holderIdentity: string; renewTime: string };
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** `/readyz` follows the log line: it needs a turn of the event loop that the supervisor has seen. */
async function started(blockSeconds: number): Promise<Controller> {
  const port = await freePort();
  const controller = new Controller(port!, blockSeconds);
  await until('it reconciles', () => / started/.test(controller.log)).catch((error: Error) => {
    throw new Error(`${error.message}: ${controller.log}`);
  });
  await until('it is ready', async () => (await controller.get('/readyz')).status === 200);
  return controller;
}

test('a main thread that is busy for 16 s: probes are answered meanwhile, the Lease is renewed, nothing restarts', async () => {
  const controller = await started(16);
  try {
    controller.block();
    await pause(1);
    const { holderIdentity } = await lease();
    const renewals = new Set<string>();
    for (let probe = 0; probe < 11; probe += 1) {
      expect((await controller.get('/healthz')).status).toBe(200);
      renewals.add((await lease()).renewTime);
      await pause(0.5);
    }
    // All eleven were answered while the main thread was busy, for it still is. It answers webhooks, which others are to answer meanwhile.
    await until('it is not ready', async () => (await controller.get('/readyz')).status === 503);
    expect((await controller.get('/readyz')).text).toMatch(/the main thread has not turned its event loop for 1\d s/);
    const after = await lease();
    expect(after.holderIdentity).toBe(holderIdentity);
    expect(renewals.add(after.renewTime).size).toBeGreaterThan(2);
    await until('it is ready again', async () => (await controller.get('/readyz')).status === 200);
    expect(controller.log).not.toContain('leader election lost');
    controller.stop();
    await until('it has ended', () => controller.status !== undefined);
    expect(controller.status).toBe(0);
    expect((await lease()).holderIdentity).toBe('');
  } finally {
    await controller.end();
  }
});

test('a main thread that is busy for longer than 30 s is not live, loses the Lease, and writes nothing when it wakes', async () => {
  const controller = await started(48);
  try {
    controller.block();
    await pause(20);
    expect((await controller.get('/healthz')).status).toBe(200);
    await until('it is not live', async () => (await controller.get('/healthz')).status === 503);
    expect((await controller.get('/healthz')).text).toMatch(/^not live: the main thread has not turned its event loop for [34]\d s/);
    const requests = azure.log().length;
    await client.create(
      { group: 'resources.azure.com', version: 'v1api20200601', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true },
      {
        apiVersion: 'resources.azure.com/v1api20200601',
        kind: 'ResourceGroup',
        metadata: { name: 'late', namespace: 'default' },
        spec: { location: 'uksouth' },
      },
    );
    await until('it has ended', () => controller.status !== undefined);
    expect(controller.status).toBe(1);
    expect(controller.log).toMatch(/leadership lost.*the main thread has not turned its event loop/);
    expect(controller.log).toContain('leader election lost: the main thread has not turned its event loop');
    expect(azure.log().slice(requests)).toEqual([]);
  } finally {
    await controller.end();
  }
});

test('an address of the probes that is taken ends the process, and says which', async () => {
  const port = await freePort();
  const controller = await started(1);
  const other = new Controller(port!, 1);
  const same = new Controller((controller as unknown as { port: number }).port, 1);
  try {
    await until('the one whose port is taken has ended', () => same.status !== undefined);
    expect(same.log).toMatch(/--health-addr 127\.0\.0\.1:\d+: listen EADDRINUSE/);
    expect(same.status).toBe(1);
  } finally {
    await Promise.all([controller.end(), other.end(), same.end()]);
  }
});
