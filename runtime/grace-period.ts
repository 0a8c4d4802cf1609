/** Time in milliseconds that aborted work has to end; after it, the process goes on without it. */
const AFTER_CUT_OFF = 1_000;

/** Work that ends by itself, or is aborted. */
export interface Ending {
  /** Begins nothing new, and resolves when the running work has ended. */
  drain(): Promise<unknown>;
  /** Aborts the running work. */
  cutOff(): Promise<void>;
}

/** Drains the work at most for the grace period in milliseconds, then aborts it; without a grace period it is aborted at once. */
export async function endInTime({ drain, cutOff }: Ending, gracePeriod: number): Promise<void> {
  const isDrained = gracePeriod > 0 && (await within(gracePeriod, drain()));
  if (!isDrained) await Promise.race([cutOff(), new Promise((resolve) => setTimeout(resolve, AFTER_CUT_OFF))]);
}

/** Whether the work ends in time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
