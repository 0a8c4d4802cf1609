import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api';
import { getJson } from './http';
import { builtProgram, startProgram, type RunningProgram } from './program';
import { Connection, loadClusterAccess } from '../../engine/kubernetes';
import { until } from '../setup/until';

const CLI = builtProgram('cli');
const CONTROLLER = builtProgram('controller');

/** A Kubernetes API and an Azure that the tests work on: the sandbox here, a real kube-apiserver elsewhere. */
export interface TestCluster {
  readonly kubeconfig: string;
  /** Requests as a cluster administrator. To look at objects again and again: a kubectl takes a tenth of a processor's second, and more. */
  readonly api: Api;
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
  const sandbox = startProgram(CLI, ['sandbox', ...flags]);
  await until('the sandbox is up', () => {
    if (sandbox.process.exitCode !== null) throw new Error(`the sandbox ended: ${sandbox.log()}`);
    return sandbox.log().includes('stays up');
  });
  const environment = Object.fromEntries(
    [...readFileSync(envFile, 'utf8').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  const connection = new Connection(await loadClusterAccess({ path: kubeconfig }));
  return {
    kubeconfig,
    api: new Api(connection),
    environment,
    timeScale,
    deletesNamespaces: true,
    process: sandbox.process,
    output: sandbox.log,
    azure: (path) =>
      getJson(`${environment.AZURE_RESOURCE_MANAGER_ENDPOINT}${path}`, readFileSync(environment.NODE_EXTRA_CA_CERTS, 'utf8')),
    close: async () => {
      await connection.close();
      await sandbox.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The built controller. */
export function startController(cluster: TestCluster, flags: readonly string[] = []): RunningProgram {
  return startProgram(CONTROLLER, ['--delay-scale', String(cluster.timeScale), ...flags], { env: { ...process.env, ...cluster.environment } });
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
