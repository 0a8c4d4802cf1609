import type { PipelineResponse } from '@azure/core-rest-pipeline';
import { BodyTooLargeError } from '../../engine/http/bounded-body';
import { oneLine } from '../output/problem';

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT = 60_000;

/** A document of the web that cannot be had, and why. */
export class FetchError extends Error {
  public constructor(message: string, public readonly fix: string) {
    super(message);
    this.name = 'FetchError';
  }
}

/**
 * The text behind an address. Only over https: whoever changes a CRD on its way changes the code that is made of it.
 * @throws FetchError
 */
export async function fetchText(address: string, timeout = TIMEOUT): Promise<string> {
  const signal = AbortSignal.timeout(timeout);
  let url = checked(address);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const { status, headers, bodyAsText } = await answerOf(url, timeout, signal);
      const location = headers.get('location');
      if (status >= 300 && status < 400 && location !== undefined) {
        url = checked(new URL(location, url).href);
        continue;
      }
      if (status < 200 || status >= 300) throw new FetchError(`answered ${status}`, 'check the address');
      return bodyAsText ?? '';
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    if (error instanceof BodyTooLargeError) throw new FetchError(`is larger than ${MAX_BYTES / 1024 / 1024} MiB`, 'give the CRDs alone');
    const { message, cause } = error as Error & { cause?: Error };
    if (signal.aborted) {
      throw new FetchError(
        `did not answer within ${Math.round(timeout / 1000)} seconds`,
        'try again, or download the file yourself and give its path',
      );
    }
    throw new FetchError(
      `cannot be reached: ${oneLine(cause?.message || message)}`,
      'check the address and the network, or download the file yourself and give its path',
    );
  }
  throw new FetchError(`redirects more than ${MAX_REDIRECTS} times`, 'give the final address');
}

function checked(address: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new FetchError('is not an address', 'give one like https://example.com/crds.yaml');
  }
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw new FetchError(`${url.protocol}//${url.host} is not reached over https`, 'give an https address, or download the file yourself');
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchError('has a user or a password in it', 'download the file yourself and give its path');
  }
  return url;
}

async function answerOf(url: URL, timeoutMs: number, abortSignal: AbortSignal): Promise<PipelineResponse> {
  // Loaded here: CRDs of files and of clusters do without it.
  const [{ createEmptyPipeline, createHttpHeaders, createPipelineRequest, proxyPolicy }, { boundedHttpClient }] = await Promise.all([
    import('@azure/core-rest-pipeline'),
    import('../../engine/http/bounded-client'),
  ]);
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(proxyPolicy());
  return pipeline.sendRequest(
    boundedHttpClient({ from: 'an address', maxBodyBytes: MAX_BYTES, timeoutMs }),
    createPipelineRequest({
      url: url.href,
      headers: createHttpHeaders({ accept: 'application/yaml, application/json, text/plain, */*' }),
      allowInsecureConnection: url.protocol === 'http:',
      abortSignal,
    }),
  );
}
