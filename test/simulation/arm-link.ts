import { ENDPOINT, SUBSCRIPTION, refusal, type Answer, type AzureModel } from './azure-model';
import type { LinkOptions } from './kube-link';
import type { Admission } from './limits-model';
import { travelled } from './travelled';
import { ArmError, type ArmClient, type ArmRequest, type ArmResponse } from '../../controller/azure/types';

export interface ArmLinkOptions extends LinkOptions {
  /** What the credential of the client says, and what Azure accepts. */
  readonly isValid: () => boolean;
  /** Azure's limits. */
  readonly admit: (method: string, path: string) => Admission;
  /** Told of a request when it is sent; answers what to call when its answer is there, or will never be (then with none). */
  readonly onSending: (request: ArmRequest, path: string) => (answer?: ArmResponse) => void;
  /** Told of a request when Azure gets it; answers for whose object it is. */
  readonly onRequest: (request: ArmRequest, path: string) => string;
}

/** The way of one process to Azure: requests and answers get lost, come late or twice, and are refused for other reasons than their own. */
export class ArmLink implements ArmClient {
  public readonly subscriptionId = SUBSCRIPTION;
  public readonly endpoint = ENDPOINT;

  public constructor(private readonly azure: AzureModel, private readonly options: ArmLinkOptions) {}

  public async send(request: ArmRequest): Promise<ArmResponse> {
    const { process, mayDie } = this.options;
    const path = request.url.replace(ENDPOINT, '').split('?')[0];
    mayDie();
    await process.goesOn();
    const over = this.options.onSending(request, path);
    try {
      const answer = await this.exchange(request, path);
      over(answer);
      return answer;
    } catch (error) {
      over();
      throw error;
    }
  }

  private async exchange(request: ArmRequest, path: string): Promise<ArmResponse> {
    const { process, random, faults, mayDie, log } = this.options;
    await process.sleep(random.between(5, 300));
    if (faults.strikes('armLost', 0.03)) throw await this.lost();
    const answer = this.arrive(request, path);
    log(`azure ${request.method} ${path}: ${answer.status}`);
    mayDie();
    await process.goesOn();
    await process.sleep(faults.strikes('slowOperations', 0.05) ? random.between(1_000, 60_000) : random.between(5, 300));
    if (faults.strikes('armLost', 0.04)) throw await this.lost();
    // A gateway that gives up: Azure has taken the request all the same.
    if (faults.strikes('armErrors', 0.03)) return response({ status: 502, text: '<html>Bad Gateway</html>', body: undefined });
    return response(answer);
  }

  private arrive(request: ArmRequest, path: string): Answer {
    const { isValid, onRequest, admit } = this.options;
    const by = onRequest(request, path);
    if (!isValid()) return refusal(401, 'InvalidAuthenticationToken', 'The client secret is not valid.');
    const { headers, refusal: refused } = admit(request.method, path);
    if (refused) return refused;
    const answer = this.handle(request, path, by);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  private handle(request: ArmRequest, path: string, by: string): Answer {
    const { random, faults } = this.options;
    if (faults.strikes('throttling', 0.08)) {
      return { ...refusal(429, 'TooManyRequests', 'Slow down.'), headers: { 'retry-after': String(random.between(1, 90)) } };
    }
    if (faults.strikes('armErrors', 0.04)) {
      // Some providers quote what they were sent.
      return refusal(random.pick([500, 503]), 'InternalServerError', `Cannot handle ${JSON.stringify(request.body ?? '')}`);
    }
    const answer = this.azure.answer(request, path, by);
    // The network brings it once more.
    if (request.method === 'PUT' && faults.strikes('duplicates', 0.05)) this.again(request, path, by);
    return answer;
  }

  /** Nobody hears of the operation that this may begin. */
  private again(request: ArmRequest, path: string, by: string): void {
    this.azure.answer(request, path, by);
    const resource = this.azure.find(path);
    if (resource) resource.misled = true;
  }

  private async lost(): Promise<ArmError> {
    await this.options.process.sleep(this.options.random.between(100, 60_000));
    return new ArmError('UnknownError', 'connection reset', undefined, undefined, undefined, undefined, { unstructured: true });
  }
}

function response({ status, headers = {}, body, text }: Answer): ArmResponse {
  const arrived = travelled(body);
  // Hardly anybody reads the text of what could be parsed.
  return { status, headers, body: arrived, get text() { return text ?? (arrived === undefined ? '' : JSON.stringify(arrived)); } };
}
