/** One request to Azure Resource Manager. */
export interface ArmRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** An ARM path (`/subscriptions/…`, joined to the cloud's endpoint) or an absolute URL (of an operation). */
  readonly url: string;
  /** Added as `api-version` unless the URL has one. */
  readonly apiVersion?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface ArmResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined when there is none or it is no JSON (then `text` tells). */
  readonly body: unknown;
  readonly text: string;
}

/** Sends requests with one credential. Never retries, never throws for an HTTP status: that is the caller's business. Throws ArmError when there is no answer at all. */
export interface ArmClient {
  /** The subscription of the credential. */
  readonly subscriptionId: string;
  readonly endpoint: string;
  send(request: ArmRequest, signal?: AbortSignal): Promise<ArmResponse>;
}

/** Why Azure refused, as conditions show it (conditions.md 4.2). */
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
  ) {
    super(message);
    this.name = 'ArmError';
  }
}

export type RetryClass = 'fast' | 'slow' | 'verySlow';

/** What the classification makes of an ArmError (conditions.md 4.3). */
export interface Classification {
  readonly code: string;
  readonly message: string;
  readonly severity: 'Warning' | 'Error';
  /** Of a Warning. */
  readonly retry: RetryClass;
}

/** A long-running operation, as it is remembered in the annotation `poller-resume-token`. Plain JSON. */
export interface OperationState {
  readonly style: 'azure-asyncoperation' | 'operation-location' | 'location' | 'body';
  readonly method: string;
  /** URL of the request that began it. */
  readonly originalUrl: string;
  readonly pollUrl: string;
  readonly locationUrl?: string;
  readonly state: string;
}

export type OperationStep =
  | { readonly kind: 'running'; readonly state: OperationState; readonly retryAfterSeconds?: number }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly error: ArmError };
