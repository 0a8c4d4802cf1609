import { clusterObjects, type ClusterObjects } from './cluster-objects';
import type { PlanOptions } from '../plan';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the objects of a cluster are asked for. */
export function readsCluster({ cluster, kubeconfig, context }: PlanOptions): boolean {
  return cluster === true || kubeconfig !== undefined || context !== undefined;
}

/**
 * The Azure objects of the cluster that a kubeconfig names. Nothing but GET is sent.
 * @throws KubeconfigError; KubernetesError where the cluster does not answer
 */
export async function readCluster({ kubeconfig, context, namespace }: PlanOptions, environment: Environment): Promise<ClusterObjects> {
  const { Connection, loadClusterAccess, RestClient } = await import('../../../engine/kubernetes');
  const access = await loadClusterAccess({
    environment, ...(kubeconfig === undefined ? {} : { path: kubeconfig }), ...(context === undefined ? {} : { context }),
  });
  const connection = new Connection(access, { userAgent: 'cdk8s-aso-plan' });
  try {
    return await clusterObjects(new RestClient(connection), namespace);
  } finally {
    await connection.close();
  }
}
