// Do the apps that `import` writes compile?
//
//   node scripts/accept-import.mjs DIRECTORY      type-checks the apps in it, all in one program
//
// Prints a line for every error of the compiler, then `N passed, N failed` over the apps. accept-cli/import-app.mjs writes them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const tsc = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', 'typescript', 'bin', 'tsc');

const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0) {
  console.error('Usage: node scripts/accept-import.mjs DIRECTORY');
  process.exit(2);
}
process.exitCode = compile(resolve(given));

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
  const started = { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 28 };
  const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], started);
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines) console.log(line.replace('/', ': '));
  const wrong = apps.filter((name) => lines.some((line) => line.startsWith(`${name}/`))).length;
  // An error that is in no app, for example in the options, is one of all apps.
  const failed = status !== 0 && wrong === 0 ? apps.length : wrong;
  console.log(`${apps.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
