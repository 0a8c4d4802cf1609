import { textBefore } from '../../../src/util/text-before';
import { keyOf, parseArmPath, SUBSCRIPTION } from '../arm/arm-path';
import type { Answer } from '../model/answer';
import type { SandboxClock } from '../model/clock';
import { isResourceGraph } from '../resource-graph/request';

/**
 * The requests that a provider counts together. POST is an action on a resource (the listing of keys), which the documents do not tell
 * apart from reads.
 */
export type ProviderOperation = 'reads' | 'lists' | 'writes' | 'deletes' | 'queries';

/** So many requests in each span of so many seconds, which begins with the first of them. */
interface Span {
  readonly requests: number;
  readonly seconds: number;
}

/** Holds so many, and gets so many back each minute. */
interface Refill {
  readonly size: number;
  readonly perMinute: number;
}

interface ProviderLimit {
  /** ARM types that begin with it count together, in lower case. */
  readonly types: string;
  readonly operations: readonly ProviderOperation[];
  readonly by: 'subscription' | 'resource' | 'principal';
  readonly limit: Span | Refill;
  /** Of the refusal: what was too much. */
  readonly name: string;
}

/**
 * Limits of resource providers, as they are documented. They hold for each region; here for all of them together, because a request does
 * not tell its region.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling#network-throttling
 * @see https://learn.microsoft.com/azure/storage/common/scalability-targets-resource-provider
 * @see https://learn.microsoft.com/azure/virtual-machines/compute-throttling-limits
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests
 */
const LIMITS: readonly ProviderLimit[] = [
  {
    types: 'microsoft.storage/',
    operations: ['reads'],
    by: 'subscription',
    limit: { requests: 800, seconds: 300 },
    name: 'Read_ObservationWindow_00:05:00',
  },
  {
    types: 'microsoft.storage/',
    operations: ['lists'],
    by: 'subscription',
    limit: { requests: 100, seconds: 300 },
    name: 'List_ObservationWindow_00:05:00',
  },
  {
    types: 'microsoft.storage/',
    operations: ['writes', 'deletes'],
    by: 'subscription',
    limit: { requests: 10, seconds: 1 },
    name: 'Write_ObservationWindow_00:00:01',
  },
  {
    types: 'microsoft.storage/',
    operations: ['writes', 'deletes'],
    by: 'subscription',
    limit: { requests: 1200, seconds: 3600 },
    name: 'Write_ObservationWindow_01:00:00',
  },
  {
    types: 'microsoft.network/',
    operations: ['writes', 'deletes'],
    by: 'subscription',
    limit: { requests: 1000, seconds: 300 },
    name: 'PutDelete5Min',
  },
  {
    types: 'microsoft.network/',
    operations: ['reads', 'lists'],
    by: 'subscription',
    limit: { requests: 10_000, seconds: 300 },
    name: 'Get5Min',
  },
  ...virtualMachines('writes', 'PutVM', { size: 12, perMinute: 4 }, { size: 1500, perMinute: 500 }),
  ...virtualMachines('deletes', 'DeleteVM', { size: 12, perMinute: 4 }, { size: 1500, perMinute: 500 }),
  ...virtualMachines('reads', 'LowCostGetVM', { size: 36, perMinute: 12 }, { size: 24_000, perMinute: 8000 }),
  {
    types: 'microsoft.resourcegraph/resources',
    operations: ['queries'],
    by: 'principal',
    limit: { requests: 15, seconds: 5 },
    name: 'ResourceGraph',
  },
];

function virtualMachines(operation: ProviderOperation, name: string, ofOne: Refill, ofAll: Refill): ProviderLimit[] {
  const common = { types: 'microsoft.compute/virtualmachines', operations: [operation] };
  return [
    { ...common, by: 'resource', limit: ofOne, name: `${name}Resource` },
    { ...common, by: 'subscription', limit: ofAll, name: `${name}Subscription` },
  ];
}

/** The remaining requests of a provider's limit. */
export interface ProviderLimitState {
  /** Subscription, resource or client id. */
  readonly scope: string;
  readonly provider: string;
  readonly limit: string;
  readonly remaining: number;
}

interface Counted {
  readonly limit: ProviderLimit;
  readonly scope: string;
}

interface Counter extends Counted {
  left: number;
  /** Of a span: when it has begun. Else when it was last filled. */
  at: number;
}

interface Request {
  readonly type: string;
  readonly operation: ProviderOperation;
  readonly scopes: Readonly<Record<ProviderLimit['by'], string | undefined>>;
}

/** The limits that resource providers have besides those of Azure Resource Manager. Requests are refused only where limits are enforced. */
export class ProviderLimits {
  private readonly counters = new Map<string, Counter>();

  public constructor(private readonly clock: SandboxClock, private readonly timeScale: number, private readonly enforced: boolean) {}

  /** Counts a request; answers what the response says of it, and the refusal where there is one. */
  public count(client: string, method: string, path: string): { readonly headers: Record<string, string>; readonly refused?: Answer } {
    const request = requestOf(client, method, path);
    const counters = (request ? limitsOf(request) : []).map((counted) => this.counterOf(counted));
    const refusing = this.enforced ? counters.find((counter) => this.left(counter) < 1) : undefined;
    if (!refusing) for (const counter of counters) counter.left = Math.max(this.left(counter) - 1, 0);
    const headers = this.headersOf(counters);
    return refusing ? { headers, refused: refusal(refusing, this.secondsUntilRoom(refusing)) } : { headers };
  }

  public list(): ProviderLimitState[] {
    return [...this.counters.values()].map((counter) => ({
      scope: counter.scope,
      provider: textBefore(counter.limit.types, '/'),
      limit: counter.limit.name,
      remaining: Math.floor(this.left(counter)),
    }));
  }

