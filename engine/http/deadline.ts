/** The end of something that may take only so long. */
export interface Deadline {
  /** Aborted at the deadline, or with the outer signal. */
  readonly signal: AbortSignal;
  /** Rejects at the same time, for libraries that ignore the signal (token requests do, at times). */
  readonly expired: Promise<never>;
  clear(): void;
}

/** The signals of the Azure libraries, too, which have no reason. */
interface OuterSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Begins now. By hand rather than AbortSignal.any, which keeps every signal alive as long as a process-wide one lives. */
export function startDeadline(ms: number, what: string, outer?: OuterSignal): Deadline {
  const controller = new AbortController();
  let reject: (reason: unknown) => void = () => undefined;
  const expired = new Promise<never>((_, no) => (reject = no));
  expired.catch(() => undefined);
  const timer = setTimeout(() => stop(new DeadlineError(what, ms)), ms);
  const stop = (reason: unknown) => {
    // Work that ignores its signal may never end, and so never clear this.
    clearTimeout(timer);
    controller.abort(reason);
    reject(controller.signal.reason);
  };
  const onOuter = () => stop(outer!.reason);
  outer?.addEventListener('abort', onOuter);
  if (outer?.aborted) onOuter();
  return {
    signal: controller.signal,
    expired,
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}

/** Something took longer than it may. */
export class DeadlineError extends Error {
  /** `what`: what has not come, e.g. `answer`. */
  public constructor(what: string, ms: number) {
    super(`no ${what} within ${ms / 1000} s`);
    this.name = 'DeadlineError';
  }
}
