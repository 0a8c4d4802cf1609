import { startSandbox, type TestCluster } from './cluster';
import { team } from './objects';
import { startReal } from './real-cluster';
import { realKubernetes } from './real-kubernetes';
import { Catalog } from '../../src/catalog';

/** Something that the tests run on, without a controller: that is theirs to start, to kill and to start again. */
export interface ClusterUnderTest {
  readonly name: string;
  /** It serves the whole catalog. */
  readonly hasAllKinds: boolean;
  start(options?: { readonly timeScale?: number }): Promise<TestCluster>;
}

const sandbox: ClusterUnderTest = {
  name: 'the sandbox',
  hasAllKinds: true,
  start: ({ timeScale } = {}) => startSandbox({ args: ['--no-controller'], ...(timeScale === undefined ? {} : { timeScale }) }),
};

/** With the kinds that the suite's objects have: kubectl asks for each kind and version that is served. */
const real: ClusterUnderTest = {
  name: 'a real kube-apiserver',
  hasAllKinds: false,
  start: (options) => startReal({ ...options, kinds: Catalog.default().allKinds.filter(({ group, kind }) => isUsed(group, kind)) }),
};

/** The sandbox always, the real Kubernetes where there is one. */
export const clusters: readonly ClusterUnderTest[] = realKubernetes ? [sandbox, real] : [sandbox];

function isUsed(group: string, kind: string): boolean {
  return (team as { apiVersion: string; kind: string }[]).some(
    (object) => object.kind === kind && object.apiVersion.startsWith(`${group}/`),
  );
}
