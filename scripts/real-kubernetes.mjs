#!/usr/bin/env node
// Prints the directory that holds etcd, kube-apiserver and kube-controller-manager: KUBEBUILDER_ASSETS if it is set, else the cache, into
// which they are built once, with Go, from the modules of test/e2e/kubernetes-build (their sums are in git, so the build is verified).
//
//   node scripts/real-kubernetes.mjs            builds what the cache lacks (ten minutes or more)
//   node scripts/real-kubernetes.mjs --cached   builds nothing
//
// Exit status: 0 with the directory on the standard output; 3 when there are no such programs (a line on the standard error says why; tests
// that need them are skipped); 1 when KUBEBUILDER_ASSETS names a directory without them; 2 for a wrong command line.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const UNAVAILABLE = 3;
const say = (line) => process.stderr.write(`real-kubernetes: ${line}\n`);

function fail(status, line) {
  say(line);
  process.exit(status);
}

const MODULE = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'e2e', 'kubernetes-build');
const modules = readFileSync(join(MODULE, 'go.mod'), 'utf8');
const [, version, minor] = /k8s\.io\/kubernetes v(1\.(\d+)\.\S+)/.exec(modules) ?? fail(1, `${join(MODULE, 'go.mod')} does not require k8s.io/kubernetes`);

const component = 'k8s.io/component-base/version';
// `kubectl version` asks for these; without them the server calls itself v0.0.0-master.
const VERSION_FLAGS = [`-X ${component}.gitVersion=v${version}`, `-X ${component}.gitMajor=1`, `-X ${component}.gitMinor=${minor}`];
const PROGRAMS = [
  { name: 'etcd', source: 'go.etcd.io/etcd/server/v3', flags: [] },
  { name: 'kube-apiserver', source: 'k8s.io/kubernetes/cmd/kube-apiserver', flags: VERSION_FLAGS },
  { name: 'kube-controller-manager', source: 'k8s.io/kubernetes/cmd/kube-controller-manager', flags: VERSION_FLAGS },
];
// The published archive for KUBEBUILDER_ASSETS has no controller manager.
const NEEDED = ['etcd', 'kube-apiserver'];

/** Of all that decides what is built. */
const fingerprint = createHash('sha256')
  .update(modules)
  .update(readFileSync(join(MODULE, 'go.sum')))
  .update(JSON.stringify(PROGRAMS))
  .digest('hex');
const FINGERPRINT_FILE = 'fingerprint';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cdk8s-aso');
const cached = join(cache, `kubernetes-${version}`);

function isCached() {
  const file = join(cached, FINGERPRINT_FILE);
  return existsSync(file) && readFileSync(file, 'utf8').trim() === fingerprint && PROGRAMS.every(({ name }) => existsSync(join(cached, name)));
}

/** The only one that builds: others wait for it, and take over when it died. Answers what gives the lock back. */
async function lock() {
  const directory = `${cached}.lock`;
  const mine = `${directory}.${process.pid}`;
  const removed = [mine];
  const cleanUp = () => removed.forEach((path) => rmSync(path, { recursive: true, force: true }));
  process.once('exit', cleanUp);
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(mine, 'pid'), String(process.pid));
  for (let waiting = false; ; waiting = true) {
    // The lock is there with its owner's name in it, or not at all: no directory can be renamed to one that has something in it.
    if (renamed(mine, directory)) {
      removed.push(directory);
      return cleanUp;
    }
    const pid = ownerOf(directory);
    // Of several that find a dead one's lock, the first moves it away; its new name keeps the others from doing so with the first one's lock.
    const grave = `${directory}.dead-${pid}`;
    if (pid !== undefined && !isAlive(pid) && renamed(directory, grave)) {
      removed.push(grave);
      continue;
    }
    if (!waiting) say(`waiting for process ${pid ?? '?'}, which builds it (${directory})`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function renamed(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) return false;
    throw error;
  }
}

function ownerOf(directory) {
  try {
    return Number(readFileSync(join(directory, 'pid'), 'utf8'));
  } catch {
    return undefined; // given back in this moment
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs Go in the module's directory. Rejects with the last line that it said. */
function go(args, onPackage = () => {}) {
  return new Promise((resolve, reject) => {
    // No workspace or vendor directory around us may change what is built.
    const child = spawn('go', args, { cwd: MODULE, env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' }, stdio: ['ignore', 'ignore', 'pipe'] });
    const killChild = () => child.kill('SIGTERM');
    process.once('exit', killChild);
    let rest = '';
    let last = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        // `go build -v` names the packages that it compiles.
        if (/^[\w.\-/]+$/.test(line)) onPackage(line);
        else if (line.trim() && !line.startsWith('#')) last = line.trim();
      }
    });
    child.once('error', (error) => reject(error.code === 'ENOENT' ? new Error('Go is not installed (no go on the PATH)') : error));
    child.once('close', (code) => {
      process.removeListener('exit', killChild);
      if (code === 0) resolve();
      else reject(new Error(`go ${args[0]} failed: ${rest.trim() || last || `status ${code}`}`));
    });
  });
}

async function build() {
  // Left by builders that were killed: no other builder runs now.
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('building-'))) rmSync(join(cache, name), { recursive: true, force: true });
  const temporary = mkdtempSync(join(cache, 'building-'));
  const cleanUp = () => rmSync(temporary, { recursive: true, force: true });
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  await go(['version']);
  say(`Kubernetes ${version} is not in the cache: building it with Go`);
  for (const { name, source, flags } of PROGRAMS) {
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1000);
    let packages = 0;
    const progress = setInterval(() => say(`${name}: ${packages} packages compiled, ${seconds()} s`), 20_000);
    try {
      await go(['build', '-v', '-ldflags', ['-s', '-w', ...flags].join(' '), '-o', join(temporary, name), source], () => packages++);
    } finally {
      clearInterval(progress);
    }
    say(`${name} is built (${seconds()} s)`);
  }
  writeFileSync(join(temporary, FINGERPRINT_FILE), `${fingerprint}\n`);
  rmSync(cached, { recursive: true, force: true });
  renameSync(temporary, cached);
}

async function main() {
  const args = process.argv.slice(2);
  const onlyCached = args.includes('--cached');
  const unknown = args.find((arg) => arg !== '--cached');
  if (unknown !== undefined) fail(2, `${unknown}: the only flag is --cached, which builds nothing`);
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (assets) {
    const missing = NEEDED.filter((name) => !existsSync(join(assets, name)));
    if (missing.length > 0) fail(1, `KUBEBUILDER_ASSETS is ${assets}, but there is no ${missing.join(' and no ')} in it: name a directory with both, or unset it`);
    return assets;
  }
  if (isCached()) return cached;
  if (onlyCached) fail(UNAVAILABLE, `Kubernetes ${version} is not in ${cache}; build it with: node scripts/real-kubernetes.mjs`);
  mkdirSync(cache, { recursive: true });
  const unlock = await lock();
  try {
    // Another one may have built it while this one waited.
    if (!isCached()) await build();
  } catch (error) {
    fail(UNAVAILABLE, `no real Kubernetes: ${error.message}`);
  }
  unlock();
  return cached;
}

process.stdout.write(`${await main()}\n`);
