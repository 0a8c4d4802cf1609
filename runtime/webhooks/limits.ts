const MEBIBYTE = 1024 * 1024;

/** The limits of requests to the webhooks, in total and each. Any client that reaches the port can send requests. */
export interface WebhookLimits {
  /** Bytes of an AdmissionReview: an object and its predecessor. etcd takes objects up to 1.5 MiB; the API server bodies up to 3 MiB. */
  readonly admissionBytes: number;
  /** Bytes of a ConversionReview: the API server sends all objects of a list in one. */
  readonly conversionBytes: number;
  /** Bytes of all AdmissionReviews that are being received or answered. */
  readonly admissionBytesInFlight: number;
  /** The same for ConversionReviews. */
  readonly conversionBytesInFlight: number;
  /** Requests that are being worked on. */
  readonly requests: number;
  /**
   * Concurrent connections. A new one replaces the connection that has been idle or in its handshake for longest, then the one that has
   * been sending for longest.
   */
  readonly connections: number;
  /** Levels of nesting in a review. Calls of functions are in calls: deeper values would end in a stack overflow. */
  readonly depth: number;
  readonly handshakeTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** For a request to come in as a whole. The API server waits for 10 s by default, and for 30 s at most. */
  readonly requestTimeoutMs: number;
  /** For an answer to be read. */
  readonly responseTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** For the running requests when the server ends. The pod has 20 s, of which the reconciles take 8. */
  readonly closeTimeoutMs: number;
}

/** Where no limit of memory is known. That of the default pod. */
const DEFAULT_MEMORY = 512 * MEBIBYTE;

/**
 * The limits for a container with so much memory. A conversion is held twice, as the review and as its answer, and three eighths of the
 * memory are for that; admission takes a sixteenth.
 * @param memoryBytes default: the limit of the container, or 512 MiB where there is none
 */
export function webhookLimits(memoryBytes: number = constrainedMemory()): WebhookLimits {
  const memory = Math.max(memoryBytes, 128 * MEBIBYTE);
  const conversionBytes = Math.min(Math.floor(memory / 8), 256 * MEBIBYTE);
  return {
    admissionBytes: 7 * MEBIBYTE,
    conversionBytes,
    admissionBytesInFlight: Math.max(Math.floor(memory / 16), 14 * MEBIBYTE),
    conversionBytesInFlight: Math.floor(conversionBytes * 1.25),
    requests: 256,
    connections: 512,
    depth: 1_000,
    handshakeTimeoutMs: 5_000,
    headersTimeoutMs: 5_000,
    requestTimeoutMs: 15_000,
    responseTimeoutMs: 30_000,
    keepAliveTimeoutMs: 60_000,
    closeTimeoutMs: 5_000,
  };
}

function constrainedMemory(): number {
  // Without a control group: 0, or a number beyond all memory.
  const bytes = process.constrainedMemory() ?? 0;
  return bytes > 0 && bytes < 2 ** 40 ? bytes : DEFAULT_MEMORY;
}
