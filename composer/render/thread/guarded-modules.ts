import { builtinModules } from 'node:module';
import { refused, refusedFunction, refusedModule } from './refused';

/** Modules of Node that have no effect outside of the thread. */
const PURE = ['assert', 'assert/strict', 'buffer', 'events', 'path/posix', 'punycode', 'querystring', 'string_decoder', 'url', 'util', 'util/types'];

/** Members of `crypto` that differ from call to call. */
const RANDOM = /^(random|generate|getRandomValues|subtle|webcrypto|createDiffieHellman|createECDH|prng|rng|pseudoRandomBytes|secureHeapUsed)/;

/** Packages that the composer's image has; everything else is inside the bundle. */
const EXTERNAL = /^(cdk8s|constructs|cdk8s-aso)$|^cdk8s-aso\/[a-z0-9-]+$/;

/** The `require` of the bundle: packages of the image, and the modules of Node, of which the impure ones throw when they are used. */
export function guardedRequire(real: NodeJS.Require, process: object): (id: string) => unknown {
  const made = new Map<string, unknown>();
  return (id) => {
    if (EXTERNAL.test(id)) return real(id);
    const name = id.replace(/^node:/, '');
    if (!builtinModules.includes(name)) {
      throw new Error(`the bundle asks for '${id}', which is neither in it nor in the image: build it again with \`cdk8s-aso api build\``);
    }
    if (!made.has(name)) made.set(name, builtin(name, real, process));
    return made.get(name);
  };
}

function builtin(name: string, real: NodeJS.Require, process: object): unknown {
  if (PURE.includes(name)) return real(name);
  // Paths have to be the same on a desk with Windows.
  if (name === 'path') return real('path/posix');
  if (name === 'process') return process;
  if (name === 'crypto') return withoutRandomness(real(name) as object);
  return refusedModule(name, real(name) as object);
}

function withoutRandomness(crypto: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(crypto).map((key) =>
    [key, RANDOM.test(key) ? refusedFunction(`crypto.${key}`) : (crypto as Record<string, unknown>)[key]]));
}

/** Effects of packages of the image, such as `Include` of an address or `Helm`: the functions of Node that they would use. */
const EFFECTS: Readonly<Record<string, readonly string[]>> = {
  child_process: ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'],
  dgram: ['createSocket'],
  dns: ['lookup', 'resolve'],
  fs: ['appendFileSync', 'cpSync', 'createWriteStream', 'mkdirSync', 'mkdtempSync', 'rmSync', 'unlinkSync', 'writeFile', 'writeFileSync', 'writeSync'],
  http: ['request', 'get', 'createServer'],
  http2: ['connect', 'createServer'],
  https: ['request', 'get', 'createServer'],
  net: ['connect', 'createConnection', 'createServer'],
  tls: ['connect', 'createServer'],
};

/** Takes the functions with an effect out of Node's modules, for all code of the thread. Before anything copies them. */
export function guardModules(real: NodeJS.Require, isOwnFile: (path: string) => boolean): void {
  for (const [name, functions] of Object.entries(EFFECTS)) {
    const module = real(name) as Record<string, unknown>;
    for (const each of functions) module[each] = refusedFunction(`${name}.${each}`);
  }
  const fs = real('fs') as Record<string, unknown>;
  const readFileSync = fs.readFileSync as (...args: unknown[]) => unknown;
  fs.readFileSync = (...args: unknown[]) => {
    const [path] = args;
    if (typeof path === 'string' && isOwnFile(path)) return readFileSync(...args);
    return refused('fs.readFileSync', `it reads no files (${String(path)}): import the file, so that it is a part of the bundle`);
  };
}
