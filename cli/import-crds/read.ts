import { fetchText, FetchError } from './fetch-text';
import { Connection, KubeconfigError, loadClusterAccess, RestClient, type ResourceType } from '../../engine/kubernetes';
import { KubernetesError } from '../../engine/kubernetes/types';
import { parseManifests, type Manifest, type Manifests } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { oneLine, type Problem } from '../output/problem';
import { UsageError } from '../output/usage-error';

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The word for the cluster of the kubeconfig. */
const CLUSTER = 'cluster';
const PAGE = 50;
const CRDS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/**
 * The documents of files, directories, addresses, the standard input, and of a cluster.
 * @throws UsageError when there is no cluster to ask
 */
export async function readDocuments(sources: readonly string[], options: ClusterOptions): Promise<Manifests> {
  const read: Manifests[] = [];
  for (const source of sources) {
    if (source === CLUSTER) read.push(await fromCluster(options));
    else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) read.push(await fromAddress(source));
    else read.push(readManifests([source], 'keep'));
  }
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}

async function fromAddress(address: string): Promise<Manifests> {
  try {
    return parseManifests(await fetchText(address), address);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { manifests: [], problems: [{ file: withoutSecrets(address), message: error.message, fix: error.fix }] };
  }
}

async function fromCluster({ kubeconfig, context }: ClusterOptions): Promise<Manifests> {
  let connection: Connection | undefined;
  try {
    connection = new Connection(await loadClusterAccess({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }), ...(context === undefined ? {} : { context }),
    }), { userAgent: 'cdk8s-aso' });
    const client = new RestClient(connection);
    const manifests: Manifest[] = [];
    let next: string | undefined;
    do {
      const page = await client.list(CRDS, { limit: PAGE, ...(next === undefined ? {} : { continue: next }) });
      for (const object of page.items) manifests.push({ file: CLUSTER, line: 1, object, lineOf: () => 1 });
      next = page.continue;
    } while (next !== undefined);
    return { manifests, problems: [] };
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    const status = error instanceof KubernetesError ? error.message : oneLine((error as Error).message);
    const problem: Problem = {
      file: CLUSTER,
      message: `the CRDs cannot be read: ${status}`,
      fix: "check the kubeconfig's context and whether its user may list customresourcedefinitions",
    };
    return { manifests: [], problems: [problem] };
  } finally {
    await connection?.close();
  }
}

function withoutSecrets(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//');
}
