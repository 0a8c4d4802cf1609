// Makes the library load lazily. jsii compiles `export * from './x'` and `import … from './x'` to a require that runs at once; this turns
// every index of lib/ into getters and every import into one that is carried out at its first use, and takes the source maps out of the code. A
// `require` names the file.
//
//   node scripts/lazy-root.mjs [DIRECTORY]      default: lib
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { withExtensions } from './lazy/extensions.mjs';
import { lazyImports } from './lazy/imports.mjs';
import { isIndex, lazyIndex, MARK } from './lazy/index-file.mjs';

const lib = resolve(process.argv[2] ?? 'lib');
const rooms = ['assertions', 'azure', 'catalog', 'core', 'gitops', 'operator', 'patterns', 'platform', 'platform-api', 'platform-kinds', 'services'];

/** jsii puts the map to the sources into each file, which makes the file twice as long. The code is readable as it is. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;[^\n]+\s*$/;

const services = join(lib, 'services');
const filesOf = (room) => readdirSync(room, { recursive: true }).filter((file) => file.endsWith('.js')).map((file) => join(room, file));
const files = [join(lib, 'index.js'), ...rooms.map((room) => join(lib, room)).filter(existsSync).flatMap(filesOf)];

/** The text that takes the place of a compiled file. */
function lazyFile(file, compiled) {
  const code = compiled.replace(SOURCE_MAP, '\n');
  if (basename(file) === 'index.js' && (isOfPackage(file) || isIndex(code))) return withExtensions(file, lazyIndex(file, code));
  // A kind imports its base class, which it needs at once, and its children, which it may never need.
  const isGenerated = file.startsWith(services + sep);
  return withExtensions(file, isGenerated && !code.includes('require("./') ? code : lazyImports(code));
}

/** Whether what users import leads to this index: the root's, a room's, a service's. These must be lazy. */
function isOfPackage(file) {
  const folder = dirname(file);
  return [lib, services].includes(folder) || [lib, services].includes(dirname(folder));
}

// All files are read before the first one changes: nothing depends on the order.
const compiledFiles = files.map((file) => [file, readFileSync(file, 'utf8')]).filter(([, compiled]) => !compiled.includes(MARK));
for (const [file, text, compiled] of compiledFiles.map(([file, compiled]) => [file, lazyFile(file, compiled), compiled])) {
  if (text !== compiled) writeFileSync(file, text);
}
