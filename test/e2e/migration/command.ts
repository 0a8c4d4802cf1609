import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestCluster } from '../cluster';

const CLI = join(__dirname, '..', '..', '..', 'lib', 'cli', 'main.js');

export interface Outcome {
  /** Null: it was killed. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  readonly ended: Promise<Outcome>;
  kill(): void;
}

/** `cdk8s-aso migrate` in a process of its own. */
export function startMigrate(cluster: Pick<TestCluster, 'kubeconfig'>, ...args: string[]): RunningCommand {
  const child = spawn(process.execPath, [CLI, 'migrate', ...args, '--kubeconfig', cluster.kubeconfig], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const ended = new Promise<Outcome>((resolve) => child.once('close', (status) => resolve({ status, out, err })));
  return { ended, kill: () => void child.kill('SIGKILL') };
}

export function migrate(cluster: Pick<TestCluster, 'kubeconfig'>, ...args: string[]): Promise<Outcome> {
  return startMigrate(cluster, ...args).ended;
}
