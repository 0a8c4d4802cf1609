import { planOfNode } from './plan-of-node';
import { InformerSet, type InformerSource as WatchedApi } from '../../engine/informers';
import type { Unread } from '../../engine/inspect';
import { catalogKinds, type WatchedKind } from '../../engine/kubernetes/watched-kind';
import { InformerSource, type PageSource } from '../../page';
import { Catalog } from '../../src/catalog';
import { checkWatchable, readControllers, readEvents } from '../cluster/inspected-cluster';
import type { ClusterReader } from '../cluster/reader';
import { StoreReader } from '../cluster/store-reader';

const NAMESPACE: WatchedKind = { group: '', kind: 'Namespace', versions: ['v1'], metadataOnly: true };

export interface ClusterSourceOptions {
  readonly title: string;
  readonly namespace?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A watched cluster. */
export interface ClusterSource {
  readonly source: PageSource;
  /** Watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates the source; nothing is watched yet.
 * @throws NothingToInspect for a cluster without any kind of Azure Service Operator, or without the namespace; KubernetesError where
 * it does not answer
 */
export async function clusterSource(
  client: ClusterReader & WatchedApi, { title, namespace, environment }: ClusterSourceOptions,
): Promise<ClusterSource> {
  await checkWatchable(client, namespace);
  const informers = new InformerSet(client, [...catalogKinds(Catalog.default().allKinds), NAMESPACE], {
    ...(namespace === undefined ? {} : { namespaces: [namespace] }),
  });
  const source = new InformerSource({
    title,
    informers,
    stores: new StoreReader(client),
    controllers: async () => {
      const unread: Unread[] = [];
      return { controllers: await readControllers(client, unread, {}), unread };
    },
    events: async (nodes) => {
      const unread: Unread[] = [];
      return { events: await readEvents(client, nodes, unread), unread };
    },
    plan: (node, inspection) => Promise.resolve(planOfNode(
      node, inspection, ({ group, kind, namespace: where, name }) => informers.find(group, kind, where, name), environment,
    )),
  });
  return {
    source,
    run: async (signal) => {
      await informers.start(signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      await source.run(signal);
      await informers.stopped();
    },
  };
}
