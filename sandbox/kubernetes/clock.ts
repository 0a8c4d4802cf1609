/** Time, injected: the controller's clock fits, and so does a simulation's. */
export interface SandboxClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after so many milliseconds; the answer cancels it. */
  schedule(milliseconds: number, callback: () => void): () => void;
}

export const wallClock: SandboxClock = {
  now: () => Date.now(),
  schedule: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
