import { Session, type Profiler } from 'node:inspector';
import { isAbsolute, join, sep } from 'node:path';

/**
 * Counts what code does instead of the time that it takes: the count is the same on every machine, however busy it is. V8 counts the calls
 * of functions and the runs of blocks, such as the bodies of loops, of code that it compiles after the counting began. So a suite loads the
 * modules that it measures through `counted`.
 *
 * Native functions are no blocks. Those that read a text or a list at each call are counted by the length that they read; regular
 * expressions are not (test/controller/process/patterns.test.ts).
 */

const ROOT = join(__dirname, '..', '..') + sep;
const PACKAGES = join(ROOT, 'node_modules') + sep;
const TESTS = join(ROOT, 'test') + sep;

let session: Session | undefined;
/** Names of packages, and paths of files outside of the repository, whose work counts too. */
const packagesCounted = new Set<string>();
const filesCounted = new Set<string>();
const countedModules: Record<string, NodeJS.Module> = {};

afterAll(() => {
  session?.post('Profiler.stopPreciseCoverage');
  session?.disconnect();
});

/**
 * Loads a module and its imports anew, so that their work is counted until the end of the suite.
 *
 * @param file from the root of the repository, e.g. `engine/compare`; or the absolute path of a bundle
 * @param packages whose work counts too
 */
export function counted<Exports>(file: string, packages: readonly string[] = []): Exports {
  packages.forEach((name) => packagesCounted.add(name));
  const path = isAbsolute(file) ? file : join(ROOT, file);
  if (path === file) filesCounted.add(file);
  begin();
  const leave = enter();
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require(path) as Exports;
  } finally {
    leave();
  }
}

/** The blocks that a function runs, and the calls that it makes, all in all. */
export function workOf(act: () => unknown): number {
  take();
  const leave = enter();
  const restore = watchNatives();
  try {
    act();
  } finally {
    restore();
    leave();
  }
  return sum(take());
}

/** The same of a function that ends later. */
export async function asyncWorkOf(act: () => Promise<unknown>): Promise<number> {
  take();
  const leave = enter();
  const restore = watchNatives();
  try {
    await act();
  } finally {
    restore();
    leave();
  }
  return sum(take());
}

function sum(blocks: number): number {
  if (blocks === 0) throw new Error('nothing was counted: the code is not of a module that counted() has loaded');
  return blocks + nativeWork;
}

/** V8's counters have 32 bits: the square of a larger size could come out as anything. */
const LARGEST_SIZE = 60_000;

/** How many times as much work is done for four times the size: some 4 if the work grows with the size, some 16 if with its square. */
export function growth(size: number, act: (size: number) => unknown): number {
  checkSize(size);
  // Values that are made once and kept do not count.
  act(size);
  const work = workOf(() => act(size));
  return workOf(() => act(4 * size)) / work;
}

/** The same of a function that ends later. */
export async function asyncGrowth(size: number, act: (size: number) => Promise<unknown>): Promise<number> {
  checkSize(size);
  await act(size);
  const work = await asyncWorkOf(() => act(size));
  return (await asyncWorkOf(() => act(4 * size))) / work;
}

function checkSize(size: number): void {
  if (4 * size > LARGEST_SIZE) throw new Error(`${size} is too large a size: four times as much may be ${LARGEST_SIZE} at most`);
}

function begin(): void {
  if (session) return;
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** The counts since the last call. */
function take(): number {
  let found: readonly Profiler.ScriptCoverage[] | undefined;
  if (!session) throw new Error('no module was loaded with counted()');
  // The session answers at once, for it is one with the thread of its own.
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error;
    found = answer.result;
  });
  let work = 0;
  for (const { url, functions } of found ?? []) {
    if (isCounted(url.replace(/^file:\/\//, ''))) for (const { ranges } of functions) for (const { count } of ranges) work += count;
  }
  return work;
}

function isCounted(file: string): boolean {
  if (!file.startsWith(ROOT) || file.startsWith(TESTS)) return filesCounted.has(file);
  if (!file.startsWith(PACKAGES)) return true;
  return [...packagesCounted].some((name) => file.startsWith(join(PACKAGES, name) + sep));
}

/** Until the function is called that it gives, `require` finds the modules that are counted: some are loaded when they are first needed. */
function enter(): () => void {
  const before = takeModules();
  Object.assign(require.cache, countedModules);
  return () => {
    Object.assign(countedModules, takeModules());
    Object.assign(require.cache, before);
  };
}

/** Takes the modules whose work counts out of those that are loaded. */
function takeModules(): Record<string, NodeJS.Module> {
  const taken: Record<string, NodeJS.Module> = {};
  for (const [file, module] of Object.entries(require.cache)) {
    if (!module || !isCounted(file)) continue;
    taken[file] = module;
    delete require.cache[file];
  }
  return taken;
}

type Native = (this: never, ...args: never[]) => unknown;

let nativeWork = 0;

/** How much a call reads or makes. */
type Read = (self: Sized, result: unknown, args: readonly unknown[]) => number;
const READS: readonly (readonly [owner: object, names: readonly string[], read: Read])[] = [
  [Array.prototype, ['indexOf'], searched],
  // Near matches make it compare the whole wanted text at each place.
  [String.prototype, ['indexOf'], (self, found, args) => searched(self, found, args) * Math.max(1, String(args[0]).length)],
  [Array.prototype, ['includes', 'lastIndexOf', 'splice', 'unshift', 'sort', 'reverse'], ({ length }) => length],
  [String.prototype, ['includes', 'lastIndexOf', 'split', 'replace', 'replaceAll', 'toLowerCase', 'toUpperCase', 'trim', 'normalize'], ({ length }) => length],
  [Array.prototype, ['slice', 'concat', 'join', 'flat'], (_, result) => (result as Sized).length],
  [Object, ['keys', 'values', 'entries'], (_, result) => (result as Sized).length],
  [Object, ['fromEntries'], (_, result) => Object.getOwnPropertyNames(result).length],
  [JSON, ['stringify'], (_, result) => (result as Sized | undefined)?.length ?? 0],
  [JSON, ['parse'], (_, __, [text]) => String(text).length],
];

interface Sized {
  readonly length: number;
}

function searched({ length }: Sized, result: unknown, [, from]: readonly unknown[]): number {
  const end = (result as number) < 0 ? length : (result as number) + 1;
  return Math.max(1, end - (typeof from === 'number' ? from : 0));
}

function watchNatives(): () => void {
  nativeWork = 0;
  const restores = READS.flatMap(([owner, names, read]) => names.map((name) => {
    const before = Object.getOwnPropertyDescriptor(owner, name)!;
    const native = before.value as Native;
    const watched = function (this: Sized, ...args: never[]): unknown {
      const result = Reflect.apply(native, this, args);
      nativeWork += read(this, result, args);
      return result;
    };
    Object.defineProperty(owner, name, { ...before, value: watched });
    return () => Object.defineProperty(owner, name, before);
  }));
  return () => restores.forEach((restore) => restore());
}
