import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until';
import { anonymousAccess, Connection, RestClient, type ResourceType } from '../../controller/kubernetes';
import { startAzure, startKubernetes, type AzureSimulator, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';

const CONTROLLER = join(__dirname, '..', '..', 'lib', 'controller', 'main.js');
const MANY = 400;
const GROUPS: ResourceType = { group: 'resources.azure.com', version: 'v1api20200601', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true };
const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };

describe('a namespace that applies very many objects', () => {
  let kubernetes: SandboxKubernetes;
  let azure: AzureSimulator;
  let connection: Connection;
  let controller: ChildProcess | undefined;
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-fairness-'));

  beforeAll(async () => {
    if (!existsSync(CONTROLLER)) throw new Error(`${CONTROLLER} is not there: build it first (npx projen make)`);
    kubernetes = await startKubernetes({ crds: Catalog.default().allKinds.filter(({ kind }) => kind === 'ResourceGroup') });
    azure = await startAzure({ timeScale: 600 });
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

  test('is not in the way of another one\'s single object', async () => {
    const client = new RestClient(connection);
    const apply = (namespace: string, name: string) => client.create(GROUPS, {
      apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name, namespace }, spec: { location: 'uksouth' },
    });
    const created = () => azure.log().filter(({ method, path }) => method === 'PUT' && /\/resourcegroups\/[^/]+$/i.test(path)).map(({ path }) => path.split('/').at(-1)!);
    for (const name of ['crowded', 'quiet']) await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    // Not the first object of its namespace: one that is alone may use all slots.
    await apply('quiet', 'before');
    for (let begun = 0; begun < MANY; begun += 50) await Promise.all(Array.from({ length: 50 }, (_, index) => apply('crowded', `many-${begun + index}`)));
    const kubeconfig = join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, kubernetes.kubeconfig());
    controller = spawn(process.execPath, [CONTROLLER, '--delay-scale', '20'], {
      env: { PATH: process.env.PATH, ...azure.env, KUBECONFIG: kubeconfig, MAX_CONCURRENT_RECONCILES: '8' }, stdio: 'ignore',
    });
    await until('the first objects are created', () => created().length >= 20, 60);
    await apply('quiet', 'single');
    const before = created().length;
    await until('the single object is created', () => created().includes('single'), 60);
    // In the order of arrival it would be the last one of all.
    expect(before).toBeLessThan(MANY - 150);
    expect(created().indexOf('single') - before).toBeLessThan(80);
  }, 120_000);
});
