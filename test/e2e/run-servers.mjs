// Runs the programs of a test cluster, and outlives the tests only to end them: however its parent dies, its standard input ends.
//
// Usage: node run-servers.mjs DIRECTORY. A line of JSON on the standard input starts a program: {"name","program","args","env"}; its output goes to
// DIRECTORY/<name>.log. A line {"ended":name,"how":…} on the standard output tells of one that ended. At the end of the input all programs are
// killed and the directory is removed.
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const directory = process.argv[2];
const running = new Set();
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
process.stdout.on('error', () => {}); // nobody listens any more

function start({ name, program, args, env }) {
  const log = openSync(join(directory, `${name}.log`), 'a', 0o600);
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  running.add(child);
  child.once('error', (error) => {
    running.delete(child);
    send({ ended: name, how: error.message });
  });
  child.once('exit', (status, signal) => {
    running.delete(child);
    send({ ended: name, how: signal ?? `status ${status}` });
  });
}

// The terminal's Ctrl-C reaches us, too; the parent decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const input = createInterface({ input: process.stdin });
input.on('line', (line) => start(JSON.parse(line)));
input.on('close', async () => {
  await Promise.all([...running].map((child) => new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGKILL');
  })));
  rmSync(directory, { recursive: true, force: true });
});
