// Bundles the programs: lib/cli/main.js, lib/controller/main.js, lib/sandbox/main.js, ECMAScript modules for Node 20.20 and newer.
// Their libraries are inside, so the package has no run-time dependency; THIRD-PARTY-LICENSES.txt lists them with their licences.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `splitting`: what a command needs is read only when the command is used. `threads`: programs of worker threads, beside `main.js`. */
const programs = [
  { room: 'cli', executable: true, splitting: true, threads: [] },
  { room: 'controller', executable: true, splitting: true, threads: ['job-worker', 'supervisor-thread'] },
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

const inputs = new Set();
for (const { room, executable, splitting, threads } of programs) {
  const entry = join(root, room, 'main.ts');
  const out = join(root, 'lib', room);
  rmSync(out, { recursive: true, force: true });
  if (!existsSync(entry)) {
    console.error(`bundle: ${room}/main.ts is not there; left out`);
    continue;
  }
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: [entry, ...threads.map((name) => join(root, room, `${name}.ts`))],
    outdir: out,
    entryNames: '[name]',
    chunkNames: 'chunk-[name]-[hash]',
    bundle: true,
    splitting,
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    minify: true,
    keepNames: true, // error and condition texts name classes
    legalComments: 'none', // THIRD-PARTY-LICENSES.txt has them in full
    mainFields: ['module', 'main'],
    banner: { js: banner },
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
    tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
  });
  // The package is CommonJS; these folders are not.
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
  const main = join(out, 'main.js');
  if (executable) {
    const code = readFileSync(main, 'utf8');
    if (!code.startsWith('#!')) writeFileSync(main, `#!/usr/bin/env node\n${code}`);
    chmodSync(main, 0o755);
  }
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) if (bytesInOutput > 0) inputs.add(input);
  }
}
writeFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), licences(packagesOf(inputs)));

/** What packages contain that their own licence does not speak of. */
function contentsOf(name) {
  if (name !== '@hpcc-js/wasm-graphviz') return undefined;
  return [
    'This package is a wrapper under the licence above around Graphviz, compiled to WebAssembly by the authors of the wrapper.',
    'Graphviz is licensed under the Eclipse Public License (EPL); its text is the file LICENSE of the release. The source code of Graphviz is',
    'available under that licence at https://gitlab.com/graphviz/graphviz, that of the wrapper and its build at',
    'https://github.com/hpcc-systems/hpcc-js-wasm. Graphviz contains or is linked with Expat (MIT), https://github.com/libexpat/libexpat.',
    'On behalf of all contributors to Graphviz, all warranties and conditions are disclaimed, and all liability is excluded.',
  ].join('\n');
}

/** The folders of the packages that files came from. */
function packagesOf(files) {
  const folders = new Set();
  for (const file of files) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (match) folders.add(match[1]);
  }
  return [...folders];
}

function licences(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license, author, repository } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
    const text = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n');
    if (!license && !text) throw new Error(`${folder} is bundled but has no licence`);
    const by = typeof author === 'string' ? author : author?.name;
    const fallback = [`Licensed under ${license}.`, by && `Copyright ${by}`, typeof repository === 'string' ? repository : repository?.url].filter(Boolean).join('\n');
    return { title: `${name} ${version}${license ? ` (${typeof license === 'string' ? license : license.type})` : ''}`, text: [text || fallback, contentsOf(name)].filter(Boolean).join('\n\n') };
  });
  texts.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  const unique = texts.filter((entry, index) => entry.title !== texts[index - 1]?.title);
  const head = 'The programs in lib/cli, lib/controller and lib/sandbox contain these packages.\n';
  return [head, ...unique.map(({ title, text }) => `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`)].join('\n');
}
