import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the programs of a real Kubernetes lie. */
export interface KubernetesPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  /** Missing in what is published for `KUBEBUILDER_ASSETS`: then namespaces and owned objects stay. */
  readonly controllerManager?: string;
}

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'real-kubernetes.mjs');
const UNAVAILABLE = 3;

/**
 * Real etcd and kube-apiserver, where they are already: in `KUBEBUILDER_ASSETS` or in the cache of scripts/real-kubernetes.mjs. Tests build
 * nothing. Undefined, and one line about it, where there are none.
 */
export const realKubernetes: KubernetesPrograms | undefined = find();

/** Tests that need them. (Scripts use this file, too, where there are no tests.) */
export const describeWithRealKubernetes: jest.Describe = realKubernetes ? globalThis.describe : globalThis.describe?.skip;

function find(): KubernetesPrograms | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--cached'], { encoding: 'utf8' });
  if (status === UNAVAILABLE) {
    process.stderr.write(`the end-to-end tests on a real kube-apiserver are skipped: ${stderr.trim()}\n`);
    return undefined;
  }
  if (status !== 0) throw new Error(stderr.trim());
  const directory = stdout.trim();
  const controllerManager = join(directory, 'kube-controller-manager');
  if (!existsSync(controllerManager)) {
    process.stderr.write(`there is no kube-controller-manager in ${directory}: tests that delete namespaces are skipped\n`);
  }
  return {
    etcd: join(directory, 'etcd'),
    apiServer: join(directory, 'kube-apiserver'),
    ...(existsSync(controllerManager) && { controllerManager }),
  };
}
