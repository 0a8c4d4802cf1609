import { createHttpHeaders, type HttpClient, type PipelineRequest } from '@azure/core-rest-pipeline';
import { boundedText } from './bounded-body';
import { startDeadline } from './deadline';
import { createHttpClient } from './http-client';
import type { LargeBodies } from './large-bodies';

/** The bounds of a road. */
export interface HttpLimits {
  /** The party that answers, for errors: `Azure`. */
  readonly from: string;
  /** Of an answer's body as it comes, and as it is unpacked. */
  readonly maxBodyBytes: number;
  /** From the beginning of a request to the last byte of its answer. Milliseconds. */
  readonly timeoutMs: number;
  /** Places for bodies that are not small, which roads share. Default: every body is read at once. */
  readonly large?: LargeBodies;
  /** Whether a request may go to this address. Default: the caller has checked it. */
  readonly allows?: (url: URL) => boolean;
}

/** A request to a host that its road does not lead to. */
export class HostRefusedError extends Error {
  public constructor({ host }: URL, from: string) {
    super(`no request is sent to ${host}, which is no host of ${from}`);
    this.name = 'HostRefusedError';
  }
}

let shared: HttpClient | undefined;

/**
 * A client for pipelines of the Azure libraries, and for those that have none. It reads answers whole, unpacks them itself, and follows no
 * redirect. By default all share their connections; tokens travel in headers, not in connections.
 *
 * Rejects with BodyTooLargeError, BrokenBodyError, DeadlineError and HostRefusedError, which the retry policies of the libraries let pass.
 */
export function boundedHttpClient(limits: HttpLimits, client?: HttpClient): HttpClient {
  const { from, maxBodyBytes: maxBytes, timeoutMs, large, allows } = limits;
  return {
    sendRequest: async (request) => {
      const url = new URL(request.url);
      if (allows && !allows(url)) throw new HostRefusedError(url, from);
      const { signal, clear } = startDeadline(timeoutMs, 'answer', request.abortSignal);
      try {
        const { readableStreamBody: body, ...response } = await (client ?? (shared ??= createHttpClient())).sendRequest(
          unpackedHere(request, signal),
        );
        const encoding = response.headers.get('content-encoding');
        const enter = large && (() => large.enter(url.host, signal));
        const text = body
          ? await boundedText(body as AsyncIterable<Buffer>, { maxBytes, from, signal, encoding, enter })
          : response.bodyAsText;
        return { ...response, request, ...(text === undefined ? {} : { bodyAsText: text }) };
      } catch (error) {
        // The library's own error does not say why it was aborted.
        throw signal.aborted && !request.abortSignal?.aborted ? signal.reason : error;
      } finally {
        clear();
      }
    },
  };
}

/** The library unpacks what it knows to be asked for packed, out of the reach of limits and aborts; so it does not know. */
function unpackedHere(request: PipelineRequest, abortSignal: AbortSignal): PipelineRequest {
  const headers = createHttpHeaders(request.headers.toJSON({ preserveCase: true }));
  headers.delete('accept-encoding');
  return {
    ...request,
    abortSignal,
    headers,
    streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]),
    requestOverrides: { ...request.requestOverrides, headers: { ...headers.toJSON({ preserveCase: true }), 'accept-encoding': 'gzip' } },
  };
}
