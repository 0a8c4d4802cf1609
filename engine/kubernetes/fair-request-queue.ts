import { setNewest } from '../../src/util/set-newest';

/** The queue of a request. */
export interface RequestFlow {
  /** The namespace of the request; `''` for cluster-scoped requests and lists of all namespaces. */
  readonly namespace: string;
  /** Whether the request only reports (an Event), so that no caller waits for it. */
  readonly isReport: boolean;
}

/** The queue of requests that belong to no namespace: above all, the lists that fill the caches. */
const CLUSTER = '';

interface Waiter {
  readonly number: number;
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Waiting requests of one namespace, in the order of arrival. */
interface Line {
  readonly requests: Set<Waiter>;
  readonly reports: Set<Waiter>;
}

/** Every fourth request of a namespace is its oldest one, so that its reports do not starve. */
const OLDEST_SHARE = 4;
/** Number of idle namespaces that are remembered. */
const MOST_NAMESPACES = 1_000;

/**
 * Limits concurrent requests and orders the waiting ones. Every second slot is for the cluster, if it waits: the objects of all namespaces
 * wait for its lists, which would come last where hundreds of namespaces take turns. Of the others, the namespace that was served longest
 * ago goes first, so that a user who applies thousands of objects waits behind their own requests and delays no other namespace. No
 * namespace ever uses the last quarter of the slots: if its requests hang (its own slow webhook), other namespaces are still served. The
 * fairness of the API server by namespace has the same idea.
 * @see https://kubernetes.io/docs/concepts/cluster-administration/flow-control/
 */
export class FairRequestQueue {
  private readonly lines = new Map<string, Line>();
  private readonly underWay = new Map<string, number>();
  /** Time and number of requests served, by namespace; the most recently served namespace is last. */
  private readonly lastServed = new Map<string, { readonly at: number; readonly count: number }>();
  private readonly mostOfOne: number;
  private running = 0;
  private asked = 0;
  private lastIsCluster = false;
  private served = 0;

  /** @param most maximum number of concurrent requests */
  public constructor(private readonly most: number) {
    this.mostOfOne = most - Math.floor(most / 4);
  }

  /** Runs `act` when the request gets a slot. Rejects with the signal's reason if the signal aborts first. */
  public async run<T>(flow: RequestFlow, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.admitted(flow, signal);
    try {
      return await act();
    } finally {
      this.ended(flow);
    }
  }

  /** Number of waiting requests. */
  public get waiting(): number {
    return [...this.lines.values()].reduce((sum, { requests, reports }) => sum + requests.size + reports.size, 0);
  }

  /** Rejects all waiting requests. */
  public refuse(reason: unknown): void {
    const all = [...this.lines.values()].flatMap(({ requests, reports }) => [...requests, ...reports]);
    this.lines.clear();
    all.forEach((waiter) => waiter.refuse(reason));
  }

  private admitted(flow: RequestFlow, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.leave(flow, waiter);
        reject(signal!.reason);
      };
      const settled = () => signal?.removeEventListener('abort', stop);
      this.asked += 1;
      const waiter: Waiter = {
        number: this.asked,
        begin: () => {
          settled();
          resolve();
        },
        refuse: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.join(flow, waiter);
      this.pump();
    });
  }

  private pump(): void {
    while (this.running < this.most) {
      const namespace = this.next();
      if (namespace === undefined) return;
      const waiter = this.firstOf(namespace);
      if (!waiter) return;
      this.leave({ namespace, isReport: this.lines.get(namespace)!.reports.has(waiter) }, waiter);
      this.running += 1;
      this.underWay.set(namespace, (this.underWay.get(namespace) ?? 0) + 1);
      this.remember(namespace);
      waiter.begin();
    }
  }

  /** Of those below their limit: every second time the cluster, otherwise the one that was served longest ago. */
  private next(): string | undefined {
    if (!this.lastIsCluster && this.lines.has(CLUSTER) && this.mayHaveMore(CLUSTER)) return CLUSTER;
    let next: string | undefined;
    let best = Infinity;
    for (const namespace of this.lines.keys()) {
      const at = this.lastServed.get(namespace)?.at ?? 0;
      if (at >= best || !this.mayHaveMore(namespace)) continue;
      [next, best] = [namespace, at];
    }
    return next;
  }

  private mayHaveMore(namespace: string): boolean {
    return (this.underWay.get(namespace) ?? 0) < this.mostOfOne;
  }

  private firstOf(namespace: string): Waiter | undefined {
    const { requests, reports } = this.lines.get(namespace)!;
    const [request] = requests;
    const [report] = reports;
    if (!request || !report) return request ?? report;
    const byAge = ((this.lastServed.get(namespace)?.count ?? 0) + 1) % OLDEST_SHARE === 0;
    return byAge && report.number < request.number ? report : request;
  }

  private remember(namespace: string): void {
    this.served += 1;
    this.lastIsCluster = namespace === CLUSTER;
    const count = (this.lastServed.get(namespace)?.count ?? 0) + 1;
    // A forgotten namespace loses nothing: the one served longest ago goes first anyway.
    setNewest(this.lastServed, namespace, { at: this.served, count }, MOST_NAMESPACES);
  }

  private ended({ namespace }: RequestFlow): void {
    const left = this.underWay.get(namespace)! - 1;
    if (left === 0) this.underWay.delete(namespace);
    else this.underWay.set(namespace, left);
    this.running -= 1;
    this.pump();
  }

  private join({ namespace, isReport }: RequestFlow, waiter: Waiter): void {
    const line = this.lines.get(namespace) ?? { requests: new Set<Waiter>(), reports: new Set<Waiter>() };
    (isReport ? line.reports : line.requests).add(waiter);
    this.lines.set(namespace, line);
  }

  private leave({ namespace, isReport }: RequestFlow, waiter: Waiter): void {
    const line = this.lines.get(namespace);
    if (!line) return;
    (isReport ? line.reports : line.requests).delete(waiter);
    if (line.requests.size + line.reports.size === 0) this.lines.delete(namespace);
  }
}

const NAMESPACE = /^\/apis?\/(?:[^/]+\/){1,2}namespaces\/([^/]+)\/./;
const EVENTS = /^\/api\/v1\/namespaces\/[^/]+\/events(\/|$)/;

/** The queue for a request's path: an object in a namespace belongs to that namespace, the Namespace object does not. */
export function flowOf(path: string): RequestFlow {
  return { namespace: NAMESPACE.exec(path)?.[1] ?? '', isReport: EVENTS.test(path) };
}