  private counterOf(counted: Counted): Counter {
    const key = `${counted.limit.name} ${counted.scope}`;
    const known = this.counters.get(key);
    if (known) return known;
    const counter = { ...counted, left: mostOf(counted.limit), at: this.clock.now() };
    this.counters.set(key, counter);
    return counter;
  }

  /** Requests that may come now. */
  private left(counter: Counter): number {
    const { limit } = counter.limit;
    const now = this.clock.now();
    const seconds = (Math.max(now - counter.at, 0) / 1000) * this.timeScale;
    if ('perMinute' in limit) {
      counter.left = Math.min(limit.size, counter.left + (seconds / 60) * limit.perMinute);
      counter.at = now;
    } else if (seconds >= limit.seconds || counter.left === limit.requests) {
      counter.left = limit.requests;
      counter.at = now;
    }
    return counter.left;
  }

  /** In seconds of the caller. */
  private secondsUntilRoom(counter: Counter): number {
    const { limit } = counter.limit;
    if ('perMinute' in limit) return Math.max(((1 - this.left(counter)) / limit.perMinute) * 60, 0) / this.timeScale;
    return Math.max(limit.seconds / this.timeScale - (this.clock.now() - counter.at) / 1000, 0);
  }

  private headersOf(counters: readonly Counter[]): Record<string, string> {
    const ofCompute = counters.filter(({ limit }) => limit.types.startsWith('microsoft.compute/'));
    const query = counters.find(({ limit }) => limit.operations.includes('queries'));
    return {
      ...(ofCompute.length > 0 && {
        'x-ms-ratelimit-remaining-resource': ofCompute
          .map(({ limit, left }) => `Microsoft.Compute/${limit.name};${Math.floor(left)}`)
          .join(','),
      }),
      ...(query && {
        'x-ms-user-quota-remaining': String(Math.floor(query.left)),
        'x-ms-user-quota-resets-after': timeSpan(this.secondsUntilRoom(query)),
      }),
    };
  }
}

function mostOf({ limit }: ProviderLimit): number {
  return 'perMinute' in limit ? limit.size : limit.requests;
}

function limitsOf({ type, operation, scopes }: Request): Counted[] {
  return LIMITS.flatMap((limit): Counted[] => {
    const scope = scopes[limit.by];
    return type.startsWith(limit.types) && limit.operations.includes(operation) && scope !== undefined ? [{ limit, scope }] : [];
  });
}

/** Undefined: no request to a provider's resources. */
function requestOf(client: string, method: string, path: string): Request | undefined {
  if (isResourceGraph(method, path)) {
    return {
      type: 'microsoft.resourcegraph/resources',
      operation: 'queries',
      scopes: { principal: client, subscription: undefined, resource: undefined },
    };
  }
  const { nodes, tail } = parseArmPath(path);
  const [target, ...rest] = [...nodes].reverse();
  if (!target || nodes[0]?.type !== SUBSCRIPTION) return undefined;
  const scopes = { subscription: nodes[0].name.toLowerCase(), resource: keyOf(target.id), principal: client };
  const isRead = method === 'GET' || method === 'HEAD';
  const inProvider = tail[0]?.toLowerCase() === 'providers';
  if (inProvider && (tail.length !== 3 || !isRead)) return undefined;
  if (tail.length > 0 && isRead) {
    return { type: (inProvider ? tail.slice(1) : [target.type, ...tail]).join('/').toLowerCase(), operation: 'lists', scopes };
  }
  if (rest.length === 0) return undefined;
  const operation = isRead || method === 'POST' ? 'reads' : method === 'DELETE' ? 'deletes' : 'writes';
  return { type: target.type.toLowerCase(), operation, scopes };
}

function refusal({ limit }: Counter, secondsUntilRoom: number): Answer {
  const seconds = Math.max(Math.ceil(secondsUntilRoom), 1);
  const retry = { 'Retry-After': String(seconds) };
  const answer = (code: string, message: string, more: object = {}, headers: Record<string, string> = retry): Answer =>
    ({ status: 429, headers, body: { error: { code, message, ...more } } });
  if (limit.types.startsWith('microsoft.storage/')) {
    const message = `The request is being throttled as the limit has been reached for operation type - ${limit.name}.`;
    return answer('TooManyRequests', `${message} For more information, see - https://aka.ms/srpthrottlinglimits`);
  }
  if (limit.types.startsWith('microsoft.compute/')) {
    const details = [
      {
        code: 'TooManyRequests',
        target: limit.name,
        message: JSON.stringify({ operationGroup: limit.name, allowedRequestCount: mostOf(limit) }),
      },
    ];
    return answer(
      'OperationNotAllowed',
      'The server rejected the request because too many requests have been received for this subscription.',
      { details },
    );
  }
  if (limit.operations.includes('queries')) {
    const message =
      'Client application has been throttled and should not attempt to repeat the request until an amount of time has elapsed.';
    // Its own headers say when.
    return answer('RateLimiting', message, {}, {});
  }
  return answer(
    'TooManyRequests',
    `The resource provider has received too many requests (${limit.name}). Please try again after '${seconds}' seconds.`,
  );
}

/** `hh:mm:ss`, with a fraction where time runs faster. */
function timeSpan(seconds: number): string {
  const [whole, fraction = ''] = (Math.ceil(seconds * 1000) / 1000).toFixed(3).replace(/\.000$/, '').split('.');
  const parts = [Math.floor(Number(whole) / 3600), Math.floor(Number(whole) / 60) % 60, Number(whole) % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':') + (fraction && `.${fraction}`);
}
