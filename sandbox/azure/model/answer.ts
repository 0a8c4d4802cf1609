export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** How long Azure takes for this, in its own seconds. */
  readonly seconds?: number;
  /** Whether a resource was made that did not exist. */
  readonly created?: boolean;
  /** Called when the answer goes out. */
  readonly finish?: (() => void) | undefined;
}
