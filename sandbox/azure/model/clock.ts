/** Time, injected: a test brings its own. The system's clock and the controller's fit. */
export interface SandboxClock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: SandboxClock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => void setTimeout(resolve, milliseconds)),
};
