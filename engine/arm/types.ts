/** What a request is for: how many a resource costs, and when. */
export type RequestPurpose =
  /** Something has changed, or has not come to its end yet. */
  | 'reconcile'
  /** How a long-running operation is getting on. */
  | 'poll'
  /** Values for Secrets and ConfigMaps. */
  | 'export'
  /** A periodic look at one resource. */
  | 'sync'
  /** A look at many resources at once. */
  | 'drift-detection';

/** One request to Azure Resource Manager. */
export interface ArmRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** An ARM path (`/subscriptions/…`, joined to the cloud's endpoint) or an absolute URL (of an operation). */
  readonly url: string;
  /** Added as `api-version` unless the URL has one. */
  readonly apiVersion?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Whether the URL is one that an answer of Azure named: encoded already, and only for GET. Absolute URLs always are. */
  readonly isFromAnswer?: boolean;
  /** For metrics, where it is another one than that of the reconcile. */
  readonly purpose?: RequestPurpose;
}

/**
 * An answer, from Azure or from a server on the way to it. Its content is for `arm-reader.ts` to say, which trusts only what is plainly
 * Azure's: so the body has no name here.
 */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer as the client makes it and the reader opens it. */
export interface ArmResponse extends RawAnswer {
  /** The parsed body; undefined when there is none or it is no JSON (then `text` tells). */
  readonly body: unknown;
  readonly text: string;
}

/** Sends requests with one credential. Never retries, never throws for an HTTP status: that is the caller's business. Throws ArmError when there is no answer at all. */
export interface ArmClient {
  /** The subscription of the credential. */
  readonly subscriptionId: string;
  readonly endpoint: string;
  send(request: ArmRequest, signal?: AbortSignal): Promise<RawAnswer>;
}

export interface ArmErrorExtra {
  /** `x-ms-request-id` of the answer: what Azure support asks for. Changes with every try, so it belongs in logs and not in conditions. */
  readonly requestId?: string;
  /** True when the answer was no ARM error at all (no answer, or no JSON): then the HTTP status says nothing about the class. */
  readonly unstructured?: boolean;
}

/** Why Azure refused, as conditions show it (docs/spec/errors.md#arm-errors). */
export class ArmError extends Error {
  public constructor(
    /** Azure's code, or `UnknownError`. */
    public readonly code: string,
    message: string,
    /** HTTP status; undefined when there was no answer. */
    public readonly status?: number,
    public readonly target?: string,
    /** Azure's inner details, already one line of text. */
    public readonly details?: string,
    /** Seconds that Azure asks to wait. */
    public readonly retryAfterSeconds?: number,
    public readonly extra: ArmErrorExtra = {},
  ) {
    super(message);
    this.name = 'ArmError';
  }
}

export type RetryClass = 'fast' | 'slow' | 'verySlow';

/** What the classification makes of an ArmError (docs/spec/errors.md#classification). */
export interface Classification {
  readonly code: string;
  readonly message: string;
  readonly severity: 'Warning' | 'Error';
  /** Of a Warning. */
  readonly retry: RetryClass;
  /** Seconds that Azure asks to wait before the next try, where it said so. */
  readonly retryAfterSeconds?: number;
  /** Azure's inner details, already one line of text. */
  readonly details?: string;
}

/** A long-running operation, as it is remembered in the annotation `poller-resume-token`. Plain JSON. */
export interface OperationState {
  readonly style: 'azure-asyncoperation' | 'operation-location' | 'location' | 'body';
  readonly method: string;
  /** URL of the request that began it. */
  readonly originalUrl: string;
  /** Where the next poll goes: absolute, or an ARM path. */
  readonly pollUrl: string;
  readonly locationUrl?: string;
  readonly state: string;
}

export interface OperationRunning {
  readonly kind: 'running';
  readonly state: OperationState;
  readonly retryAfterSeconds?: number;
  /** Why this poll told nothing new (network, throttling, 5xx). The operation itself goes on; poll again. */
  readonly transient?: ArmError;
}

export interface OperationSucceeded {
  readonly kind: 'succeeded';
  /** What a POST answers in the end. Of a PUT, PATCH or DELETE the resource itself tells. */
  readonly result?: unknown;
}

export interface OperationFailed {
  readonly kind: 'failed';
  readonly error: ArmError;
}

export type OperationStep = OperationRunning | OperationSucceeded | OperationFailed;
