import { findNode, ObjectNotFound, wantedObject } from './find-object';
import { withPropagatingNamespaces } from './propagating-identities';
import { whyJson } from './why-json';
import { whyLines } from './why-text';
import { explain, isSettled, type InspectionNode, type Unread } from '../../engine/inspect';
import { isClusterError, withCluster } from '../cluster/connect';
import { inspectParts, NothingToInspect, readEvents, readParts } from '../cluster/inspected-cluster';
import type { ClusterOptions } from '../cluster/options';
import { StoreReader } from '../cluster/store-reader';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import { progressLine, type ProgressStream } from '../output/progress-line';
import type { Terminal } from '../output/terminal';
import { unreadLines } from '../status/status-text';

export interface WhyOptions extends ClusterOptions {
  readonly output: 'text' | 'json';
  readonly exitCode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Explains one object of a cluster. Returns the exit status. */
export async function runWhy(
  words: readonly string[], options: WhyOptions, terminal: Terminal, environment: Environment, errors: ProgressStream = process.stderr,
): Promise<number> {
  const wanted = wantedObject(words);
  try {
    return await withCluster(options, { command: 'why', environment }, async ({ client, namespace: ofContext }) => {
      const namespace = options.namespace ?? ofContext ?? 'default';
      const progress = progressLine(errors, terminal);
      const own = await readParts(client, { namespace, onProgress: (done, of) => progress.report(() => `${done} of ${of} kinds read`) })
        .finally(() => progress.end());
      const stores = new StoreReader(client);
      const before = await inspectParts(own, stores);
      const { key } = findNode(wanted, before, namespace);
      const parts = await withPropagatingNamespaces(client, own, before);
      const inspection = await inspectParts(parts, stores, {}, new Set([key]));
      const node = inspection.byKey.get(key) as InspectionNode;
      const cause = inspection.causes.find(({ id }) => id === node.cause);
      const ofCause = cause?.node === undefined || cause.node === key ? undefined : inspection.byKey.get(cause.node);
      const unread: Unread[] = [];
      const events = await readEvents(client, [node, ...(ofCause ? [ofCause] : [])], unread);
      const explanation = explain(inspection, node, events);
      const read = { ...inspection, unread: [...inspection.unread, ...unread] };
      if (options.output === 'json') {
        terminal.print(JSON.stringify(whyJson(explanation, read), undefined, 2));
      } else {
        terminal.print(whyLines(explanation, read, terminal.style).join('\n'));
        for (const line of fewLines(unreadLines(read))) terminal.note(line);
      }
      return options.exitCode && !isSettled(node.state) ? 1 : 0;
    });
  } catch (error) {
    if (!isClusterError(error) && !(error instanceof NothingToInspect) && !(error instanceof ObjectNotFound)) throw error;
    terminal.error(oneLine(error.message));
    return options.exitCode ? 2 : 1;
  }
}

