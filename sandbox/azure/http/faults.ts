import { isRecord } from '../../../src/util/records';

/** The fault. Exactly one of `status`, `drop`, `hang`, `loseAnswer`, `failOperation`, `garble`, `cut`. */
export interface Fault {
  /** Only requests of this method. */
  readonly method?: string;
  /** Only paths that contain this text, whatever its case. */
  readonly path?: string;
  /** How many requests it hits; 1 by default. */
  readonly times?: number;
  /** So many matching requests go well before it. */
  readonly after?: number;
  /** Answers this HTTP status, with `code` and `message`, and `retryAfter` seconds where given. The request has no effect. */
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly retryAfter?: number;
  /** With `status`: the body, as it is, in the place of the error. */
  readonly text?: string;
  /** With `status`: more headers, e.g. the `Location` of a redirect. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * With `status` and `text`: a proxy answers, not Azure: without Azure's request ids and limits, and as `text/html` unless `headers` say
   * otherwise.
   */
  readonly byProxy?: true;
  /** Closes the connection without an answer. The request has no effect. */
  readonly drop?: true;
  /** Never answers. The request has no effect. */
  readonly hang?: true;
  /** Carries the request out and closes the connection without an answer. */
  readonly loseAnswer?: true;
  /** The long-running operation that the request begins ends in failure, with `code` and `message`. */
  readonly failOperation?: true;
  /** Carries the request out and answers this text in the place of the body, with the status and headers of the answer. */
  readonly garble?: string;
  /** Carries the request out and closes the connection in the middle of the answer's body. */
  readonly cut?: true;
}

const EFFECTS = ['status', 'drop', 'hang', 'loseAnswer', 'failOperation', 'garble', 'cut'] as const;

const CODES: Record<number, [code: string, message: string]> = {
  408: ['RequestTimeout', 'The request timed out.'],
  429: ['TooManyRequests', 'The request is being throttled as the limit has been reached for operation type.'],
  500: ['InternalServerError', 'The server encountered an internal error. Please retry.'],
  502: ['BadGateway', 'Bad gateway.'],
  503: ['ServiceUnavailable', 'The service is unavailable.'],
  504: ['GatewayTimeout', 'The gateway did not receive a response within the specified time period.'],
};

/** The error in a fault that a client has sent, or undefined. */
export function invalidFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'a fault is a JSON object';
  const fault = value as Record<string, unknown>;
  const effects = EFFECTS.filter((effect) => fault[effect] !== undefined);
  if (effects.length !== 1) return `a fault has exactly one of ${EFFECTS.join(', ')}; this one has ${effects.join(', ') || 'none'}`;
  if (
    fault.status !== undefined
    && !(Number.isInteger(fault.status) && (fault.status as number) >= 200 && (fault.status as number) < 600)
  ) {
    return 'status is an HTTP status';
  }
  for (const count of ['times', 'after', 'retryAfter'] as const) {
    if (fault[count] !== undefined && !(Number.isInteger(fault[count]) && (fault[count] as number) >= 0)) {
      return `${count} is a whole number`;
    }
  }
  for (const text of ['method', 'path', 'code', 'message', 'text', 'garble'] as const) {
    if (fault[text] !== undefined && typeof fault[text] !== 'string') return `${text} is a text`;
  }
  if (fault.byProxy !== undefined && (fault.byProxy !== true || fault.status === undefined || fault.text === undefined)) {
    return 'byProxy is true, and goes with status and text';
  }
  if (fault.headers !== undefined && !isTexts(fault.headers)) return 'headers are texts by their names';
  return undefined;
}

function isTexts(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}

export function textOf(fault: Fault): { code: string; message: string } {
  const [code, message] = CODES[fault.status ?? 0] ?? ['InternalServerError', 'The operation failed.'];
  return { code: fault.code ?? code, message: fault.message ?? message };
}

/** Faults on demand: added in the process, or by `POST /__faults`. */
export class Faults {
  private pending: { fault: Fault; before: number; left: number }[] = [];

  /** Answers a function that takes the fault away again. */
  public add(fault: Fault): () => void {
    const wrong = invalidFault(fault);
    if (wrong) throw new Error(`invalid fault: ${wrong}`);
    const added = { fault, before: fault.after ?? 0, left: fault.times ?? 1 };
    this.pending.push(added);
    return () => (this.pending = this.pending.filter((entry) => entry !== added));
  }

  public clear(): void {
    this.pending = [];
  }

  /** Faults that have not hit as often as they should. */
  public list(): Fault[] {
    return this.pending.map(({ fault, before, left }) => ({ ...fault, after: before, times: left }));
  }

  /** The fault that hits this request, counted down. */
  public take(method: string, path: string): Fault | undefined {
    const lower = path.toLowerCase();
    for (const entry of this.pending) {
      const { fault } = entry;
      if (fault.method !== undefined && fault.method.toUpperCase() !== method) continue;
      if (fault.path !== undefined && !lower.includes(fault.path.toLowerCase())) continue;
      if (entry.before > 0) {
        entry.before -= 1;
        continue;
      }
      entry.left -= 1;
      if (entry.left <= 0) this.pending = this.pending.filter((other) => other !== entry);
      return fault;
    }
    return undefined;
  }
}
