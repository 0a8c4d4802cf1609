// Runs the commands of a step of the build, unless they would read and write what is there already.
//
//   node scripts/fresh.mjs STEP COMMAND...
//
// A step is fresh while its inputs, its outputs, the installed packages and the version of Node are those of its last successful run, whose
// hash is in .cache/steps. One process at a time runs a step; others wait for it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STEPS } from './fresh/steps.mjs';
import { lock } from './go-build/lock.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Every step depends on them. */
const COMMON = ['scripts/fresh.mjs', 'scripts/fresh', 'package.json', 'node_modules/.package-lock.json'];

const [name, ...commands] = process.argv.slice(2);
const say = (line) => process.stderr.write(`${name}: ${line}\n`);
const step = Object.hasOwn(STEPS, name ?? '') ? STEPS[name] : undefined;
if (step === undefined || commands.length === 0) {
  process.stderr.write(`usage: node scripts/fresh.mjs STEP COMMAND...\nSTEP is one of: ${Object.keys(STEPS).join(', ')}\n`);
  process.exit(2);
}

const stamp = join(ROOT, '.cache', 'steps', `${name}.stamp`);
if (!isFresh()) {
  mkdirSync(dirname(stamp), { recursive: true });
  const unlock = await lock(`${stamp}.lock`, say);
  // Another process may have run it while this one waited.
  if (!isFresh()) run();
  unlock();
}

function run() {
  rmSync(stamp, { force: true });
  for (const command of commands) {
    const { status, signal, error } = spawnSync(command, { cwd: ROOT, shell: true, stdio: 'inherit' });
    if (error) throw error;
    if (status !== 0) {
      say(`'${command}' ended with ${status ?? signal}`);
      process.exit(status ?? 1);
    }
  }
  writeFileSync(stamp, content());
}

function isFresh() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === content();
}

function content() {
  const { inputs, outputs, not = [] } = step;
  return [process.version, commands.join('\0'), digest([...COMMON, ...inputs], outputs), digest(outputs, not), ''].join('\n');
}

/** Of all files at some paths, but not of those at others. */
function digest(paths, not) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow).filter((file) => !not.some((other) => file === other || file.startsWith(`${other}/`)))) {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path))).update('\0');
  }
  return hash.digest('hex');
}

/** The path of a file, or of all files in a folder and its subfolders, sorted. */
function filesBelow(path) {
  const directory = join(ROOT, path);
  if (!existsSync(directory)) return [];
  try {
    return readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/')).sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
