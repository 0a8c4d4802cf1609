// An index that only exports from other files becomes getters that load a file when something of it is first asked for.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const MARK = '// Loads what is asked for, when it is asked for (scripts/lazy-root.mjs).';

const ES_MODULE = 'Object.defineProperty(exports, "__esModule", { value: true });';
const STAR = /^__exportStar\(require\("(\.[^"]+)"\), exports\);$/;
const NAMESPACE = /^exports\.(\w+) = __importStar\(require\("(\.[^"]+)"\)\);$/;
const REQUIRED = /^(?:var|const) (\w+) = require\("(\.[^"]+)"\);$/;
const NAMED = /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\);$/;
const PREAMBLE = /^(Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);|exports\.[\w.= ]+ = void 0;|\/\/.*|)$/;

/** The code of a lazy index that has the same exports as the compiled one. */
export function lazyIndex(file, code) {
  const found = exportsOf(file, code);
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
    `0 && (module.exports = { ${[...found.keys()].join(', ')} });`,
    '',
  ].join('\n');
}

/** Whether the code does nothing but export from other files. */
export function isIndex(code) {
  return statementsOf(code).every((statement) => [STAR, NAMESPACE, REQUIRED, NAMED, PREAMBLE].some((form) => form.test(statement)));
}

/** Without TypeScript's helpers, which stand before. */
const statementsOf = (code) => code.slice(code.indexOf(ES_MODULE)).split('\n').map((line) => line.trim());

/** Name → the JavaScript that loads it. */
function exportsOf(file, code) {
  const require = createRequire(file);
  const local = new Map();
  const found = new Map();
  const add = (name, load) => found.has(name) || name === '__esModule' || found.set(name, load);
  for (const statement of statementsOf(code)) {
    let match;
    if ((match = STAR.exec(statement))) for (const name of Object.keys(require(join(file, '..', match[1])))) add(name, `require('${match[1]}').${name}`);
    else if ((match = NAMESPACE.exec(statement))) add(match[1], `require('${match[2]}')`);
    else if ((match = REQUIRED.exec(statement))) local.set(match[1], match[2]);
    else if ((match = NAMED.exec(statement))) add(match[1], `require('${local.get(match[2])}').${match[3]}`);
    else if (!PREAMBLE.test(statement)) throw new Error(`${file}: an index may only export from other files, but it has: ${statement}`);
  }
  return found;
}
