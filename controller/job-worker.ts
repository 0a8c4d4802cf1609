import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { runJob } from '../engine/workers/jobs';
import type { JobRequest, WorkerMessage } from '../engine/workers/messages';

/** The program of a worker thread: does one job after the other, each synchronously. */

const answer = (message: WorkerMessage) => parentPort!.postMessage(message);

/** Whether cached data (environments of kinds) uses half of the memory, which a job needs. */
function isHalfFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > limit / 2;
}

parentPort!.on('message', ({ name, input }: JobRequest) => {
  try {
    const output = runJob(name, input);
    answer({ output, retire: isHalfFull() });
  } catch (error) {
    const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
    answer({ error: { name: kind, message }, retire: isHalfFull() });
  }
});
answer({ ready: true });
