import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls a function before a signal ends the process; every step can be left at any point. Answers a function after which signals end the
 * process at once again.
 */
export function onInterrupt(say: () => void): () => void {
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      say();
      process.exit(128 + constants.signals[signal]);
    };
    process.once(signal, listener);
    return [signal, listener] as const;
  });
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
