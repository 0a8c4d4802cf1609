/** The messages between the pool and a worker thread. Values must support a structured clone. */

export interface JobRequest {
  readonly name: string;
  readonly input: unknown;
}

export type WorkerMessage =
  /** The thread has loaded its code. */
  | { readonly ready: true }
  /** The job's current activity, for the message when it is stopped. */
  | { readonly phase: string }
  | { readonly output: unknown; /** Whether the heap is half full: the thread accepts no other job. */ readonly retire: boolean }
  | { readonly error: { readonly name: string; readonly message: string }; readonly retire: boolean };
