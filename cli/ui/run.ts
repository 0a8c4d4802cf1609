import { clusterSource } from './cluster-source';
import { openInBrowser } from './open-in-browser';
import { servePageLocally, type LocalServer } from '../../page';
import { isClusterError, withCluster } from '../cluster/connect';
import { NothingToInspect } from '../cluster/inspected-cluster';
import type { ClusterOptions } from '../cluster/options';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';

export interface UiOptions extends ClusterOptions {
  readonly port?: number;
  readonly open: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Serves the page of a cluster until the user ends it. Returns the exit status.
 * @param signal ends it besides the signals of the process
 */
export async function runUi(options: UiOptions, terminal: Terminal, environment: Environment, signal?: AbortSignal): Promise<number> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const name of SIGNALS) process.once(name, end);
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await withCluster(options, { command: 'ui', environment }, async ({ client, server }) => {
      const { namespace, context } = options;
      const title = `${context ?? new URL(server).host}${namespace === undefined ? '' : `, namespace ${namespace}`}`;
      const live = await clusterSource(client, { title, namespace, environment });
      const page = await pageServer(options, live.source, terminal);
      if (!page) return 1;
      terminal.print(`${terminal.style.bold('Page')}  ${page.url}`);
      terminal.note('whoever has this address can read the page; Ctrl-C ends it');
      const forget = options.open ? openInBrowser(page.url, (why) => terminal.note(why)) : undefined;
      try {
        await live.run(stop.signal);
      } finally {
        forget?.();
        await page.close();
      }
      return 0;
    });
  } catch (error) {
    if (!isClusterError(error) && !(error instanceof NothingToInspect)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  } finally {
    for (const name of SIGNALS) process.removeListener(name, end);
    signal?.removeEventListener('abort', end);
  }
}

async function pageServer({ port }: UiOptions, source: Parameters<typeof servePageLocally>[0]['source'], terminal: Terminal): Promise<LocalServer | undefined> {
  try {
    return await servePageLocally({ source, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    terminal.error(code === 'EADDRINUSE' ? `port ${port} is taken: choose another with --port, or none` : oneLine(message));
    return undefined;
  }
}
