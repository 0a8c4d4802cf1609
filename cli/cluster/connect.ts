import type { ClusterOptions } from './options';
import type { ClusterAccess, Connection, RestClient, RestClientOptions } from '../../engine/kubernetes';
import { KubeconfigError } from '../../engine/kubernetes/kubeconfig';
import { KubernetesError } from '../../engine/kubernetes/types';

type Environment = Readonly<Record<string, string | undefined>>;

/** A connection to the cluster that a kubeconfig names. */
export interface LiveCluster {
  readonly client: RestClient;
  /** For requests that the client has no method for. */
  readonly connection: Connection;
  /** For connections of other programs. */
  readonly access: ClusterAccess;
  /** URL of the API server. */
  readonly server: string;
  /** The namespace of the context, undefined where it names none. */
  readonly namespace?: string | undefined;
}

export interface ConnectOptions extends RestClientOptions {
  /** Name of the command, for the header `User-Agent`. */
  readonly command: string;
  readonly environment: Environment;
}

/**
 * Connects as kubectl does, acts, and closes the connection.
 *
 * @throws KubeconfigError where no cluster is determined; whatever the act throws, among it KubernetesError
 */
export async function withCluster<T>(
  { kubeconfig, context }: ClusterOptions,
  { command, environment, ...options }: ConnectOptions,
  act: (cluster: LiveCluster) => Promise<T>,
): Promise<T> {
  // Loaded here: commands that read no cluster do without it.
  const { Connection: ServerConnection, loadClusterAccess, RestClient: Client } = await import('../../engine/kubernetes');
  const access = await loadClusterAccess({
    environment, ...(kubeconfig === undefined ? {} : { path: kubeconfig }), ...(context === undefined ? {} : { context }),
  });
  const connection = new ServerConnection(access, { userAgent: `cdk8s-aso-${command}` });
  try {
    return await act({ client: new Client(connection, options), connection, access, server: access.server, namespace: access.namespace });
  } finally {
    await connection.close();
  }
}

/** Whether the error is one of the cluster, whose message says all: unreachable, refused, no kubeconfig. */
export function isClusterError(error: unknown): error is KubernetesError | KubeconfigError {
  return error instanceof KubernetesError || error instanceof KubeconfigError;
}
