// Loads TypeScript and ECMAScript modules with Node's own `require`: esbuild turns each file into CommonJS, without checking types.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, sep } = require('node:path');
const { mutated } = require('../mutant.cjs');
const { transformed, VERSION } = require('../transform.cjs');

const ROOT = join(__dirname, '..', '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'cdk8s-aso-modules');
const PACKAGES = join(ROOT, 'node_modules') + sep;
const CATALOG = join(ROOT, 'src', 'catalog', 'catalog.ts');
const TESTS = join(ROOT, 'test') + sep;

/** Transformed file → the file of its source map, as jest's formatter of stacks takes them. */
const sourceMaps = new Map();
const mapped = [];
let hooked = false;

/** From now on, `require` takes every module of the project. @param mapper jest's `moduleNameMapper` */
function hook(mapper) {
  if (hooked) return;
  hooked = true;
  mkdirSync(CACHE, { recursive: true });
  mapped.push(...mapper.map(([pattern, path]) => [new RegExp(pattern), path]));
  const { _extensions: extensions, _resolveFilename: resolveFilename } = Module;
  const { '.js': loadJs, '.json': loadJson, '.node': loadNode } = extensions;
  // Node looks for `./name` with each ending in this order, as jest does: a module before data of the same name.
  for (const extension of Object.keys(extensions)) delete extensions[extension];
  Object.assign(extensions, { '.js': undefined, '.ts': load, '.mts': load, '.mjs': load, '.json': loadJson, '.node': loadNode });
  extensions['.js'] = (module, file) => (isEcmaScript(dirname(file)) ? load : loadJs)(module, file);
  Module._resolveFilename = (request, parent, ...rest) => resolveFilename(ownName(request, parent), parent, ...rest);
}

function ownName(request, parent) {
  if (request.startsWith('.') || request.startsWith('/') || parent?.filename?.startsWith(PACKAGES)) return request;
  for (const [pattern, path] of mapped) {
    const match = pattern.exec(request);
    if (match !== null) return path.replace(/\$(\d)/g, (_, index) => match[index]);
  }
  return request;
}

function load(module, file) {
  const source = mutated(readFileSync(file, 'utf8'), file);
  const key = createHash('sha1').update(`${VERSION}\0${file}\0${source}`).digest('hex');
  const cached = join(CACHE, `${key}.js`);
  let code;
  try {
    code = readFileSync(cached, 'utf8');
  } catch {
    const result = transformed(source, file);
    code = result.code;
    write(`${cached}.map`, result.map);
    write(cached, code);
  }
  sourceMaps.set(file, `${cached}.map`);
  module._compile(code, file);
}

/** A second process that writes the same file at the same time writes the same. */
function write(file, text) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

const ecmaScript = new Map();
/** Whether a file `.js` of this directory is an ECMAScript module. */
function isEcmaScript(directory) {
  let known = ecmaScript.get(directory);
  if (known === undefined) {
    const file = join(directory, 'package.json');
    const up = dirname(directory);
    known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).type === 'module' : up !== directory && isEcmaScript(up);
    ecmaScript.set(directory, known);
  }
  return known;
}

/**
 * Forgets what belongs to the suite that has ended: the modules of the tests, which may register hooks or keep a state; and all modules if it
 * has added kinds to the catalog, where they stay for good.
 */
function forgetSuite() {
  if (require.cache[CATALOG]?.exports.Catalog.default().revision > 0) forgetProject();
  else forget((file) => file.startsWith(TESTS));
}

/** Forgets all modules of the project, for they may change before the next run. */
function forgetProject() {
  forget((file) => file.startsWith(ROOT) && !file.startsWith(PACKAGES));
}

function forget(isForgotten) {
  for (const file of Object.keys(require.cache)) if (isForgotten(file)) delete require.cache[file];
}

module.exports = { hook, forgetSuite, forgetProject, sourceMaps };
