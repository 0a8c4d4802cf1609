import { systemClock } from '../../engine/clock';

/** The two clocks of an election. Decisions use `elapsed` only: the wall clock may jump, and differs between machines. */
export interface ElectionTime {
  /** Milliseconds since the epoch, for people who read the Lease. */
  now(): number;
  /** Milliseconds of a monotonic clock. */
  elapsed(): number;
  random(): number;
  /** Resolves after the given milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemElectionTime: ElectionTime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
};
