// Runs a conformance program whose COMMAND is scripts/accept-cli/cli.sh: all its command lines run in this process, one after the other.
// A process for each of hundreds of cases spends most of its time on its own start.
//
//   node scripts/accept-cli/serve.mjs PROGRAM ARG…
//
// `cli.sh accept-import …` imports an app and synthesizes it (import-app.mjs). The exit status is that of PROGRAM.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { trustAuthorities } from './authorities.mjs';
import { capture } from './capture.mjs';
import { importAndSynthesize } from './import-app.mjs';
import { runProgram } from './program.mjs';

const OWN_VARIABLES = process.env;
const room = mkdtempSync(join(tmpdir(), 'accept-cli-'));
let last = Promise.resolve();

const server = createServer((socket) => {
  createInterface({ input: socket }).once('line', (job) => {
    last = last.then(() => answer(job, socket));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const [program, ...args] = process.argv.slice(2);
  if (program === undefined) throw new Error('Usage: node scripts/accept-cli/serve.mjs PROGRAM ARG…');
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ACCEPT_PORT: String(port), ACCEPT_ROOM: room } });
  child.on('error', end(1));
  child.on('close', (status) => end(status ?? 1)());
});

function end(status) {
  return () => {
    rmSync(room, { recursive: true, force: true });
    process.exit(status);
  };
}

async function answer(job, socket) {
  // A path of another room is none of a client below this process.
  if (dirname(job) !== room) {
    socket.destroy();
    return;
  }
  const [directory = '.', ...args] = texts(join(job, 'command'));
  const environment = Object.fromEntries(texts(join(job, 'environment')).map((text) => {
    const equals = text.indexOf('=');
    return [text.slice(0, equals), text.slice(equals + 1)];
  }));
  process.chdir(directory);
  process.env = environment;
  trustAuthorities(environment.NODE_EXTRA_CA_CERTS);
  const { status, out, err } = await capture(() => run(args));
  process.env = OWN_VARIABLES;
  writeFileSync(join(job, 'out'), out);
  writeFileSync(join(job, 'err'), err);
  socket.end(`${status}\n`);
}

function run([command, ...args]) {
  return command === 'accept-import' ? importAndSynthesize(args) : runProgram([command, ...args]);
}

/** Of a file, each of them ended by a NUL. */
function texts(file) {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1);
}
