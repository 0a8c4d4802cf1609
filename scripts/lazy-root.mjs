// Makes the library load lazily. jsii compiles `export * from './x'` and `import … from './x'` to a require that runs at once; this turns
// every index of lib/ into getters and every import into one that is carried out at its first use, and moves source maps out of the code. A
// `require` names the file.
//
//   node scripts/lazy-root.mjs [DIRECTORY]      default: lib
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { withExtensions } from './lazy/extensions.mjs';
import { lazyImports } from './lazy/imports.mjs';
import { isIndex, lazyIndex, MARK } from './lazy/index-file.mjs';
import { splitMap } from './lazy/source-map.mjs';

const lib = resolve(process.argv[2] ?? 'lib');
const rooms = ['assertions', 'azure', 'catalog', 'core', 'gitops', 'operator', 'patterns', 'platform', 'platform-api', 'platform-kinds', 'services'];

const services = join(lib, 'services');
const filesOf = (room) => readdirSync(room, { recursive: true }).filter((file) => file.endsWith('.js')).map((file) => join(room, file));
const files = [join(lib, 'index.js'), ...rooms.map((room) => join(lib, room)).filter(existsSync).flatMap(filesOf)];

/** The files to write for a compiled file: paths and texts. */
function lazyFile(file) {
  const compiled = readFileSync(file, 'utf8');
  if (compiled.includes(MARK)) return [];
  const { code, map } = splitMap(compiled);
  if (basename(file) === 'index.js' && (isOfPackage(file) || isIndex(code))) return [[file, withExtensions(file, lazyIndex(file, code))]];
  // A kind imports its base class, which it needs at once, and its children, which it may never need; the map of generated code leads to
  // sources that no package has.
  const isGenerated = file.startsWith(services + sep);
  const lazy = withExtensions(file, isGenerated && !code.includes('require("./') ? code : lazyImports(code));
  if (isGenerated || map === undefined) return lazy === compiled ? [] : [[file, lazy]];
  return [[file, `${lazy}//# sourceMappingURL=${basename(file)}.map\n`], [`${file}.map`, map]];
}

/** Whether what users import leads to this index: the root's, a room's, a service's. These must be lazy. */
function isOfPackage(file) {
  const folder = dirname(file);
  return [lib, services].includes(folder) || [lib, services].includes(dirname(folder));
}

// All files are read before the first one changes: nothing depends on the order.
for (const [file, text] of files.flatMap(lazyFile)) writeFileSync(file, text);
