import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const VERSION = '1.2.3';

/** The built programs beside the package.json that a release writes. */
const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-version-'));
beforeAll(() => {
  mkdirSync(join(directory, 'lib'));
  for (const folder of ['cli', 'controller', 'programs']) cpSync(join(root, 'lib', folder), join(directory, 'lib', folder), { recursive: true });
  symlinkSync(join(root, 'catalog'), join(directory, 'catalog'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...manifest, version: VERSION }));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the repository has no version of its own', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({ version: '0.0.0' });
});

test.each(['cli', 'controller'])('--version of %s is that of package.json', (program) => {
  const { status, stdout } = spawnSync(process.execPath, [join(directory, 'lib', program, 'main.js'), '--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `${VERSION}\n`]);
});

test('the controller names that version to the API server', async () => {
  let notice: (agent: string | undefined) => void;
  let end: (error: Error) => void;
  const agent = new Promise<string | undefined>((resolve, reject) => [notice, end] = [resolve, reject]);
  const server = createServer((request, response) => {
    notice(request.headers['user-agent']);
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'c', cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }],
    'users': [{ name: 'u', user: {} }],
    'contexts': [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }));
  const child = spawn(process.execPath, [join(directory, 'lib', 'controller', 'main.js'), '--kubeconfig', kubeconfig], {
    env: { PATH: process.env.PATH, AZURE_SUBSCRIPTION_ID: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52' },
    stdio: 'ignore',
  });
  child.once('exit', () => end(new Error('the controller has ended')));
  try {
    expect(await agent).toBe(`cdk8s-aso-controller/${VERSION}`);
  } finally {
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
});

test.each(['cli', 'controller', 'composer'])('lib/%s/main.js tells an older Node in a line what it needs, whatever its program has', (program) => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  const older = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "18.20.8" })';
  const main = join(root, 'lib', program, 'main.js');
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', older, main, '--version'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^error: cdk8s-aso\S* needs Node 20\.20 or newer, and this is Node 18\.20\.8: install one from \S+, or by a version manager\n$/);
  expect(engines.node).toBe('>= 20.20.0');
});
