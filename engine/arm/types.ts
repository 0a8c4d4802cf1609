/** Purpose of a request, by which metrics count the requests of a resource. */
export type RequestPurpose =
  /** The object has changed, or its last change has not finished. */
  | 'reconcile'
  /** A poll of a long-running operation. */
  | 'poll'
  /** Values for Secrets and ConfigMaps. */
  | 'export'
  /** A periodic read of one resource. */
  | 'sync'
  /** A read of many resources at once. */
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
  /** Whether the URL comes from an answer of Azure: encoded already, and only for GET. Absolute URLs always do. */
  readonly isFromAnswer?: boolean;
  /** For metrics, when it differs from the purpose of the reconcile. */
  readonly purpose?: RequestPurpose;
  /** Called just before the request is sent, after all waiting. An exception, or a rejection, rejects the request, which is not sent. */
  readonly beforeSending?: () => void | Promise<void>;
}

/**
 * An answer, from Azure or from a server in between. `arm-reader.ts` gives access to its content and trusts only what is certainly Azure's;
 * therefore this type does not declare the body.
 */
export interface RawAnswer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer as the client creates it and the reader opens it. */
export interface ArmResponse extends RawAnswer {
  /** The parsed body; undefined when it is absent or not JSON (then see `text`). */
  readonly body: unknown;
  readonly text: string;
}

/**
 * Sends requests with one credential. Never retries and never throws for an HTTP status; both are up to the caller. Throws ArmError when
 * there is no answer.
 */
export interface ArmClient {
  /** The subscription of the credential. */
  readonly subscriptionId: string;
  readonly endpoint: string;
  send(request: ArmRequest, signal?: AbortSignal): Promise<RawAnswer>;
}

export interface ArmErrorExtra {
  /**
   * `x-ms-request-id` of the answer, or its correlation id, which Azure support asks for. It changes with every try, so it belongs in logs
   * and events and not in conditions. Absent: Azure Resource Manager has not given the answer, or there is none.
   */
  readonly requestId?: string | undefined;
  /** True when there was no ARM error at all (no answer, or not JSON): the HTTP status then does not determine the class. */
  readonly unstructured?: boolean;
}

/** Azure's error in the form that conditions show (docs/spec/errors.md#arm-errors). */
export class ArmError extends Error {
  public constructor(
    /** Azure's code, or `UnknownError`. */
    public readonly code: string,
    message: string,
    /** HTTP status; undefined when there was no answer. */
    public readonly status?: number,
    public readonly target?: string,
    /** Azure's inner details in one line of text. */
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

/** The identity of a failed answer of Azure, for its support. */
export interface AnswerId {
  readonly code: string;
  readonly status?: number | undefined;
  /** `x-ms-request-id` */
  readonly requestId: string;
}

/** The classification of an ArmError (docs/spec/errors.md#classification). */
export interface Classification {
  readonly code: string;
  readonly message: string;
  readonly severity: 'Warning' | 'Error';
  /** Retry class of a Warning. */
  readonly retry: RetryClass;
  /** Seconds that Azure asks to wait before the next try; absent when it does not ask. */
  readonly retryAfterSeconds?: number;
  /** Azure's inner details in one line of text. */
  readonly details?: string;
  /** Of the answer, before any adjustment; absent when it has no request id. */
  readonly answer?: AnswerId;
}

/** A long-running operation as stored in the annotation `poller-resume-token`. Plain JSON. */
export interface OperationState {
  readonly style: 'azure-asyncoperation' | 'operation-location' | 'location' | 'body';
  readonly method: string;
  /** URL of the request that started it. */
  readonly originalUrl: string;
  /** URL of the next poll: absolute, or an ARM path. */
  readonly pollUrl: string;
  readonly locationUrl?: string;
  readonly state: string;
}

export interface OperationRunning {
  readonly kind: 'running';
  readonly state: OperationState;
  readonly retryAfterSeconds?: number;
  /** Error of a poll without a result (network, throttling, 5xx). The operation continues; poll again. */
  readonly transient?: ArmError;
}

export interface OperationSucceeded {
  readonly kind: 'succeeded';
  /**
   * The final answer to a POST. Of a PUT: the answer to the last poll, where that is of the resource or of the `Location`; absent: the
   * caller reads the resource itself.
   */
  readonly result?: unknown;
}

export interface OperationFailed {
  readonly kind: 'failed';
  readonly error: ArmError;
}

export type OperationStep = OperationRunning | OperationSucceeded | OperationFailed;
