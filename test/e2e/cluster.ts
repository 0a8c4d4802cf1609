import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getJson } from './http';
import { until } from './until';

export { until } from './until';

const root = join(__dirname, '..', '..');
const CLI = join(root, 'lib', 'cli', 'main.js');
const CONTROLLER = join(root, 'lib', 'controller', 'main.js');

/** A Kubernetes API and an Azure that the tests work on: the sandbox here, a real kube-apiserver elsewhere. */
export interface TestCluster {
  readonly kubeconfig: string;
  /** The environment of a controller, and of an Azure SDK. */
  readonly environment: Readonly<Record<string, string>>;
  /** So many of the simulated Azure's seconds pass in one. */
  readonly timeScale: number;
  /** Whether something carries out the deletion of a namespace. */
  readonly deletesNamespaces: boolean;
  /** GET of one of the simulator's own endpoints. */
  azure(path: '/__requests' | '/__resources'): Promise<any>;
  close(): Promise<void>;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly created?: boolean;
  readonly poll?: boolean;
}

/** The built sandbox, in a process of its own. */
export async function startSandbox(
  { args = [], timeScale = 60 }: { readonly args?: readonly string[]; readonly timeScale?: number } = {},
): Promise<TestCluster & { readonly process: ChildProcess; output(): string }> {
  for (const file of [CLI, CONTROLLER]) if (!existsSync(file)) throw new Error(`${file} is not there: build it first (npx projen make)`);
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-e2e-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const envFile = join(directory, 'environment');
  const flags = ['--keep', '--kubeconfig', kubeconfig, '--write-env', envFile, '--time-scale', String(timeScale), ...args];
  const child = spawn(process.execPath, [CLI, 'sandbox', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  await until('the sandbox is up', () => {
    if (child.exitCode !== null) throw new Error(`the sandbox ended: ${output}`);
    return output.includes('stays up');
  });
  const environment = Object.fromEntries(
    [...readFileSync(envFile, 'utf8').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  return {
    kubeconfig,
    environment,
    timeScale,
    deletesNamespaces: true,
    process: child,
    output: () => output,
    azure: (path) =>
      getJson(`${environment.AZURE_RESOURCE_MANAGER_ENDPOINT}${path}`, readFileSync(environment.NODE_EXTRA_CA_CERTS, 'utf8')),
    close: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface RunningController { readonly ended: Promise<number | null>; kill(): Promise<void>; log(): string }

/** The built controller. `kill` is -9, and resolves when it is dead. */
export function startController(cluster: TestCluster, flags: readonly string[] = []): RunningController {
  const child = spawn(process.execPath, [CONTROLLER, '--delay-scale', String(cluster.timeScale), ...flags], {
    env: { ...process.env, ...cluster.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (log += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    ended,
    log: () => log,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** Tests that need kubectl; one line says so where there is none. */
export const describeWithKubectl: jest.Describe = hasKubectl ? describe : describe.skip;
if (!hasKubectl) process.stderr.write('kubectl is not on the PATH: the end-to-end tests that need it are skipped\n');

export function kubectl(cluster: TestCluster, ...args: string[]): string {
  return execFileSync('kubectl', ['--kubeconfig', cluster.kubeconfig, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
}

/** Writes manifests to a file that kubectl can read; answers the path. */
export function manifestFile(objects: readonly object[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-manifests-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'objects.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return file;
}
