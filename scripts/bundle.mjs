// Bundles the programs: lib/cli/main.js, lib/controller/main.js, lib/composer/main.js and lib/sandbox/main.js, with their threads, ECMAScript
// modules for Node 20.20 and newer; what they share, lib/programs; and the page that the CLI serves, lib/page.
// Their libraries are inside, so the package has no run-time dependency; THIRD-PARTY-LICENSES.txt lists them with their licences, and
// sbom.cdx.json, in the package and beside each program, says which version of which library is in which.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { notices } from './bundled/notices.mjs';
import { bundledFiles, importsOf, outputsOf, packagesOf } from './bundled/packages.mjs';
import { bundlePage } from './bundled/page.mjs';
import { sbom } from './bundled/sbom.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The folder of `lib` with the code that several files of the programs use. */
const CHUNKS = 'programs';

/** `command`: the name by which users know a program that they run. `threads`: programs of worker threads, beside `main.js`. */
const programs = [
  { room: 'cli', command: 'cdk8s-aso', threads: [] },
  { room: 'controller', command: 'cdk8s-aso-controller', threads: ['job-worker', 'supervisor-thread'] },
  { room: 'composer', command: 'cdk8s-aso-composer', threads: ['compose-worker'] },
  { room: 'sandbox', threads: [] },
];

// Bundled CommonJS libraries ask for `require`, the catalog for `__dirname`; modules have neither.
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  "import { dirname as __dirnameOf } from 'node:path';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  'const __dirname = __dirnameOf(__filename);',
].join('\n');

/** The files that take the place of a library's index. */
const libraryFiles = {
  // Of these the programs use a part.
  'undici': join(root, 'scripts/bundled/libraries/undici.cjs'),
  '@opentelemetry/api': join(root, 'scripts/bundled/libraries/opentelemetry-api.cjs'),
  // The same code as ES modules, whose functions are called without a getter: `check` calls them for each value of a file.
  'yaml': join(root, 'node_modules/yaml/browser/dist/index.js'),
};

/** The helper by which `keepNames` gives each function its name, whenever the function is made. */
const NAME_HELPER = /([\w$]+=\((\w+),(\w+)\)=>)([\w$]+\(\2,"name",\{value:\3,configurable:!0\}\))/g;

/** Esbuild leaves them as they are in regular expressions. Where a file has one, Node keeps all of the file in two bytes a character. */
const NOT_LATIN = /[^\0-\xff]/g;

/** Changes each of the files that esbuild has written. */
function changeFiles(files, change) {
  for (const file of files) {
    const code = readFileSync(file, 'utf8');
    const changed = change(code);
    if (changed !== code) writeFileSync(file, changed);
  }
}

function escapeCharacters(files) {
  changeFiles(files, (code) => code.replace(NOT_LATIN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/**
 * Keeps the names of classes and functions that have a prototype. A reconciliation makes thousands of arrow functions, whose names no text
 * shows: naming them was 4 % of the controller's processor time.
 */
function nameClassesOnly(files) {
  let helpers = 0;
  changeFiles(files, (code) => code.replace(NAME_HELPER, (_, head, target, name, define) => {
    helpers += 1;
    return `${head}"prototype"in ${target}?${define}:${target}`;
  }));
  if (helpers !== 1) throw new Error(`bundle: the programs have ${helpers} helpers for names, not one: look at what esbuild writes for keepNames`);
}

/**
 * The file that is run: an older Node, which cannot even link the program, is told what is missing. The program itself is read afterwards.
 * @param command the name by which users know the program
 */
function writeBeginning(out, command) {
  const main = join(out, 'main.js');
  renameSync(main, join(out, 'program.js'));
  const [major, minor] = engines.node.match(/\d+/g);
  writeFileSync(main, `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  await import('./program.js');
} else {
  console.error('error: ${command} needs Node ${major}.${minor} or newer, and this is Node ' + process.versions.node + ': install one from https://nodejs.org, or by a version manager');
  process.exitCode = 2;
}
`);
  chmodSync(main, 0o755);
}

const { name: packageName, version, license: licence, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lib = join(root, 'lib');
for (const folder of [CHUNKS, ...programs.map(({ room }) => room)]) rmSync(join(lib, folder), { recursive: true, force: true });

// All programs in one build: what several of them use is in the package once. What a command needs is read when the command is used.
const { metafile } = await build({
  entryPoints: programs.flatMap(({ room, threads }) => ['main', ...threads].map((name) => join(root, room, `${name}.ts`))),
  outdir: lib,
  outbase: root,
  entryNames: '[dir]/[name]',
  chunkNames: `${CHUNKS}/[name]-[hash]`,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.20',
  minify: true,
  keepNames: true, // error and condition texts name classes (see nameClassesOnly)
  legalComments: 'none', // THIRD-PARTY-LICENSES.txt has them in full
  mainFields: ['module', 'main'],
  alias: libraryFiles,
  banner: { js: banner },
  metafile: true,
  logLevel: 'warning',
  absWorkingDir: root,
  tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
});
const written = Object.keys(metafile.outputs).map((file) => join(root, file));
nameClassesOnly(written);
escapeCharacters(written);
// The package is CommonJS; these folders are not.
for (const folder of [CHUNKS, ...programs.map(({ room }) => room)]) writeFileSync(join(lib, folder, 'package.json'), '{ "type": "module" }\n');

const bundles = programs.map(({ room, command, threads }) => {
  const out = join(lib, room);
  const outputs = outputsOf(metafile, ['main', ...threads].map((name) => `lib/${room}/${name}.js`));
  // For the image of a program, which has no chunk of another one.
  writeFileSync(join(out, 'chunks.txt'), outputs.filter((file) => file.startsWith(`lib/${CHUNKS}/`)).map((file) => `${basename(file)}\n`).sort().join(''));
  if (command !== undefined) writeBeginning(out, command);
  const files = bundledFiles(metafile, outputs);
  const name = `${packageName}/lib/${room}`;
  const bundle = { name, files, packages: packagesOf(root, files), imports: importsOf(root, metafile, files) };
  writeFileSync(join(out, 'sbom.cdx.json'), sbom({ type: 'application', name, version, licence }, [bundle]));
  return bundle;
});

// The page has no library; one would have to be in the lists, and its licence with it.
const pageMetafile = await bundlePage(join(root, 'lib/page'));
if (packagesOf(root, bundledFiles(pageMetafile, Object.keys(pageMetafile.outputs))).length > 0) throw new Error('the page has a library: add it to the lists of bundled packages');
writeFileSync(join(root, 'sbom.cdx.json'), sbom({ type: 'library', name: packageName, version, licence }, bundles));
writeFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), notices(packagesOf(root, bundles.flatMap(({ files }) => files))));
