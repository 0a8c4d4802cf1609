import { clusterObjects, type ClusterObjects } from './cluster-objects';
import { withCluster } from '../../cluster/connect';
import type { ClusterOptions } from '../../cluster/options';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the objects of a cluster are asked for. */
export function readsCluster({ cluster, kubeconfig, context }: ClusterOptions & { readonly cluster?: boolean }): boolean {
  return cluster === true || kubeconfig !== undefined || context !== undefined;
}

/**
 * The Azure objects of the cluster that a kubeconfig names. Nothing but GET is sent.
 * @throws KubeconfigError; KubernetesError where the cluster does not answer
 */
export function readCluster(options: ClusterOptions, environment: Environment): Promise<ClusterObjects> {
  return withCluster(options, { command: 'plan', environment }, ({ client }) => clusterObjects(client, options.namespace));
}
