import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline';

/**
 * Maximum size of an unpacked answer in bytes. The largest of 4,400 recorded answers has 1.8 MB; Resource Graph, which has the largest
 * pages, limits them to 16 MB.
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/work-with-data
 */
export const LARGEST_BODY_BYTES = 17 * 1024 * 1024;

/** An answer is larger than any answer of Azure. */
export class BodyTooLargeError extends Error {
  public constructor(limitBytes: number) {
    super(`the answer has more than ${limitBytes} bytes, which no answer of Azure Resource Manager has: check the proxy on the way to it`);
    this.name = 'BodyTooLargeError';
  }
}

/**
 * Wraps a client so that it reads bodies itself and aborts those over the limit. `stop` ends the request without reading the rest of the
 * body.
 */
export function withBodyLimit(client: HttpClient, stop: (reason: unknown) => void, limitBytes = LARGEST_BODY_BYTES): HttpClient {
  return {
    sendRequest: async (request) => {
      request.streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY]);
      const response = await client.sendRequest(request);
      const { readableStreamBody: stream, ...rest } = response;
      if (!stream) return response;
      return { ...rest, bodyAsText: await textOf(stream, stop, limitBytes) };
    },
  };
}

async function textOf(
  stream: NonNullable<PipelineResponse['readableStreamBody']>,
  stop: (reason: unknown) => void,
  limitBytes: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > limitBytes) {
      const error = new BodyTooLargeError(limitBytes);
      stop(error);
      throw error;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
