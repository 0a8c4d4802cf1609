/** What goes between the pool and a worker thread. Values must survive a structured clone. */

export interface JobRequest {
  readonly name: string;
  readonly input: unknown;
}

export type WorkerMessage =
  /** The thread has loaded its code. */
  | { readonly ready: true }
  | { readonly output: unknown; /** Its heap is half full: it takes no other job. */ readonly retire: boolean }
  | { readonly error: { readonly name: string; readonly message: string }; readonly retire: boolean };
