// Bundles the programs: lib/cli/main.js, lib/controller/main.js, lib/sandbox/main.js and the threads of lib/composer, ECMAScript modules for
// Node 20.20 and newer; and the page that the CLI serves, lib/page.
// Their libraries are inside, so the package has no run-time dependency; THIRD-PARTY-LICENSES.txt lists them with their licences, and
// sbom.cdx.json, in the package and beside each program, says which version of which library is in which.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { notices } from './bundled/notices.mjs';
import { bundledFiles, importsOf, packagesOf } from './bundled/packages.mjs';
import { bundlePage } from './bundled/page.mjs';
import { sbom } from './bundled/sbom.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `splitting`: what a command needs is read only when the command is used. `threads`: programs of worker threads, beside `main.js`. */
const programs = [
  { room: 'cli', executable: true, splitting: true, threads: [] },
  { room: 'controller', executable: true, splitting: true, threads: ['job-worker', 'supervisor-thread'] },
  { room: 'composer', executable: true, splitting: true, threads: ['compose-worker'] },
  { room: 'sandbox', executable: false, splitting: false, threads: [] },
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

/** Libraries of which the programs use a part: the files that take the place of their index. */
const libraryParts = Object.fromEntries(
  Object.entries({ 'undici': 'undici', '@opentelemetry/api': 'opentelemetry-api' })
    .map(([library, file]) => [library, join(root, 'scripts/bundled/libraries', `${file}.cjs`)]),
);

/** The helper by which `keepNames` gives each function its name, whenever the function is made. */
const NAME_HELPER = /([\w$]+=\((\w+),(\w+)\)=>)([\w$]+\(\2,"name",\{value:\3,configurable:!0\}\))/g;

/** Esbuild leaves them as they are in regular expressions. Where a file has one, Node keeps all of the file in two bytes a character. */
const NOT_LATIN = /[^\0-\xff]/g;

/** Changes each file that esbuild has written. */
function changeFiles(out, change) {
  for (const file of readdirSync(out).filter((name) => name.endsWith('.js'))) {
    const code = readFileSync(join(out, file), 'utf8');
    const changed = change(code);
    if (changed !== code) writeFileSync(join(out, file), changed);
  }
}

function escapeCharacters(out) {
  changeFiles(out, (code) => code.replace(NOT_LATIN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/**
 * Keeps the names of classes and functions that have a prototype. A reconciliation makes thousands of arrow functions, whose names no text
 * shows: naming them was 4 % of the controller's processor time.
 */
function nameClassesOnly(out) {
  let helpers = 0;
  changeFiles(out, (code) => code.replace(NAME_HELPER, (_, head, target, name, define) => {
    helpers += 1;
    return `${head}"prototype"in ${target}?${define}:${target}`;
  }));
  if (helpers !== 1) throw new Error(`bundle: ${out} has ${helpers} helpers for names, not one: look at what esbuild writes for keepNames`);
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
const bundles = [];
for (const { room, executable, splitting, threads } of programs) {
  const entries = ['main', ...threads].map((name) => join(root, room, `${name}.ts`)).filter((entry) => existsSync(entry));
  const out = join(root, 'lib', room);
  rmSync(out, { recursive: true, force: true });
  if (entries.length === 0) {
    console.error(`bundle: ${room}/main.ts is not there; left out`);
    continue;
  }
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: entries,
    outdir: out,
    entryNames: '[name]',
    chunkNames: 'chunk-[name]-[hash]',
    bundle: true,
    splitting,
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    minify: true,
    keepNames: true, // error and condition texts name classes (see nameClassesOnly)
    legalComments: 'none', // THIRD-PARTY-LICENSES.txt has them in full
    mainFields: ['module', 'main'],
    alias: libraryParts,
    banner: { js: banner },
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
    tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
  });
  nameClassesOnly(out);
  escapeCharacters(out);
  // The package is CommonJS; these folders are not.
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
  if (executable) writeBeginning(out, room === 'cli' ? packageName : `${packageName}-${room}`);
  const files = bundledFiles(metafile);
  const name = `${packageName}/lib/${room}`;
  const bundle = { name, files, packages: packagesOf(root, files), imports: importsOf(root, metafile, files) };
  writeFileSync(join(out, 'sbom.cdx.json'), sbom({ type: 'application', name, version, licence }, [bundle]));
  bundles.push(bundle);
}

// The page has no library; one would have to be in the lists, and its licence with it.
const pageMetafile = await bundlePage(join(root, 'lib/page'));
if (packagesOf(root, bundledFiles(pageMetafile)).length > 0) throw new Error('the page has a library: add it to the lists of bundled packages');
writeFileSync(join(root, 'sbom.cdx.json'), sbom({ type: 'library', name: packageName, version, licence }, bundles));
writeFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), notices(packagesOf(root, bundles.flatMap(({ files }) => files))));
