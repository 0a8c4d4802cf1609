// Makes the library load lazily. jsii compiles `export * from './x'` to a require that runs at once; this turns every index of
// lib/ (the root, core, azure, each service) into getters that load a file when something of it is first asked for.
//
//   node scripts/lazy-root.mjs [DIRECTORY]      default: lib
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const lib = resolve(process.argv[2] ?? 'lib');
const require = createRequire(join(lib, 'index.js'));
const MARK = '// Loads what is asked for, when it is asked for (scripts/lazy-root.mjs).';

const ES_MODULE = 'Object.defineProperty(exports, "__esModule", { value: true });';
const STAR = /^__exportStar\(require\("(\.[^"]+)"\), exports\);$/;
const NAMESPACE = /^exports\.(\w+) = __importStar\(require\("(\.[^"]+)"\)\);$/;
const REQUIRED = /^(?:var|const) (\w+) = require\("(\.[^"]+)"\);$/;
const NAMED = /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\);$/;
const PREAMBLE = /^(Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);|exports\.[\w.= ]+ = void 0;|\/\/.*|)$/;

/** Name → the JavaScript that loads it. */
function exportsOf(file, code) {
  const statements = code.slice(code.indexOf(ES_MODULE)).split('\n'); // before it stand TypeScript's helpers
  const local = new Map();
  const found = new Map();
  const add = (name, load) => found.has(name) || name === '__esModule' || found.set(name, load);
  for (const statement of statements.map((line) => line.trim())) {
    let match;
    if ((match = STAR.exec(statement))) for (const name of Object.keys(require(join(file, '..', match[1])))) add(name, `require('${match[1]}').${name}`);
    else if ((match = NAMESPACE.exec(statement))) add(match[1], `require('${match[2]}')`);
    else if ((match = REQUIRED.exec(statement))) local.set(match[1], match[2]);
    else if ((match = NAMED.exec(statement))) add(match[1], `require('${local.get(match[2])}').${match[3]}`);
    else if (!PREAMBLE.test(statement)) throw new Error(`${file}: an index may only export from other files, but it has: ${statement}`);
  }
  return found;
}

function lazyIndex(found) {
  const names = [...found.keys()];
  return [
    '"use strict";',
    MARK,
    ES_MODULE,
    'const lazy = (name, load) => Object.defineProperty(exports, name, {',
    '  enumerable: true,',
    '  configurable: true,',
    '  get: () => {',
    '    const value = load();',
    '    Object.defineProperty(exports, name, { enumerable: true, configurable: true, value });',
    '    return value;',
    '  },',
    '});',
    ...[...found].map(([name, load]) => `lazy('${name}', () => ${load});`),
    '// Never runs: tells Node which names there are for `import { … } from`.',
    `0 && (module.exports = { ${names.join(', ')} });`,
    '',
  ].join('\n');
}

const services = join(lib, 'services');
const serviceNames = existsSync(services) ? readdirSync(services) : [];
const indexes = [...serviceNames.map((name) => join(services, name, 'index.js')), join(lib, 'azure', 'index.js'), join(lib, 'core', 'index.js'), join(lib, 'index.js')];

// All names are read before the first file changes: nothing depends on the order.
const rewritten = indexes
  .filter(existsSync)
  .map((file) => [file, readFileSync(file, 'utf8')])
  .filter(([, code]) => !code.includes(MARK))
  .map(([file, code]) => [file, lazyIndex(exportsOf(file, code))]);
for (const [file, code] of rewritten) writeFileSync(file, code);

// The map of generated code leads to sources that no package has; it makes the files twice as long to read.
for (const file of serviceNames.flatMap((name) => readdirSync(join(services, name)).filter((entry) => entry.endsWith('.js')).map((entry) => join(services, name, entry)))) {
  const code = readFileSync(file, 'utf8');
  const bare = code.replace(/\n\/\/# sourceMappingURL=data:[^\n]*\s*$/, '\n');
  if (bare !== code) writeFileSync(file, bare);
}
