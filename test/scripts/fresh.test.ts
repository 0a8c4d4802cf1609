import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { filesIn } from '../cli/capture';

const ROOT = join(__dirname, '..', '..');
/** Writes `out/a.ts`, and `ran`: a letter for each run. */
const COMMAND = 'mkdir -p out && cat in/a.ts > out/a.ts && printf x >> ran';

describe('a step of the build', () => {
  let root: string;
  const step = (...args: string[]) => spawnSync(process.execPath, ['scripts/fresh.mjs', ...args], { cwd: root, encoding: 'utf8' });
  const made = () => step('made', COMMAND).status;
  const runs = () => readFileSync(join(root, 'ran'), 'utf8').length;

  beforeEach(() => {
    root = filesIn({ 'package.json': '{}' });
    for (const folder of ['scripts/fresh', 'in', 'node_modules']) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['scripts/fresh.mjs', 'scripts/go-build']) cpSync(join(ROOT, file), join(root, file), { recursive: true });
    writeFileSync(join(root, 'scripts', 'fresh', 'steps.mjs'), "export const STEPS = { made: { inputs: ['in', 'data.json'], outputs: ['out'] } };\n");
    writeFileSync(join(root, 'in', 'a.ts'), 'in');
    expect(made()).toBe(0);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('does not run again while nothing has changed', () => expect([made(), runs()]).toEqual([0, 1]));

  test.each([
    ['an input changes', () => writeFileSync(join(root, 'in', 'a.ts'), 'other')],
    ['an input is new', () => writeFileSync(join(root, 'in', 'b.ts'), '')],
    ['a file is an input', () => writeFileSync(join(root, 'data.json'), '')],
    ['an output is changed by hand', () => writeFileSync(join(root, 'out', 'a.ts'), 'other')],
    ['an output is gone', () => rmSync(join(root, 'out', 'a.ts'))],
    ['other packages are installed', () => writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{}')],
    ['another branch has other steps', () => appendFileSync(join(root, 'scripts', 'fresh', 'steps.mjs'), '// other\n')],
    ['its stamp is gone', () => rmSync(join(root, '.cache'), { recursive: true })],
  ])('runs again when %s', (_, change) => {
    change();
    expect([made(), runs()]).toEqual([0, 2]);
    expect([made(), runs()]).toEqual([0, 2]);
  });

  test('runs again with another command, and after a failure', () => {
    expect(step('made', 'exit 7').status).toBe(7);
    expect([made(), runs()]).toEqual([0, 2]);
  });

  test('one process runs it, and another one at the same time waits for it', () => {
    writeFileSync(join(root, 'in', 'a.ts'), 'both');
    const both = 'node scripts/fresh.mjs made \'sleep 0.3\' "$COMMAND" & node scripts/fresh.mjs made \'sleep 0.3\' "$COMMAND"; wait';
    spawnSync(both, { cwd: root, shell: true, env: { ...process.env, COMMAND } });
    expect(runs()).toBe(2);
  });

  test.each([[['unknown', 'true']], [['toString', 'true']], [['made']], [[]]])('%j is a wrong command line', (args) => {
    expect(step(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('STEP is one of: made') });
  });
});

test('the step of the programs names every folder of which they have files', async () => {
  const file = join(ROOT, 'scripts', 'fresh', 'steps.mjs');
  const { STEPS } = (await import(file)) as { readonly STEPS: { readonly programs: { readonly inputs: readonly string[] } } };
  const entryPoints = ['cli', 'controller', 'composer', 'sandbox'].flatMap((program) => ['main', 'job-worker', 'supervisor-thread', 'compose-worker']
    .map((name) => join(ROOT, program, `${name}.ts`)).filter((path) => existsSync(path)));
  const { metafile } = await build({
    entryPoints: [...entryPoints, join(ROOT, 'page', 'client', 'main.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: ROOT,
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
    logLevel: 'error',
  });
  const own = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
  expect(own.length).toBeGreaterThan(500);
  expect(own.filter((path) => !STEPS.programs.inputs.some((input) => path.startsWith(`${input}/`)))).toEqual([]);
});
