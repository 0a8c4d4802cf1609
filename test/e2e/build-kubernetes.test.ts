import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '../setup/until';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'real-kubernetes.mjs');
const PROGRAMS = ['etcd', 'kube-apiserver', 'kube-controller-manager'];

let directory: string;
let cache: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'build-kubernetes-'));
  cache = join(directory, 'cache');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A stand-in for Go that notes each call, and writes the file that it is told to. */
function fakeGo(more = ''): string {
  const bin = join(directory, 'bin');
  mkdirSync(bin, { recursive: true });
  const file = join(bin, 'go');
  writeFileSync(file, `#!/bin/sh
echo "$@" >> '${directory}/calls'
${more}
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo program > "$2"; shift; done
`);
  chmodSync(file, 0o755);
  return `${bin}:/bin:/usr/bin`;
}
const builds = () => readFileSync(join(directory, 'calls'), 'utf8').split('\n').filter((line) => line.startsWith('build '));

interface Result { readonly status: number; readonly out: string; readonly err: string }

const run = (args: string[] = [], environment: Record<string, string> = {}) => new Promise<Result>((resolve) => {
  const env = { ...environment, PATH: environment.PATH ?? fakeGo(), XDG_CACHE_HOME: cache };
  execFile(process.execPath, [SCRIPT, ...args], { env }, (error, out, err) => {
    resolve({ status: Number(error?.code ?? 0), out: out.trim(), err: err.trim() });
  });
});

test('builds what the cache lacks, once', async () => {
  const { status, out } = await run();
  expect([status, dirname(out)]).toEqual([0, join(cache, 'cdk8s-aso')]);
  expect(readdirSync(out).sort()).toEqual([...PROGRAMS, 'fingerprint'].sort());
  expect(builds()).toHaveLength(3);
  expect(builds()[1]).toMatch(
    /-ldflags -s -w -X k8s\.io\/component-base\/version\.gitVersion=v1\.\d+\.\d+ .*k8s\.io\/kubernetes\/cmd\/kube-apiserver$/,
  );
  expect(await run()).toEqual({ status: 0, out, err: '' });
  expect(await run(['--cached'])).toEqual({ status: 0, out, err: '' });
  expect(builds()).toHaveLength(3);
  expect(readdirSync(join(cache, 'cdk8s-aso'))).toHaveLength(1);
});

test('builds again when what is built has changed', async () => {
  const { out } = await run();
  writeFileSync(join(out, 'fingerprint'), 'another\n');
  expect((await run(['--cached'])).status).toBe(3);
  expect((await run()).status).toBe(0);
  expect(builds()).toHaveLength(6);
});

test('two at a time: one builds, the other waits for it', async () => {
  const path = fakeGo('sleep 0.5');
  const both = await Promise.all([run([], { PATH: path }), run([], { PATH: path })]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  expect(both[0].out).toBe(both[1].out);
  expect(builds()).toHaveLength(3);
  expect(readdirSync(join(cache, 'cdk8s-aso'))).toHaveLength(1);
});

test('takes over from a builder that was killed', async () => {
  const child = spawn(process.execPath, [SCRIPT], { env: { PATH: fakeGo('sleep 0.3'), XDG_CACHE_HOME: cache }, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until('it builds', () => existsSync(join(directory, 'calls')) && builds().length > 0);
  child.kill('SIGKILL');
  await ended;
  expect((await run(['--cached'])).status).toBe(3);
  const { status, out } = await run();
  expect(status).toBe(0);
  expect(readdirSync(out).sort()).toEqual([...PROGRAMS, 'fingerprint'].sort());
  expect(readdirSync(join(cache, 'cdk8s-aso'))).toHaveLength(1);
});

describe('one line says why there is none', () => {
  test.each<[string, string[], () => Record<string, string>, number, RegExp]>([
    [
      'nothing is built',
      ['--cached'],
      () => ({}),
      3,
      /^real-kubernetes: Kubernetes 1\.\S+ is not in .*; build it with: node scripts\/real-kubernetes\.mjs$/,
    ],
    ['there is no Go', [], () => ({ PATH: directory }), 3, /^real-kubernetes: no real Kubernetes: Go is not installed/],
    [
      'the build fails',
      [],
      () => ({ PATH: fakeGo('[ "$1" = build ] && echo "cannot reach the proxy" >&2 && exit 1') }),
      3,
      /no real Kubernetes: go build failed: cannot reach the proxy$/,
    ],
    [
      'the directory that is given has none',
      [],
      () => ({ KUBEBUILDER_ASSETS: directory }),
      1,
      /^real-kubernetes: KUBEBUILDER_ASSETS is .*, but there is no etcd and no kube-apiserver in it/,
    ],
    ['the flag is none', ['--build'], () => ({}), 2, /^real-kubernetes: --build: the only flag is --cached/],
  ])('%s', async (_, args, environment, status, line) => {
    const result = await run(args, environment());
    expect([result.status, result.out]).toEqual([status, '']);
    expect(result.err.split('\n').at(-1)).toMatch(line);
    expect(existsSync(join(cache, 'cdk8s-aso')) ? readdirSync(join(cache, 'cdk8s-aso')) : []).toEqual([]);
  });
});

test('the directory that is given counts more than the cache', async () => {
  const assets = join(directory, 'assets');
  mkdirSync(assets);
  for (const name of ['etcd', 'kube-apiserver']) writeFileSync(join(assets, name), '');
  expect(await run(['--cached'], { KUBEBUILDER_ASSETS: assets })).toEqual({ status: 0, out: assets, err: '' });
});

test('the servers of a test end when the test is killed, and their directory goes', async () => {
  const servers = join(directory, 'servers');
  mkdirSync(servers);
  const start = JSON.stringify({ name: 'one', program: '/bin/sh', args: ['-c', `echo $$ > '${directory}/pid'; exec sleep 600`] });
  const parent = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [${JSON.stringify(join(__dirname, 'run-servers.mjs'))}, ${JSON.stringify(servers)}], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.write(${JSON.stringify(`${start}\n`)});
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', parent], { stdio: 'ignore' });
  const pid = () => Number(existsSync(join(directory, 'pid')) && readFileSync(join(directory, 'pid'), 'utf8'));
  await until('it runs', () => pid() > 0);
  child.kill('SIGKILL');
  await until('it ends', () => !existsSync(`/proc/${pid()}`));
  await until('the directory goes', () => !existsSync(servers));
});
