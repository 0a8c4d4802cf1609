import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ROOT, runProgram } from './program.mjs';

const require = createRequire(import.meta.url);

/**
 * `--apps DIRECTORY ARM-ID…`: import → synth → the manifests on standard output. The apps stay in the directory.
 *
 * @returns the exit status of `import`, or 1 when the synthesis fails
 */
export async function importAndSynthesize(args) {
  const { values, positionals: ids } = parseArgs({ args, allowPositionals: true, options: { apps: { type: 'string' } } });
  if (values.apps === undefined || ids[0] === undefined) throw new Error('Usage: accept-import --apps DIRECTORY ARM-ID…');
  const directory = resolve(values.apps);
  installLibrary(directory);
  const app = mkdtempSync(join(directory, `${basename(ids[0])}-`));
  const status = await runProgram(['import', '--out', app, ...ids]);
  if (!existsSync(join(app, 'main.ts'))) return status || 1;
  const dist = await synthesize(app);
  process.stdout.write(readdirSync(dist).map((file) => readFileSync(join(dist, file), 'utf8')).join('---\n'));
  return status;
}

/** The apps find the library as their users' do: in node_modules. */
function installLibrary(directory) {
  const modules = join(directory, 'node_modules');
  if (existsSync(modules)) return;
  mkdirSync(modules, { recursive: true });
  symlinkSync(ROOT, join(modules, 'cdk8s-aso'), 'dir');
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
}

/** Runs the app in this process, which has loaded the library for the app before. */
async function synthesize(app) {
  const dist = join(app, 'dist');
  const program = join(app, 'main.cjs');
  const target = { outfile: program, bundle: true, packages: 'external', platform: 'node', format: 'cjs' };
  await build({ ...target, entryPoints: [join(app, 'main.ts')], logLevel: 'silent' });
  process.env.CDK8S_OUTDIR = dist;
  require(program);
  return dist;
}
