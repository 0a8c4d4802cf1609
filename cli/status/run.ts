import { statusFilter } from './status-filter';
import { statusJson } from './status-json';
import { exitStatus, textOptions, type StatusOptions } from './status-options';
import { partialUnread, statusLines, unreadLines } from './status-text';
import type { Inspection, InspectionNode } from '../../engine/inspect';
import { isClusterError, withCluster } from '../cluster/connect';
import { inspectCluster, NothingToInspect } from '../cluster/inspected-cluster';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import { progressLine, type ProgressStream } from '../output/progress-line';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shows what the Azure objects of a cluster do. Returns the exit status. */
export async function runStatus(
  options: StatusOptions, terminal: Terminal, environment: Environment, errors: ProgressStream = process.stderr,
): Promise<number> {
  if (options.watch && options.output === 'json') throw new UsageError('status: --watch prints text; leave out --output json');
  const shows = statusFilter(options);
  try {
    if (options.watch) {
      const { watchStatus } = await import('./watch-status');
      return await watchStatus(options, shows, terminal, environment);
    }
    const inspection = await withCluster(options, { command: 'status', environment }, async ({ client }) => {
      const progress = progressLine(errors, terminal);
      try {
        return await inspectCluster(client, {
          namespace: options.namespace,
          onProgress: (done, of, objects) => progress.report(() => `${done} of ${of} kinds read, ${objects} objects`),
        });
      } finally {
        progress.end();
      }
    });
    return print(inspection, shows, options, terminal);
  } catch (error) {
    return clusterFailure(error, terminal);
  }
}

/** Says in one sentence why the cluster shows nothing. Anything else is thrown on. */
export function clusterFailure(error: unknown, terminal: Terminal): number {
  if (!isClusterError(error) && !(error instanceof NothingToInspect)) throw error;
  terminal.error(oneLine(error.message));
  return 1;
}

function print(inspection: Inspection, shows: (node: InspectionNode) => boolean, options: StatusOptions, terminal: Terminal): number {
  if (options.output === 'json') {
    terminal.print(JSON.stringify(statusJson(inspection, shows), undefined, 2));
  } else {
    terminal.print(statusLines(inspection, textOptions(options, shows, terminal.style)).join('\n'));
    for (const line of fewLines(unreadLines(inspection))) terminal.note(line);
    if (options.namespace === undefined && inspection.nodes.length === 0 && partialUnread(inspection).length > 0) {
      terminal.note('nothing may be read in all namespaces at once; -n NAMESPACE reads one');
    }
  }
  return exitStatus(inspection, shows, options);
}
