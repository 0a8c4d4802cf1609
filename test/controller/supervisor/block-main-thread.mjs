// Loaded into the controller by NODE_OPTIONS=--import: SIGUSR2 keeps its main thread busy for BLOCK_SECONDS.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    const end = performance.now() + Number(process.env.BLOCK_SECONDS) * 1000;
    while (performance.now() < end);
  });
}
