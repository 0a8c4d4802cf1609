import { ApiError, NO_SUCH_PATH } from '../api-error';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** The answer that the HTTP server writes. */
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
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, 'InternalError', `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`);
  if (known.message === NO_SUCH_PATH) return text(`${NO_SUCH_PATH}\n`, known.code);
  const { retryAfterSeconds } = known.details ?? {};
  return json(known.status, known.code, retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) });
}

/** An answer with warnings, before those that it has. `299` is the code for a warning of no further kind. */
export function warned<A extends Answer>(answer: A, warnings: readonly string[]): A {
  if (warnings.length === 0 || 'start' in answer) return answer;
  const known = [answer.headers?.Warning ?? []].flat();
  const added = warnings.map((warning) => `299 - "${warning.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`);
  return { ...answer, headers: { ...answer.headers, Warning: [...added, ...known] } };
}
