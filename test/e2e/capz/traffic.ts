import type { LoggedRequest } from '../cluster';

/** The requests of a step to Azure about one cluster. */
export interface StepTraffic {
  /** `PUT /demo/managedClusters/demo`, with how often; PUT, PATCH and DELETE. */
  readonly writes: Readonly<Record<string, number>>;
  /** POST actions by path. */
  readonly actions: Readonly<Record<string, number>>;
  /** Reads of resources by path; not those of operations. */
  readonly reads: Readonly<Record<string, number>>;
  /** Requests that Azure refused, but for reads of a resource that is not there. */
  readonly refused: readonly string[];
}

/** Looks at the requests about one resource group, step by step. */
export class Traffic {
  private seen = 0;

  public constructor(private readonly log: () => Promise<readonly LoggedRequest[]>, private readonly group: string) {}

  /** How many requests there have been that were no polls. */
  public async count(): Promise<number> {
    return (await this.requests()).length;
  }

  /** The requests since the last call. */
  public async next(): Promise<StepTraffic> {
    const all = await this.requests();
    const step = trafficOf(all.slice(this.seen));
    this.seen = all.length;
    return step;
  }

  /** The same, and the next call tells them again. */
  public async peek(): Promise<StepTraffic> {
    return trafficOf((await this.requests()).slice(this.seen));
  }

  private async requests(): Promise<readonly LoggedRequest[]> {
    const prefix = `/${this.group}`;
    return (await this.log())
      .filter(({ poll }) => !poll)
      .map((request) => ({ ...request, path: shortened(request.path) }))
      .filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
  }
}

function trafficOf(requests: readonly LoggedRequest[]): StepTraffic {
  const counted = (...methods: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const { method, path } of requests) {
      const key = methods.length === 1 ? path : `${method} ${path}`;
      if (methods.includes(method)) counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  };
  return {
    writes: counted('PUT', 'PATCH', 'DELETE'),
    actions: counted('POST'),
    reads: counted('GET'),
    refused: requests
      .filter(({ status, method }) => status >= 400 && !(status === 404 && method === 'GET'))
      .map(({ method, path, status }) => `${status} ${method} ${path}`),
  };
}

/** `/demo/managedClusters/demo/agentPools/pool0` */
function shortened(path: string): string {
  return path
    .replace(/^\/subscriptions\/[^/]+/i, '')
    .replace(/^\/resourceGroups/i, '')
    .replace(/\/providers\/Microsoft\.[^/]+/gi, '');
}
