import { parentPort } from 'node:worker_threads';

/** A program for tests of the pool: its jobs do what tenants' work does at its worst. */
parentPort!.on('message', ({ name, input }: { name: string; input: { ms?: number; text?: string } }) => {
  const answer = (output: unknown, retire = false) => parentPort!.postMessage({ output, retire });
  switch (name) {
    case 'echo':
      return answer(input);
    case 'sleep':
      return void setTimeout(() => answer(input.text), input.ms);
    case 'spin':
      for (;;);
    case 'fill':
      return fill();
    case 'retire':
      return answer(process.pid, true);
    case 'exit':
      return process.exit(1);
    case 'environment':
      return answer({ ...process.env });
    default:
      parentPort!.postMessage({ error: { name: 'TypeError', message: `no ${name}` }, retire: false });
  }
});
parentPort!.postMessage({ ready: true });

/** Takes memory until there is none. */
function fill(): never {
  const all: unknown[] = [];
  for (;;) all.push(new Array(1000).fill(all.length));
}
