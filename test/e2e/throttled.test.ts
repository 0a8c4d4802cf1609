import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './servers';
import { until } from './until';
import { anonymousAccess, Connection, RestClient, type ResourceType } from '../../controller/kubernetes';
import { startAzure, startKubernetes, type AzureSimulator, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';

const CONTROLLER = join(__dirname, '..', '..', 'lib', 'controller', 'main.js');
const GROUPS: ResourceType = { group: 'resources.azure.com', version: 'v1api20200601', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true };
const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
/** At first; then somebody else uses all of the subscription's writes up, and twice as many more are applied. */
const OBJECTS = 20;

describe('a subscription that is throttled by somebody else', () => {
  let kubernetes: SandboxKubernetes;
  let azure: AzureSimulator;
  let connection: Connection;
  let controller: ChildProcess | undefined;
  let log = '';
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-throttled-'));

  beforeAll(async () => {
    if (!existsSync(CONTROLLER)) throw new Error(`${CONTROLLER} is not there: build it first (npx projen make)`);
    kubernetes = await startKubernetes({ crds: Catalog.default().allKinds.filter(({ kind }) => kind === 'ResourceGroup') });
    azure = await startAzure({ timeScale: 60, limits: true });
    connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'test' });
  }, 60_000);

  afterAll(async () => {
    if (controller?.exitCode === null) {
      const ended = new Promise((resolve) => controller!.once('close', resolve));
      controller.kill('SIGKILL');
      await ended;
    }
    await Promise.all([connection?.close(), kubernetes?.close(), azure?.close()]);
    rmSync(directory, { recursive: true, force: true });
  });

  test('gets a few requests only, is told of once, and all objects are Ready in the end', async () => {
    const client = new RestClient(connection);
    const apply = (name: string) => client.create(GROUPS, {
      apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name, namespace: 'ns' }, spec: { location: 'uksouth' },
    });
    const ready = async () => (await client.list(GROUPS, {})).items.filter(({ status }) => (
      (status?.conditions as { type: string; status: string }[] | undefined)?.some(({ type, status: is }) => type === 'Ready' && is === 'True')
    )).length;
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
    const kubeconfig = join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, kubernetes.kubeconfig());
    const [port] = await freePorts(1);
    controller = spawn(process.execPath, [CONTROLLER, '--delay-scale', '60', '--metrics-addr', `127.0.0.1:${port}`, '--secure-metrics=false'], {
      env: { PATH: process.env.PATH, ...azure.env, KUBECONFIG: kubeconfig }, stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [controller.stdout!, controller.stderr!]) stream.on('data', (data: Buffer) => (log += data.toString()));
    const metric = async (pattern: RegExp) => Number(pattern.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1] ?? NaN);
    const many = (from: number, to: number) => Promise.all(Array.from({ length: to - from }, (_, index) => apply(`group-${from + index}`)));
    await many(0, OBJECTS);
    await until('the first objects are Ready', async () => (await ready()) === OBJECTS, 90);

    azure.drain({ operation: 'writes', seconds: 300 });
    await many(OBJECTS, 3 * OBJECTS);
    await until('the controller knows', async () => (await metric(/^cdk8s_aso_arm_budget_blocked\{[^}]*operation="writes"\} (\d+)/m)) === 1, 30);
    // Azure refuses no longer, and not before it has said so.
    await until('all objects are Ready', async () => (await ready()) === 3 * OBJECTS, 90);

    const refused = azure.log().filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    // Those that were under way when the first one was refused, and one that goes ahead after each wait.
    expect(refused.length).toBeLessThanOrEqual(2 * OBJECTS / 2);
    expect(await metric(/^cdk8s_aso_arm_budget_blocked\{[^}]*operation="writes"\} (\d+)/m)).toBe(0);
    expect(await metric(/^cdk8s_aso_arm_budget_blocked_seconds_total\{[^}]*operation="writes"\} ([\d.]+)/m)).toBeGreaterThan(1);
    expect(await metric(/^cdk8s_aso_arm_requests_total\{purpose="reconcile",operation="writes"\} (\d+)/m)).toBeGreaterThanOrEqual(3 * OBJECTS);
    expect(log.match(/Azure refuses writes/g)).toHaveLength(1);
    expect(log.match(/Azure takes requests again/g)).toHaveLength(1);
  }, 240_000);
});
