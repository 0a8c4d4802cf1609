import { ApiError } from '../api-error';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** What the HTTP server writes. */
export type Answer = TextAnswer | StreamAnswer;

export interface TextAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | Iterable<string>;
}

/** A watch: lines as they come. */
export interface StreamAnswer {
  readonly contentType: string;
  /** Writes lines until the stop that it gives is called, or it calls `end` itself. */
  readonly start: (write: (line: string) => void, end: () => void) => () => void;
}

export const json = (value: unknown, code = 200, headers?: TextAnswer['headers'], contentType = 'application/json'): TextAnswer => ({
  code, contentType, body: `${JSON.stringify(value)}\n`, ...(headers && { headers }),
});

export const text = (body: string, code = 200): TextAnswer => ({ code, contentType: 'text/plain; charset=utf-8', body });

/** A refusal as its `Status`; anything else that was thrown is a fault of the server itself. */
export function refusal(error: unknown): TextAnswer {
  const known = error instanceof ApiError ? error : new ApiError(500, 'InternalError', `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`);
  const { retryAfterSeconds } = known.details ?? {};
  return json(known.status, known.code, retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) });
}

/** `299` is the code for a warning of no further kind. */
export const warningHeaders = (warnings: readonly string[]): TextAnswer['headers'] =>
  warnings.length > 0 ? { Warning: warnings.map((warning) => `299 - "${warning.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`) } : undefined;
