import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runCommandLine } from '../../../cli/command-line';
import { captured } from '../capture';

const ROOT = join(__dirname, '..', '..', '..');
const MODULES = join(ROOT, 'node_modules');

let directory: string;
const kept = { ...process.env };
beforeEach(() => (directory = realpathSync(mkdtempSync(join(tmpdir(), 'init-')))));
afterEach(() => {
  process.env = { ...kept };
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a command line. */
async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const terminal = captured();
  const status = await runCommandLine(args, '0.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
}

const text = (...path: string[]) => readFileSync(join(directory, ...path), 'utf8');

/** The packages that `npm install` would bring. */
function install(app: string): void {
  const modules = join(app, 'node_modules');
  mkdirSync(modules);
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs', 'tsx', 'typescript', '@types', 'esbuild', '@esbuild', 'get-tsconfig']) {
    if (existsSync(join(MODULES, name))) symlinkSync(join(MODULES, name), join(modules, name));
  }
  symlinkSync(ROOT, join(modules, 'cdk8s-aso'));
}

const node = (app: string, ...args: string[]) => execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8', stdio: 'pipe' });

test.each([
  [[], ''],
  [['--gitops', 'flux'], ''],
  [['--gitops', 'argo-cd', '--project', 'projen'], 'src'],
])('an app that is begun with %j has types that fit, synthesizes, passes its test and the check', async (args, sources) => {
  const app = join(directory, 'web-shop');
  const { status, out } = await run('init', '--no-install', ...args, app);
  expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining('npm run sandbox') });
  install(app);
  const files = [join(sources, 'chart.ts'), join(sources, 'main.ts'), ...(args.includes('--gitops') ? [join(sources, 'gitops.ts')] : [])];
  const compiler = join(MODULES, 'typescript', 'bin', 'tsc');
  node(app, compiler, '--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', ...files);
  node(app, '--import', 'tsx', join(sources, 'main.ts'));
  const manifests = join(app, 'dist', 'web-shop.k8s.yaml');
  expect(readFileSync(manifests, 'utf8')).toMatch(/kind: StorageAccount[^]*azureName: webshop[0-9a-f]{8}\n/);
  expect((await run('check', '--strict', manifests)).out).toContain('nothing to say');
  if (!args.includes('projen')) expect(node(app, '--import', 'tsx', '--test', '--test-reporter=tap', 'chart.test.ts')).toContain('# pass 2');
  if (!args.includes('--gitops')) return;
  node(app, '--import', 'tsx', join(sources, 'gitops.ts'));
  const [file, kinds] = args.includes('flux') ? ['flux', ['GitRepository', 'Kustomization']] : ['argo-cd', ['Application']];
  for (const kind of kinds!) expect(readFileSync(join(app, 'gitops', `${file as string}.k8s.yaml`), 'utf8')).toContain(`kind: ${kind}\n`);
});

test('what can be found out is not asked: the remote, the branch, the region of az', async () => {
  const app = join(directory, 'shop');
  mkdirSync(join(app), { recursive: true });
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'trunk'], { cwd: app });
  execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:contoso/shop.git'], { cwd: app });
  mkdirSync(join(directory, 'az'));
  writeFileSync(join(directory, 'az', 'config'), '[defaults]\nlocation = swedencentral\n');
  process.env.AZURE_CONFIG_DIR = join(directory, 'az');
  expect((await run('init', '--no-install', '--gitops', 'flux', app)).status).toBe(0);
  expect(text('shop', 'gitops.ts')).toContain("url: 'https://github.com/contoso/shop',\n  ref: { branch: 'trunk' },");
  expect(text('shop', 'main.ts')).toContain("location: 'swedencentral'");
});

test.each([
  ['https://user:token@dev.azure.com/contoso/_git/shop', 'https://dev.azure.com/contoso/_git/shop'],
  ['ssh://git@gitlab.example.com:2222/group/sub/shop.git', 'https://gitlab.example.com/group/sub/shop'],
  ['../elsewhere', 'https://github.com/OWNER/REPOSITORY'],
  ['https://oauth2:pass@word@ghe.example.com/a/b.git', 'https://github.com/OWNER/REPOSITORY'],
  ["https://ghe.example.com/a'b/c", 'https://github.com/OWNER/REPOSITORY'],
])('the remote %s is %s for a GitOps tool, without a secret', async (remote, address) => {
  execFileSync('git', ['init', '--quiet'], { cwd: directory });
  execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: directory });
  await run('init', '--no-install', '--gitops', 'argo-cd', '--name', 'shop', directory);
  expect(text('gitops.ts')).toContain(`repoUrl: '${address}'`);
});

