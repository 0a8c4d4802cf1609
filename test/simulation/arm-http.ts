import { createHttpHeaders, type HttpClient, type PipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline';
import { ENDPOINT, refusal, type Answer, type AzureModel, type AzureRequest } from './azure-model';
import { principalOf, type Principal } from './entra';
import { garbled } from './garbled';
import type { Admission } from './limits-model';
import type { LinkOptions } from './link';
import { inContraryWords } from './other-words';
import type { Contrary } from '../../sandbox/azure/contrary/contrary';

export interface ArmHttpOptions extends LinkOptions {
  /** Whether Azure accepts what was shown for the token. */
  readonly isValid: (principal: Principal) => boolean;
  /** How Azure tells of its resources; undefined: in its usual words. */
  readonly contrary?: Contrary | undefined;
  /** Azure's limits. */
  readonly admit: (clientId: string, method: string, path: string) => Admission;
  /** Called for a request when it is sent; answers what to call when its answer is there, or will never be (then with none). */
  readonly onSending: (request: AzureRequest, principal: Principal) => (answer?: Answer) => void;
  /** Called for a request when Azure gets it; answers for whose object it is. */
  readonly onRequest: (request: AzureRequest, principal: Principal) => string;
  readonly violated: (text: string) => void;
}

/** The way of one process to Azure, as HTTP: requests and answers get lost, come late or twice, and are answered by others than Azure. */
export class ArmHttp implements HttpClient {
  public constructor(private readonly azure: AzureModel, private readonly options: ArmHttpOptions) {}

  public async sendRequest(sent: PipelineRequest): Promise<PipelineResponse> {
    const { process, mayDie } = this.options;
    const url = new URL(sent.url);
    const principal = principalOf(sent.headers.get('authorization'));
    if (url.origin !== ENDPOINT || !principal) {
      this.options.violated(`a request goes to ${url.origin}, ${principal ? 'with' : 'without'} a token`);
      throw new Error('nobody is there');
    }
    const method = sent.method as AzureRequest['method'];
    const body = typeof sent.body === 'string' ? (JSON.parse(sent.body) as unknown) : undefined;
    const request: AzureRequest = {
      method,
      url: sent.url,
      path: decodeURIComponent(url.pathname),
      body,
      ifMatch: sent.headers.get('if-match'),
    };
    mayDie();
    await process.goesOn();
    const over = this.options.onSending(request, principal);
    try {
      const answer = await untilAborted(this.exchange(request, principal), sent.abortSignal);
      over(answer);
      return responseOf(sent, answer);
    } catch (error) {
      over();
      throw error;
    }
  }

  private async exchange(request: AzureRequest, principal: Principal): Promise<Answer> {
    const { process, random, faults, mayDie, log } = this.options;
    await process.onTheWay(random.between(5, 300));
    if (process.cut.has('azure') || faults.strikes('armLost', 0.03)) throw await this.lost();
    const answer = this.arrive(request, principal);
    log(`azure ${request.method} ${request.path}: ${answer.status}${answer.text === undefined ? '' : ` ${answer.text.slice(0, 20)}`}`);
    mayDie();
    await process.goesOn();
    await process.sleep(faults.strikes('slowOperations', 0.05) ? random.between(1_000, 60_000) : random.between(5, 300));
    if (process.cut.has('azure') || faults.strikes('armLost', 0.04)) throw await this.lost();
    // A gateway that gives up: Azure has taken the request all the same.
    if (faults.strikes('armErrors', 0.03)) return { status: 502, text: '<html>Bad Gateway</html>' };
    if (faults.strikes('garbled', 0.03)) return garbled(request, answer, this.azure, random);
    answer.received?.();
    return answer;
  }

  private arrive(request: AzureRequest, principal: Principal): Answer {
    const { isValid, onRequest, admit, faults, random } = this.options;
    const by = onRequest(request, principal);
    if (!isValid(principal)) return refusal(401, 'InvalidAuthenticationToken', 'The client secret is not valid.');
    // Something in between answers in the place of Azure, which gets nothing.
    if (faults.strikes('garbled', 0.03)) return garbled(request, undefined, this.azure, random);
    const { headers, refusal: refused } = admit(principal.clientId, request.method, request.path);
    if (refused) return refused;
    const answer = this.handle(request, by);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  private handle(request: AzureRequest, by: string): Answer {
    const { random, faults, contrary } = this.options;
    if (faults.strikes('throttling', 0.08)) {
      return { ...refusal(429, 'TooManyRequests', 'Slow down.'), headers: { 'retry-after': String(random.between(1, 90)) } };
    }
    if (faults.strikes('armErrors', 0.04)) {
      // Some providers quote what they were sent.
      return refusal(random.pick([500, 503]), 'InternalServerError', `Cannot handle ${JSON.stringify(request.body ?? '')}`);
    }
    const { headers, ...rest } = contrary ? inContraryWords(contrary, this.azure.answer(request, by)) : this.azure.answer(request, by);
    // As Azure Resource Manager marks each of its answers.
    const answer = { ...rest, headers: { 'x-ms-request-id': 'model', ...headers } };
    // The network brings it once more.
    if (request.method === 'PUT' && faults.strikes('duplicates', 0.05)) this.again(request, by);
    return answer;
  }

  /** The client does not learn of the operation that this may begin. */
  private again(request: AzureRequest, by: string): void {
    this.azure.answer(request, by);
    const resource = this.azure.find(request.path);
    if (resource) resource.misled = true;
  }

  private async lost(): Promise<Error> {
    await this.options.process.sleep(this.options.random.between(100, 60_000));
    return new Error('connection reset');
  }
}

/** A request that is given up has no answer; it may have arrived. */
async function untilAborted<T>(answer: Promise<T>, signal: PipelineRequest['abortSignal']): Promise<T> {
  if (!signal) return answer;
  answer.catch(() => undefined);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(Object.assign(new Error('The operation was aborted.'), { name: 'AbortError' }));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function responseOf(request: PipelineRequest, { status, headers = {}, body, text }: Answer): PipelineResponse {
  return { request, status, headers: createHttpHeaders(headers), bodyAsText: text ?? (body === undefined ? '' : JSON.stringify(body)) };
}
