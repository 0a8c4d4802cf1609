import { informedStores } from './informed-stores';
import type { ProcessHistory } from './process-history';
import type { InformerSet } from '../../engine/informers';
import { InformerSource, PageServer } from '../../page';
import type { Answer, Mount } from '../../runtime/http/http-endpoints';
import type { Cluster } from '../reconcile/cluster';

/** The path of the page, and the nonResourceURL that a user must be allowed to get. */
export const PAGE_PATH = '/ui';

export interface ControllerPageOptions {
  readonly informers: InformerSet;
  readonly cluster: Pick<Cluster, 'read' | 'fetch'>;
  readonly history: ProcessHistory;
  /** Of the controller. */
  readonly namespace: string;
  readonly version: string;
  /** Whether this replica leads. */
  readonly leads: () => boolean;
  readonly reviews: { refuse(path: string, authorization: string | undefined): Promise<Answer | undefined> };
}

/** The page of the controller's own objects. */
export interface ControllerPage extends Mount {
  /** Inspects, while a page is open, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Created before the informers start. */
export function controllerPage(options: ControllerPageOptions): ControllerPage {
  const { informers, cluster, history: { requests, events }, namespace, version, leads, reviews } = options;
  const source = new InformerSource({
    title: `the controller of ${namespace}`,
    informers,
    stores: informedStores(cluster),
    controllers: () => Promise.resolve({
      controllers: [{ namespace, product: 'cdk8s-aso', version, isRunning: true, reconciles: true, ...(leads() && { leader: 'this replica' }) }], unread: [],
    }),
    events: (nodes) => Promise.resolve({ events: events.of(nodes.map(({ uid }) => uid)), unread: [] }),
    requests: ({ armId }) => requests.of(armId),
    plan: () => Promise.resolve({ problems: ['the controller shows no plan: cdk8s-aso plan --live --cluster prints it'] }),
    isWanted: () => server.isWatched,
  });
  const server: PageServer = new PageServer({
    source,
    refuse: async (authorization) => {
      const refusal = await reviews.refuse(PAGE_PATH, authorization);
      return refusal && { status: refusal[0], text: refusal[2].trim() };
    },
  });
  return {
    path: PAGE_PATH,
    answer: (path, query, request, response) => server.answer(path, query, request, response),
    close: () => server.close(),
    run: (signal) => source.run(signal),
  };
}