test('a branch is a text of the code, whatever its name', async () => {
  execFileSync('git', ['init', '--quiet', '--initial-branch', "feat'ure"], { cwd: directory });
  await run('init', '--no-install', '--gitops', 'flux', '--name', 'shop', directory);
  expect(text('gitops.ts')).toContain(String.raw`ref: { branch: 'feat\'ure' },`);
});

test('the workflow may comment and nothing else, and names no action that is not of GitHub', async () => {
  await run('init', '--no-install', '--name', 'shop', directory);
  const { permissions, jobs } = parse(text('.github', 'workflows', 'azure.yml'));
  expect(permissions).toEqual({ 'contents': 'read', 'pull-requests': 'write' });
  const steps = jobs.azure.steps as { uses?: string; run?: string }[];
  expect(steps.flatMap(({ uses }) => uses ?? []).every((uses) => uses.startsWith('actions/'))).toBe(true);
  // An expression in a script is code of whoever opens the pull request.
  for (const { run: script = '' } of steps) expect(script).not.toContain('${{');
});

test('Python: the same app, whose files Python can compile', async () => {
  expect((await run('init', '--no-install', '--language', 'python', '--gitops', 'flux', join(directory, 'shop'))).status).toBe(0);
  const python = spawnSync('python3', ['--version']);
  if (python.status === 0) {
    for (const file of ['chart.py', 'main.py', 'gitops.py', 'test_chart.py']) {
      execFileSync('python3', ['-c', `compile(open('${file}').read(), '${file}', 'exec')`], { cwd: join(directory, 'shop') });
    }
  }
  expect(text('shop', 'requirements.txt')).toMatch(/^cdk8s-aso>=\S+\ncdk8s>=2\.\d+\.\d+,<3\n/);
});

describe('what cannot be is told in a line, and nothing is written', () => {
  test.each([
    [['--name', 'Shop_1'], /--name Shop_1: give lower case letters/],
    [['--location', 'the moon!'], /--location the moon!: give a region/],
    [['--language', 'python', '--project', 'projen'], /--project projen is for TypeScript/],
    [['--language', 'cobol'], /Allowed choices are typescript, python/],
  ])('%j', async (args, message) => {
    const { status, err } = await run('init', '--no-install', ...args, join(directory, 'app'));
    expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(message) });
    expect(existsSync(join(directory, 'app', 'package.json'))).toBe(false);
  });

  test.each(['/proc/app', 'file/app', 'link'])('%s, which cannot be made', async (name) => {
    writeFileSync(join(directory, 'file'), '');
    symlinkSync(join(directory, 'nowhere', 'else'), join(directory, 'link'));
    const { status, err } = await run('init', '--no-install', name.startsWith('/') ? name : join(directory, name));
    expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(/ (?:cannot be made: E[A-Z]+|is a file)\. Give an empty folder/) });
  });

  test('a folder with files, or a file', async () => {
    writeFileSync(join(directory, 'package.json'), '{}');
    expect(await run('init', '--no-install', directory)).toMatchObject({ status: 2, err: expect.stringContaining('is not empty (package.json)') });
    expect(await run('init', '--no-install', join(directory, 'package.json'))).toMatchObject({ status: 2, err: expect.stringContaining('is a file') });
    expect(text('package.json')).toBe('{}');
  });
});

describe('what cannot be installed is told in a line with the cure; the files stay', () => {
  /** A program named npm that prints and ends so. */
  function npmThat(says: string, status: number): void {
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho '${says}' >&2\nexit ${status}\n`);
    chmodSync(join(bin, 'npm'), 0o755);
    process.env.PATH = `${bin}:/usr/bin:/bin`;
  }

  test.each([
    ['npm error code ENOTFOUND\nnpm error network request to https://registry.example failed', 'the registry does not answer: set HTTPS_PROXY'],
    ['npm error code E404\nnpm error 404 Not Found - GET https://registry.example/cdk8s-aso', 'the registry does not have it: npm error code E404'],
    ['npm error code EACCES', 'npm error code EACCES (status 1)'],
  ])('npm that says %j', async (says, message) => {
    npmThat(says, 1);
    const { status, err, out } = await run('init', join(directory, 'app'));
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining(`npm install --no-audit --no-fund: ${message}`) });
    expect(out).toContain('npm install --no-audit --no-fund\nnpm run sandbox');
    expect(existsSync(join(directory, 'app', 'chart.ts'))).toBe(true);
  });

  test('no npm', async () => {
    process.env.PATH = directory;
    const { status, err } = await run('init', join(directory, 'app'));
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining('npm install --no-audit --no-fund: is not on this machine: install npm') });
  });
});
