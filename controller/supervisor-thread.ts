import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { SupervisorData } from './supervisor/messages';
import { runSupervisor } from './supervisor/run-supervisor';
import { createLogger } from '../runtime/log/log';

const data = workerData as SupervisorData;

/** Writes to standard error directly: other threads' streams pass through the main thread, which may hang. */
const output = {
  write(text: string | Uint8Array): boolean {
    try {
      writeSync(2, String(text));
    } catch {
      // A pipe that is full, or closed: no log is worth a Lease.
    }
    return true;
  },
};

await runSupervisor(data, parentPort!, createLogger({ verbosity: data.verbosity, json: data.json, output }));
