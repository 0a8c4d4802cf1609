import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from './message-of';
import type { ComposeRun, JobPhase, ThreadData } from './render/jobs';
import { BufferMemory } from './render/thread/buffer-memory';
import type { Externals } from './render/thread/bundle';
import { GlobalState } from './render/thread/global-state';
import { guardGlobals, type Clock } from './render/thread/guarded-globals';
import { guardedRequire, guardModules } from './render/thread/guarded-modules';
import { BundleError, Jobs } from './render/thread/run-job';
import type { JobRequest, WorkerMessage } from '../engine/workers/messages';
import { WorkedTime } from '../engine/workers/worked-time';

/**
 * The program of the threads that run `compose`: for one bundle, one job after the other. Everything that could make the definition's code
 * give other objects at another time or place is taken out of the thread first. This is a guard for its authors, not a sandbox against
 * them: the definition is the platform's code, and only the claim is a tenant's.
 */

const MOST_LINES = 100;
const LONGEST_LINE = 1000;

const { bundleFile, modulesFrom = join(__dirname, '..', '..') } = workerData as ThreadData;
// The bundle may replace what it shares with this program.
const { setImmediate, process } = globalThis;
const { stringify } = JSON;
const packages = createRequire(join(modulesFrom, 'package.json'));
const builtins = createRequire(__filename);

const answer = (message: WorkerMessage) => parentPort!.postMessage(message);
const clock: Clock = { now: 0 };
const logs: string[] = [];
const log = (line: string) => {
  if (logs.length < MOST_LINES) logs.push(line.slice(0, LONGEST_LINE));
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const memory = new BufferMemory(() => process.memoryUsage().arrayBuffers, collect);
let state: GlobalState | undefined;
const jobs = prepared();

/** The message of a promise's rejection that nothing awaits. */
let rejected: string | undefined;
process.on('unhandledRejection', (reason) => (rejected ??= messageOf(reason)));

parentPort!.on('message', ({ name, input }: JobRequest) => {
  const { memoryMb = Infinity } = (input as { limits?: { memoryMb: number } }).limits ?? {};
  memory.begin(memoryMb * 2 ** 20);
  const worked = new WorkedTime();
  let output: unknown;
  let error: unknown;
  try {
    output = jobs().run(name, input);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  }
  // Promises that the bundle left go on first: a loop of theirs is this job's, not the next one's.
  setImmediate(() => {
    memory.end();
    const retire = isHalfFull() || !state?.restore();
    if (error) answer({ error: { name: (error as Error).name, message: messageOf(error) }, retire });
    else answer({ output: stringify(finalOutput(name, output, memoryMb, worked.milliseconds)), retire });
  });
});
answer({ ready: true });

function finalOutput(name: string, output: unknown, memoryMb: number, tookMs: number): unknown {
  const promise = rejected;
  rejected = undefined;
  if (name !== 'compose') return output;
  const { used, needs, ...result } = output as Omit<ComposeRun, 'tookMs'>;
  const run = (other: Pick<ComposeRun, 'problem' | 'rendered'>): ComposeRun => ({ ...other, used, tookMs });
  if (memory.isExceeded) {
    const message = `buffers took more than ${memoryMb} MiB, the limit of the definition (limits.memoryMb)`;
    return run({ problem: { reason: 'TooMuchMemory', message } });
  }
  if (needs) return { needs, used, tookMs };
  return run(promise === undefined ? result : { problem: { reason: 'ComposeFailed', message: `a promise that compose left was rejected: ${promise}` } });
}

/** Whether what earlier jobs left takes half of the memory, which a job needs. */
function isHalfFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > limit / 2;
}

/** Takes everything out of the thread that `compose` must not use. Called by each job, so that each says what is missing. */
function prepared(): () => Jobs {
  try {
    const externals = loadExternals();
    const roots = [`${sep}node_modules${sep}`, packages.resolve('cdk8s-aso/package.json').slice(0, -'package.json'.length)];
    guardModules(builtins, (path) => path === bundleFile || roots.some((root) => path.includes(root)));
    memory.guard();
    const given = guardGlobals(clock, log);
    const report = (phase: JobPhase) => answer({ phase });
    const globals = new GlobalState();
    state = globals;
    const variables = { require: guardedRequire(packages, given.process), ...given };
    const made = new Jobs(bundleFile, externals, variables, { clock, logs, report, globals });
    return () => made;
  } catch (error) {
    return () => {
      throw new BundleError(error);
    };
  }
}

/** The packages outside of the bundle, before the guards: they are no part of the definition. */
function loadExternals(): Externals {
  Error.stackTraceLimit = 50;
  const versionOf = (name: string) => (packages(`${name}/package.json`) as { readonly version: string }).version;
  const load = <Name extends 'cdk8s' | 'constructs'>(name: Name) => packages(name) as Externals[Name];
  packages('cdk8s-aso/platform-api');
  return {
    cdk8s: load('cdk8s'),
    constructs: load('constructs'),
    library: packages('cdk8s-aso') as Externals['library'],
    versions: { library: versionOf('cdk8s-aso'), cdk8s: versionOf('cdk8s'), constructs: versionOf('constructs') },
  };
}
