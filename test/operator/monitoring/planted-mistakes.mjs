// Loaded into the controller by a test: mistakes, leaks and slow work that certain texts and signals bring to light, as a bug would.
import { Worker } from 'node:worker_threads';

const { entries } = Object;
Object.entries = (value) => {
  if (value?.['planted-mistake'] !== undefined || value?.tags?.['planted-mistake'] !== undefined) throw new TypeError('planted');
  return entries(value);
};

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...more) {
  const text = JSON.stringify(message) ?? '';
  if (text.includes('planted-crash')) return void this.terminate();
  if (text.includes('planted-delay')) return void setTimeout(() => postMessage.call(this, message, ...more), 3_000);
  return postMessage.call(this, message, ...more);
};

const leaked = [];
process.on('SIGUSR2', () => leaked.push(Buffer.alloc(450 * 1024 * 1024, 1)));

// A second is so many seconds in the metrics of the work queue.
const scale = Number(process.env.PLANTED_CLOCK_SCALE ?? 1);
if (scale !== 1) {
  const now = performance.now.bind(performance);
  performance.now = () => now() * scale;
}
