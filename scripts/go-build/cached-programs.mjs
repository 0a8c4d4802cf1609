// Programs that tests need, built with Go from modules whose sums are in git, into a cache outside of the repository.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { go } from './go.mjs';
import { lock } from './lock.mjs';

const FINGERPRINT_FILE = 'fingerprint';
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cdk8s-aso');

/** Exit status when the programs are not there: tests that need them are skipped. */
export const UNAVAILABLE = 3;

/**
 * @typedef Build
 * @property {string} name directory of the programs in the cache
 * @property {string} title what they are, for messages: `Kubernetes 1.34.4`
 * @property {string} module directory of the Go module
 * @property {{name: string, source: string, flags: string[]}[]} programs names, packages, and flags of the linker
 * @property {string[]} sources files of the module that decide what is built, besides go.mod and go.sum
 * @property {(line: string) => void} say writes a line for people
 */

/**
 * The command line of a script that prints the directory of the programs.
 * @param {Build} build
 * @param {string} command how it is called, for messages
 * @param {string} missing what there is not if the build fails
 * @returns the directory, or ends the process
 */
export async function programsDirectory(build, command, missing) {
  const { say, title } = build;
  const cached = join(cache, build.name);
  const fingerprint = fingerprintOf(build);
  const isCached = () => isThere(cached, fingerprint, build.programs);
  if (isCached()) return cached;
  if (buildsNothing(say)) exit(UNAVAILABLE, `${title} is not in ${cache}; build it with: ${command}`, say);
  mkdirSync(cache, { recursive: true });
  const unlock = await lock(`${cached}.lock`, say);
  try {
    // Another one may have built it while this one waited.
    if (!isCached()) await buildInto(cached, fingerprint, build);
  } catch (error) {
    exit(UNAVAILABLE, `${missing}: ${error.message}`, say);
  }
  unlock();
  return cached;
}

/** Whether the command line says `--cached`, the only flag that there is. */
export function buildsNothing(say) {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--cached');
  if (unknown !== undefined) exit(2, `${unknown}: the only flag is --cached, which builds nothing`, say);
  return args.includes('--cached');
}

/** Ends the process with a line that says why. */
export function exit(status, line, say) {
  say(line);
  process.exit(status);
}

/** Of all that decides what is built. */
function fingerprintOf({ module, programs, sources }) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', ...sources]) hash.update(readFileSync(join(module, file), 'utf8'));
  return hash.update(JSON.stringify(programs)).digest('hex');
}

function isThere(directory, fingerprint, programs) {
  const file = join(directory, FINGERPRINT_FILE);
  return existsSync(file) && readFileSync(file, 'utf8').trim() === fingerprint && programs.every(({ name }) => existsSync(join(directory, name)));
}

async function buildInto(directory, fingerprint, { name: cacheName, title, module, programs, say }) {
  const prefix = `building-${cacheName}-`;
  // Left by builders that were killed: no other builder of these programs runs now.
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith(prefix))) rmSync(join(cache, name), { recursive: true, force: true });
  const temporary = mkdtempSync(join(cache, prefix));
  const cleanUp = () => rmSync(temporary, { recursive: true, force: true });
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  await go(['version'], module);
  say(`${title} is not in the cache: building it with Go`);
  for (const { name, source, flags } of programs) {
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1000);
    let packages = 0;
    const progress = setInterval(() => say(`${name}: ${packages} packages compiled, ${seconds()} s`), 20_000);
    try {
      await go(['build', '-v', '-ldflags', ['-s', '-w', ...flags].join(' '), '-o', join(temporary, name), source], module, () => packages++);
    } finally {
      clearInterval(progress);
    }
    say(`${name} is built (${seconds()} s)`);
  }
  writeFileSync(join(temporary, FINGERPRINT_FILE), `${fingerprint}\n`);
  rmSync(directory, { recursive: true, force: true });
  renameSync(temporary, directory);
}
