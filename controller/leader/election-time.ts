import { systemClock } from '../../engine/clock';

/** The two clocks of an election. Only `elapsed` decides anything: the wall clock may jump, and other machines have another one. */
export interface ElectionTime {
  /** Milliseconds since the epoch, for people who read the Lease. */
  now(): number;
  /** Milliseconds that never jump. */
  elapsed(): number;
  random(): number;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemElectionTime: ElectionTime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
};
