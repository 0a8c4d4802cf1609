import type { SandboxCluster } from './cluster';
import { servePageLocally } from '../../page';
import { clusterSource } from '../ui/cluster-source';

/** The page of a sandbox (docs/ui.md), until it is closed. */
export class SandboxPage {
  /** @param onProblem called with the reason where the page gets no data any more */
  public static async serve(
    { reader }: Pick<SandboxCluster, 'reader'>, environment: Readonly<Record<string, string | undefined>>, onProblem: (why: string) => void,
  ): Promise<SandboxPage> {
    const { source, run } = await clusterSource(reader, { title: 'sandbox', environment });
    const { url, close } = await servePageLocally({ source });
    const end = new AbortController();
    const watched = run(end.signal).catch((error: unknown) => onProblem(`the page gets no data any more: ${(error as Error).message}`));
    return new SandboxPage(url, async () => {
      end.abort();
      await close();
      await watched;
    });
  }

  private constructor(public readonly url: string, public readonly close: () => Promise<void>) {}
}
