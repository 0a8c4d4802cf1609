import type { Command } from 'commander';

/** The options by which every command names a cluster. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

/**
 * Adds the options of {@link ClusterOptions}.
 *
 * @param optional whether the command reads the cluster only where one of the options, or `--cluster`, is there
 */
export function addClusterOptions(command: Command, { optional = false } = {}): Command {
  if (optional) {
    return command
      .option('--kubeconfig <file>', 'which cluster; implies --cluster')
      .option('--context <name>', 'the context in the kubeconfig; implies --cluster')
      .option('-n, --namespace <name>', 'of the cluster only this namespace (default: all)');
  }
  return command
    .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config by default')
    .option('--context <name>', 'the context in the kubeconfig; the current one by default')
    .option('-n, --namespace <name>', 'only this namespace (default: all)');
}
