import { retryAfterSeconds } from '../../../engine/arm/retry-after';
import { ArmError, type ArmClient, type ArmRequest, type RawAnswer } from '../../../engine/arm/types';
import type { Clock } from '../../../engine/clock';

/** Something wanted to change Azure. A mistake of the program: a plan only reads. */
export class WriteRefused extends Error {
  public constructor({ method, url }: ArmRequest) {
    super(`a plan only reads: ${method} ${url} was not sent`);
    this.name = 'WriteRefused';
  }
}

/** How often a request is sent at most. */
const MOST_TRIES = 5;
/** The longest single wait of a plan; after that, Azure's refusal is the answer. */
const LONGEST_WAIT_SECONDS = 60;
/** Refusals that a later try may not meet. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * A client that sends nothing but GET, and sends it again where Azure was busy: after the time in `Retry-After`, else after 1, 2, 4 … s.
 * While Azure asks to wait, no other request of this client is sent either.
 */
export class ReadOnlyClient implements ArmClient {
  public readonly subscriptionId: string;
  public readonly endpoint: string;
  private notBefore = 0;

  public constructor(private readonly client: ArmClient, private readonly clock: Pick<Clock, 'now' | 'sleep'>) {
    this.subscriptionId = client.subscriptionId;
    this.endpoint = client.endpoint;
  }

  /** @throws WriteRefused for every method but GET; ArmError where there was no answer */
  public async send(request: ArmRequest, signal?: AbortSignal): Promise<RawAnswer> {
    if (request.method !== 'GET') throw new WriteRefused(request);
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
    if (answer instanceof ArmError) return answer.cause === undefined ? undefined : backOff;
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
