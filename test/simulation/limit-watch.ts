import type { Answer } from './azure-model';
import { operationOf, scopeOf, type Scope } from './limits-model';
import type { LimitTraits } from './traits';
import { ARM_REQUEST_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';

/** Numbers that are not exact. */
const NEARLY_NOTHING = 1e-6;

/** A request that was let through gets a token and a connection first, in milliseconds: a refusal that comes meanwhile stops it no more. */
const ON_ITS_WAY_MS = 150;

/** A time in which nothing may be sent. */
interface Closure {
  readonly since: number;
  readonly until: number;
}

/** Requests that a process may still send, according to all answers it has received. */
interface Allowance {
  tokens: number;
  at: number;
  sent: number;
  /** How many were sent by the end of each moment: of those of one moment nobody knows which Azure counts first. */
  readonly sentBy: Map<number, number>;
  /** Of the youngest request whose answer had the remaining count. */
  newest: number;
  /** When an answer has last said that clearly less is left than was known: what was let through before is on its way. */
  loweredAt: number;
}

export interface LimitWatchOptions extends LimitTraits {
  /** The clock of the process: setting it forward fills the bucket and ends waits. */
  readonly now: () => number;
  /** By how much that clock is wrong. */
  readonly offset: () => number;
  readonly violated: (text: string) => void;
}

/**
 * Holds one process to Azure's documented buckets, to what answers say is left, and to each Retry-After that it has received. Written
 * apart from the controller's own count.
 */
export class LimitWatch {
  private readonly allowances = new Map<string, Allowance>();
  /** By rate limit queue, or queue and type. */
  private readonly closed = new Map<string, Closure>();
  private offset: number;

  public constructor(private readonly options: LimitWatchOptions) {
    this.offset = options.offset();
  }

  /** A request is sent; returns the function that takes its answer. */
  public sends(principal: string, method: string, path: string): (answer: Answer | undefined) => void {
    this.followClock();
    const { now } = this.options;
    const [scope, operation] = [scopeOf(path), operationOf(method)];
    const queue = `${principal} ${scope} ${operation}`;
    const type = `${queue} ${limitedBy(path)}`;
    const closures = [queue, type]
      .map((where) => this.closed.get(where))
      .filter((closure) => closure && now() - closure.since > ON_ITS_WAY_MS);
    const until = Math.max(0, ...closures.map((closure) => closure!.until));
    if (now() < until) {
      this.options.violated(`${method} ${path} is sent ${until - now()} ms before Azure takes requests of ${principal} again`);
    }
    const bucket = this.bucketOf(operation);
    const allowance = this.refilled(queue, bucket);
    const at = now();
    allowance.tokens -= 1;
    allowance.sent += 1;
    allowance.sentBy.set(at, allowance.sent);
    if (allowance.tokens < -NEARLY_NOTHING && at - allowance.loweredAt > ON_ITS_WAY_MS) {
      this.options.violated(`${method} ${path}: ${principal} sends more ${operation} than Azure takes`);
    }
    const { offset } = this;
    return (answer) => {
      this.followClock();
      if (!answer || offset !== this.offset) return;
      this.left(queue, bucket, at, Number(answer.headers?.[`x-ms-ratelimit-remaining-${scope}-${operation}`] ?? NaN));
      if (answer.status === 429) this.refused(answer, scope, queue, type);
    };
  }

  private left(queue: string, bucket: RequestBucket, at: number, remaining: number): void {
    const allowance = this.refilled(queue, bucket);
    const sent = allowance.sentBy.get(at)!;
    if (Number.isNaN(remaining) || sent <= allowance.newest) return;
    allowance.newest = sent;
    const back = ((this.options.now() - at) / 1000) * bucket.refillPerSecond;
    // A request under way that Azure refuses costs nothing.
    const left = Math.max(remaining + back - (allowance.sent - sent), 0);
    if (left < allowance.tokens - 1) allowance.loweredAt = this.options.now();
    allowance.tokens = Math.min(allowance.tokens, left);
  }

  private refused({ headers = {}, body }: Answer, scope: Scope, queue: string, type: string): void {
    const seconds = Number(headers['retry-after'] ?? 0);
    const { code } = (body as { readonly error: { readonly code: string } }).error;
    const isArms = code.toLowerCase() === `${scope}requeststhrottled`;
    const where = isArms ? queue : type;
    const now = this.options.now();
    const known = this.closed.get(where);
    const isOpen = !known || known.until <= now;
    this.closed.set(where, { since: isOpen ? now : known.since, until: Math.max(known?.until ?? 0, now + seconds * 1000) });
  }

  private refilled(queue: string, { size, refillPerSecond }: RequestBucket): Allowance {
    const now = this.options.now();
    const known = this.allowances.get(queue) ?? { tokens: size, at: now, sent: 0, sentBy: new Map(), newest: 0, loweredAt: -Infinity };
    known.tokens = Math.min(size, known.tokens + ((now - known.at) / 1000) * refillPerSecond);
    known.at = now;
    this.allowances.set(queue, known);
    return known;
  }

  private followClock(): void {
    if (this.offset === this.options.offset()) return;
    this.offset = this.options.offset();
    this.allowances.clear();
    this.closed.clear();
  }

  private bucketOf(operation: keyof typeof ARM_REQUEST_LIMITS): RequestBucket {
    const { size, refillPerSecond } = ARM_REQUEST_LIMITS[operation];
    return { size, refillPerSecond: refillPerSecond * this.options.timeScale };
  }
}

/**
 * The scope of a provider's limit. A collection is not its parent, and not its members, which providers count apart; nor is an action
 * the resource that it is done to.
 */
function limitedBy(path: string): string {
  const [, ...providers] = path.toLowerCase().split('/providers/');
  const segments = (providers.at(-1) ?? `arm${path.toLowerCase()}`).split('/');
  const types = segments.filter((_, index) => index === 0 || index % 2 === 1);
  return `${types.join('/')}${segments.length % 2 === 0 ? ' as a whole' : ''}`;
}
