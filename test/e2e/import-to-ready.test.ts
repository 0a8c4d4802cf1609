import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { anonymousAccess, Connection, RestClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { startKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';
import { asoRequests } from '../cli/import/aso-requests';
import { importFrom, shopsAzure } from '../cli/import/simulated-azure';
import { until } from '../setup/until';

const ROOT = join(__dirname, '..', '..');
const CONTROLLER = join(ROOT, 'lib', 'controller', 'main.js');
const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
/** Shops of 7 groups with 150 resources: 7 are a thousand. */
const SHOPS = Number(process.env.IMPORTED_SHOPS ?? 1);

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** The app finds the library as its user's does: in node_modules. */
function installLibrary(directory: string): void {
  const modules = join(directory, 'node_modules');
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, 'cdk8s-aso'), 'dir');
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs', '@types', 'tsx']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
}

function run(directory: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', env: { ...process.env, CDK8S_OUTDIR: join(directory, 'dist') } });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
}

function typeOf({ apiVersion, kind }: KubernetesObject): ResourceType {
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, plural: Catalog.default().kind(group, kind)!.facts.plural, kind, namespaced: true };
}

/** Types of one kind name are many: `Namespace` is in three groups. */
const typeKey = ({ apiVersion, kind }: KubernetesObject) => `${apiVersion.split('/')[0]}/${kind}`;

test('groups are imported, compiled, synthesized and applied: all is Ready, and nothing is written to Azure', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-imported-'));
  const app = join(directory, 'app');
  const { azure, groups } = await shopsAzure(SHOPS);
  const took: Record<string, string | number> = {};
  let from = Date.now();
  const next = (what: string) => {
    took[what] = seconds(from);
    from = Date.now();
  };
  const before = azure.simulator.requests();
  const { status, errors, methods, read } = await importFrom(azure, groups, { out: app, namespace: 'shop', workers: 8 });
  expect({ status, errors }).toEqual({ status: 0, errors: [] });
  took.requests = methods.length;
  took.asoRequests = asoRequests([...read]);
  next('import');
  installLibrary(app);
  run(app, join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.');
  next('compile');
  run(app, '--import', 'tsx', 'main.ts');
  next('synth');
  const text = readdirSync(join(app, 'dist')).map((file) => readFileSync(join(app, 'dist', file), 'utf8')).join('\n---\n');
  const objects = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject).filter((object) => object?.kind);
  const used = new Set(objects.map((object) => typeKey(object)));
  const kubernetes = await startKubernetes({ crds: Catalog.default().allKinds.filter(({ group, kind }) => used.has(`${group}/${kind}`)) });
  const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'test' });
  const client = new RestClient(connection);
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  const controller = spawn(process.execPath, [CONTROLLER, '--delay-scale', '60'], {
    env: { PATH: process.env.PATH, ...azure.simulator.env, KUBECONFIG: kubeconfig }, stdio: 'ignore',
  });
  try {
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    for (const object of objects) await client.create(typeOf(object), object);
    const waiting = async () => {
      const types = [...new Map(objects.map((object) => [typeKey(object), typeOf(object)])).values()];
      const lists = await Promise.all(types.map((type) => client.list(type, { namespace: 'shop', limit: 5000 })));
      return lists.flatMap(({ items }) => items).filter(({ status: state }) =>
        (state as { conditions?: { type: string; status: string }[] } | undefined)?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'True');
    };
    await until('all is Ready', async () => (await waiting()).length === 0);
    next('Ready');
    const after = azure.simulator.requests();
    const sent = (method: string) => (after.byMethod[method] ?? 0) - (before.byMethod[method] ?? 0);
    expect({ PUT: sent('PUT'), PATCH: sent('PATCH'), DELETE: sent('DELETE') }).toEqual({ PUT: 0, PATCH: 0, DELETE: 0 });
    expect(objects.length).toBeGreaterThanOrEqual(150 * SHOPS);
    expect(used.size).toBeGreaterThanOrEqual(60);
    expect(methods.length).toBeLessThanOrEqual(asoRequests([...read]));
    if (process.env.IMPORTED_SHOPS) process.stderr.write(`${JSON.stringify({ objects: objects.length, types: used.size, controllerGets: sent('GET') - methods.length, ...took })}\n`);
  } finally {
    controller.kill('SIGKILL');
    await connection.close();
    await kubernetes.close();
    await azure.close();
    rmSync(directory, { recursive: true });
  }
});
