import { refusedFunction } from './refused';

/** The clock of the thread: it stands at the claim's creation. */
export interface Clock {
  now: number;
}

/** Functions that would reach the network, wait, or compile foreign code. */
const REFUSED = [
  'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'WebSocket', 'EventSource', 'BroadcastChannel', 'MessageChannel', 'Worker',
  'Request', 'Response',
];

/** Makes the globals of the thread the same for each run: no network, no timers, no randomness, and a clock that stands. */
export function guardGlobals(clock: Clock, log: (line: string) => void): { readonly process: object; readonly console: object } {
  const replace = (target: object, name: PropertyKey, value: unknown) =>
    void Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  for (const name of REFUSED) if (name in globalThis) replace(globalThis, name, refusedFunction(name));
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) replace(globalThis, name, () => undefined);
  Reflect.deleteProperty(globalThis, 'WebAssembly');
  replace(Math, 'random', refusedFunction('Math.random'));
  replace(globalThis, 'crypto', {
    randomUUID: refusedFunction('crypto.randomUUID'),
    getRandomValues: refusedFunction('crypto.getRandomValues'),
  });
  replace(globalThis, 'performance', { now: () => 0, timeOrigin: 0, mark: () => undefined, measure: () => undefined });
  replace(globalThis, 'Date', standingDate(clock));
  guardFormats(clock, replace);
  const guarded = { process: standInProcess(log), console: standInConsole(log) };
  replace(globalThis, 'process', guarded.process);
  replace(globalThis, 'console', guarded.console);
  return guarded;
}

function standingDate(clock: Clock): DateConstructor {
  const guarded: DateConstructor = new Proxy(Date, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [clock.now] : args, newTarget === guarded ? target : newTarget) as Date,
    apply: (target) => new target(clock.now).toString(),
    get: (target, name) => (name === 'now' ? () => clock.now : Reflect.get(target, name) as unknown),
  });
  Object.defineProperty(Date.prototype, 'constructor', { value: guarded, writable: true, configurable: true });
  return guarded;
}

/** `format()` without a date takes the time of the machine. */
function guardFormats(clock: Clock, replace: (target: object, name: PropertyKey, value: unknown) => void): void {
  const { prototype } = Intl.DateTimeFormat;
  const { formatToParts } = prototype;
  const formatOf = Object.getOwnPropertyDescriptor(prototype, 'format')!.get as (this: Intl.DateTimeFormat) => (date?: Date | number) => string;
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const format = formatOf.call(this);
      return (date?: Date | number) => format(date ?? clock.now);
    },
  });
  replace(prototype, 'formatToParts', function parts(this: Intl.DateTimeFormat, date?: Date | number) {
    return formatToParts.call(this, date ?? clock.now);
  });
}

/** The parts of `process` that libraries read when they are loaded. */
function standInProcess(log: (line: string) => void): object {
  const write = (text: unknown) => {
    log(String(text));
    return true;
  };
  const stream = { write, isTTY: false, columns: 80, on: () => stream, once: () => stream, end: () => stream };
  const hrtime = Object.assign(() => [0, 0], { bigint: () => BigInt(0) });
  const process = {
    env: Object.freeze({}),
    argv: Object.freeze(['node']),
    argv0: 'node',
    execArgv: Object.freeze([]),
    execPath: '/usr/bin/node',
    platform: 'linux',
    arch: 'x64',
    // Libraries ask for features by these.
    version: globalThis.process.version,
    versions: globalThis.process.versions,
    release: { name: 'node' },
    pid: 1,
    title: 'compose',
    exitCode: undefined,
    stdout: stream,
    stderr: stream,
    nextTick: globalThis.process.nextTick.bind(globalThis.process),
    cwd: () => '/',
    umask: () => 0o22,
    uptime: () => 0,
    hrtime,
    memoryUsage: refusedFunction('process.memoryUsage'),
    cpuUsage: refusedFunction('process.cpuUsage'),
    emitWarning: (warning: unknown) => log(`warning: ${String(warning)}`),
    ...Object.fromEntries(['on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners', 'emit'].map((name) => [name, () => process])),
    ...Object.fromEntries(['exit', 'abort', 'kill', 'chdir', 'dlopen', 'binding'].map((name) => [name, refusedFunction(`process.${name}`)])),
  };
  return process;
}

function standInConsole(log: (line: string) => void): object {
  const line = (...values: unknown[]) => log(values.map(textOf).join(' '));
  const silent = () => undefined;
  const lines = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'assert'].map((name) => [name, name === 'assert' ? silent : line]);
  const others = ['group', 'groupCollapsed', 'groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'countReset', 'clear'].map((name) => [name, silent]);
  return Object.fromEntries([...lines, ...others]) as object;
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return '[a value that cannot be printed]';
  }
}
