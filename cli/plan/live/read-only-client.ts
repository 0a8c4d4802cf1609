import { retryAfterSeconds } from '../../../engine/arm/retry-after';
import { ArmError, type ArmClient, type ArmRequest, type RawAnswer } from '../../../engine/arm/types';
import { systemClock, type Clock } from '../../../engine/clock';
import { credentialErrorIn } from '../../../engine/credentials';

/** Something wanted to change Azure. A mistake of the program: its commands only read. */
export class WriteRefused extends Error {
  public constructor({ method, url }: ArmRequest) {
    super(`${method} ${url} was not sent: this command only reads from Azure`);
    this.name = 'WriteRefused';
  }
}

/** The one POST that changes nothing: a query of Azure Resource Graph. */
const RESOURCE_GRAPH = /^(?:https:\/\/[^/]+)?\/providers\/Microsoft\.ResourceGraph\/resources$/i;

/** How often a request is sent at most. */
const MOST_TRIES = 5;
/** The longest single wait of a plan; after that, Azure's refusal is the answer. */
const LONGEST_WAIT_SECONDS = 60;
/** Refusals that a later try may not meet. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * A client that sends nothing but GET and queries of Azure Resource Graph, and sends them again where Azure was busy: after the time in
 * `Retry-After`, else after 1, 2, 4 … s. While Azure asks to wait, no other request of this client is sent either.
 */
export class ReadOnlyClient implements ArmClient {
  public readonly subscriptionId: string;
  public readonly endpoint: string;
  private notBefore = 0;

  public constructor(private readonly client: ArmClient, private readonly clock: Pick<Clock, 'now' | 'sleep'> = systemClock) {
    this.subscriptionId = client.subscriptionId;
    this.endpoint = client.endpoint;
  }

  /** @throws WriteRefused for every other request; ArmError where there was no answer */
  public async send(request: ArmRequest, signal?: AbortSignal): Promise<RawAnswer> {
    if (!onlyReads(request)) throw new WriteRefused(request);
    for (let tries = 1; ; tries += 1) {
      await this.untilAllowed();
      const answer = await this.once(request, signal);
      const seconds = this.waitAfter(answer, tries);
      if (seconds === undefined) {
        if (answer instanceof ArmError) throw answer;
        return answer;
      }
      await this.clock.sleep(seconds * 1000);
    }
  }

  private async once(request: ArmRequest, signal?: AbortSignal): Promise<RawAnswer | ArmError> {
    try {
      return await this.client.send(request, signal);
    } catch (error) {
      if (error instanceof ArmError) return error;
      throw error;
    }
  }

  /** Seconds until the next try; undefined where there is none. */
  private waitAfter(answer: RawAnswer | ArmError, tries: number): number | undefined {
    if (tries >= MOST_TRIES) return undefined;
    const backOff = 2 ** (tries - 1);
    // No answer at all; where there is no token, the next try has none either.
    if (answer instanceof ArmError) return answer.cause === undefined || credentialErrorIn(answer) ? undefined : backOff;
    if (!PASSING.has(answer.status)) return undefined;
    const asked = retryAfterSeconds(answer.headers, this.clock.now());
    if (asked === undefined) return backOff;
    if (asked > LONGEST_WAIT_SECONDS) return undefined;
    this.notBefore = Math.max(this.notBefore, this.clock.now() + asked * 1000);
    return asked;
  }

  private async untilAllowed(): Promise<void> {
    const wait = this.notBefore - this.clock.now();
    if (wait > 0) await this.clock.sleep(wait);
  }
}

function onlyReads({ method, url }: ArmRequest): boolean {
  return method === 'GET' || (method === 'POST' && RESOURCE_GRAPH.test(url));
}
