import type { Fault } from '../../sandbox/azure';
import type { BenchEnvironment } from '../shared/environment/environment';

/** Faults of Azure, injected in turns. */
const FAULTS: readonly Fault[] = [
  { status: 429, retryAfter: 2, times: 10 },
  { status: 500, times: 5 },
  { drop: true, times: 5 },
  { method: 'PUT', loseAnswer: true, times: 2 },
  { status: 503, times: 5 },
  { cut: true, times: 2 },
  { method: 'PUT', failOperation: true, times: 1 },
  { method: 'GET', status: 504, times: 5 },
];

const FAULT_INTERVAL = 7_000;
const RESTART_INTERVAL = 97_000;
const RESTART_TAKES = 4_000;
const COMPACTION_INTERVAL = 61_000;

/** Injects faults until it is stopped; returns the function that stops it. */
export function disturb(environment: BenchEnvironment, say: (line: string) => void): () => Promise<void> {
  let turn = 0;
  const timers = [
    setInterval(() => {
      environment.fault(FAULTS[turn % FAULTS.length]).catch((error: unknown) => say(`no fault could be made: ${String(error)}`));
      turn += 1;
    }, FAULT_INTERVAL),
    setInterval(() => {
      environment.cut(RESTART_TAKES);
    }, RESTART_INTERVAL),
    setInterval(() => {
      // Watches only fall behind the compacted revision if they have to reconnect.
      environment.cut(1_000);
      environment.compact();
    }, COMPACTION_INTERVAL),
  ];
  return async () => {
    timers.forEach((timer) => clearInterval(timer));
    await environment.fault();
  };
}
