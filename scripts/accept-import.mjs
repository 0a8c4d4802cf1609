// Is the app that `import` writes the same as its manifests, and does it compile?
//
//   node scripts/accept-import.mjs [--apps DIRECTORY] ARM-ID…    import → synth → the manifests on standard output
//   node scripts/accept-import.mjs --compile DIRECTORY           type-checks the apps of earlier runs, all in one program
//
// The first is a command for --import of the conformance program import.mjs; its exit status is that of `import`, or 1 when the
// synthesis fails. The second prints a line for every error of the compiler, then `N passed, N failed` over the apps.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'lib', 'cli', 'main.js');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const { values, positionals: ids } = parseArgs({ allowPositionals: true, options: { apps: { type: 'string' }, compile: { type: 'string' } } });
if (values.compile === undefined ? ids.length === 0 : ids.length > 0) {
  console.error('Usage: node scripts/accept-import.mjs [--apps DIRECTORY] ARM-ID… | --compile DIRECTORY');
  process.exit(2);
}
process.exitCode = values.compile === undefined ? importInto(values.apps) : compile(resolve(values.compile));

/** Without a directory to keep the app in, it is removed after the synthesis. */
function importInto(apps) {
  const directory = apps === undefined ? mkdtempSync(join(tmpdir(), 'accept-import-')) : resolve(apps);
  try {
    installLibrary(directory);
    return importAndSynthesize(mkdtempSync(join(directory, `${basename(ids[0])}-`)));
  } finally {
    if (apps === undefined) rmSync(directory, { recursive: true });
  }
}

function importAndSynthesize(app) {
  const imported = run(app, [cli, 'import', '--out', app, ...ids]);
  process.stderr.write(imported.stderr);
  if (!existsSync(join(app, 'main.ts'))) return imported.status || 1;
  const dist = join(app, 'dist');
  const synthesized = run(app, ['--import', 'tsx', 'main.ts'], { CDK8S_OUTDIR: dist });
  process.stderr.write(synthesized.stderr);
  if (synthesized.status !== 0) return 1;
  process.stdout.write(readdirSync(dist).map((file) => readFileSync(join(dist, file), 'utf8')).join('---\n'));
  return imported.status;
}

/** The apps find the library as their users' do: in node_modules. */
function installLibrary(directory) {
  const modules = join(directory, 'node_modules');
  if (existsSync(modules)) return;
  mkdirSync(modules, { recursive: true });
  symlinkSync(root, join(modules, 'cdk8s-aso'), 'dir');
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs', '@types', 'tsx']) symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
}

/** One program for all apps, with the options of an app and stricter: the library's types are read once. */
function compile(directory) {
  const apps = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'tsconfig.json')));
  if (apps.length === 0) {
    console.error(`${directory} has no app`);
    return 2;
  }
  const { compilerOptions } = JSON.parse(readFileSync(join(directory, apps[0], 'tsconfig.json'), 'utf8'));
  const options = { ...compilerOptions, noUnusedLocals: true };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: apps.map((name) => `${name}/*.ts`) }));
  const { stdout, stderr, status } = run(directory, [tsc, '-p', '.', '--pretty', 'false']);
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines) console.log(line.replace('/', ': '));
  const wrong = apps.filter((name) => lines.some((line) => line.startsWith(`${name}/`))).length;
  // An error that is in no app, for example in the options, is one of all apps.
  const failed = status !== 0 && wrong === 0 ? apps.length : wrong;
  console.log(`${apps.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

function run(cwd, args, environment = {}) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...process.env, ...environment }, maxBuffer: 1 << 28 });
}
