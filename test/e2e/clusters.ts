import { startSandbox, type TestCluster } from './cluster';
import { team } from './objects';
import { startReal } from './real-cluster';
import { realKubernetes } from './real-kubernetes';
import { Catalog } from '../../src/catalog';

/** Something that the tests run on, without a controller: that is theirs to start, to kill and to start again. */
export interface ClusterUnderTest {
  readonly name: string;
  start(options?: { readonly timeScale?: number }): Promise<TestCluster>;
}

const sandbox: ClusterUnderTest = {
  name: 'the sandbox',
  start: ({ timeScale } = {}) => startSandbox({ args: ['--no-controller'], ...(timeScale === undefined ? {} : { timeScale }) }),
};

/** With the kinds that the suite's objects have: kubectl asks for each kind and version that is served. */
const real: ClusterUnderTest = {
  name: 'a real kube-apiserver',
  start: (options) => startReal({ ...options, kinds: Catalog.default().allKinds.filter(({ group, kind }) => isUsed(group, kind)) }),
};

/** The sandbox always, the real Kubernetes where there is one. */
export const clusters: readonly ClusterUnderTest[] = realKubernetes ? [sandbox, real] : [sandbox];

function isUsed(group: string, kind: string): boolean {
  return (team as { apiVersion: string; kind: string }[]).some(
    (object) => object.kind === kind && object.apiVersion.startsWith(`${group}/`),
  );
}
