import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container, install, one } from './app';
import { copiedBy, isSent, parseDockerfile, stageOf, valuesOf } from './dockerfile';
import { group, TEAM, namespace } from './real-objects';
import { Connection, loadClusterAccess } from '../../engine/kubernetes';
import { startSandbox } from '../e2e/cluster';
import { startProgram } from '../e2e/program';
import { until } from '../setup/until';

const root = join(__dirname, '..', '..');
const VERSION = '1.2.3';
const instructions = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const [packaging, running] = [stageOf(instructions, 'package'), stageOf(instructions, 'controller')];
const copied = copiedBy(packaging);

test('a build without a target is the controller', () => {
  expect(instructions.filter(({ name }) => name === 'FROM').at(-1)!.value).toMatch(/ AS controller$/);
});

test('the image runs as nobody in particular, what the Deployment gives it, and nothing else', () => {
  const { spec: { template: { spec } } } = one(install().synth(), 'Deployment');
  expect(valuesOf(running, 'USER')).toEqual([`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`]);
  expect(JSON.parse(valuesOf(running, 'ENTRYPOINT')[0]!)).toEqual(['/nodejs/bin/node', '/app/lib/controller/main.js']);
  expect(valuesOf(running, 'WORKDIR')).toEqual(['/app']);
  expect(valuesOf(running, 'COPY')).toEqual(['/package/ ./']);
  expect(valuesOf(running, 'RUN')).toEqual([]);
  expect(instructions.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['HEALTHCHECK', 'ADD', 'VOLUME']));
  const ports = container(install().synth()).ports.map(({ containerPort }: { containerPort: number }) => String(containerPort));
  expect(valuesOf(running, 'EXPOSE')[0]!.split(' ').sort()).toEqual(ports.sort());
});

test('every base image has a tag that says what it is', () => {
  const images = valuesOf(instructions, 'ARG').map((value) => value.split('=')[1]);
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/[\w-]:(?!latest$)[\w.-]+$/);
});

test('the image is the same for each platform: what is copied is text, and no emulator runs', () => {
  expect(packaging[0]).toMatchObject({ name: 'FROM', flags: ['--platform=${BUILDPLATFORM:-linux/amd64}'] });
  expect(running[0]).toMatchObject({ name: 'FROM', flags: [] });
  const files = copied.flatMap((path) => (statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path]));
  const binary = files.filter((file) => {
    const path = join(root, file);
    return statSync(path).isFile() && !path.endsWith('.gz') && readFileSync(path).subarray(0, 8_192).includes(0);
  });
  expect([files.length > 20, binary]).toEqual([true, []]);
});

test('what is copied reaches the build, and is a part of the package', () => {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const path of copied) expect([path, isSent(path, lines)]).toEqual([path, true]);
  for (const path of ['node_modules/x', 'lib/cli/main.js', 'src/index.ts', '.git/config', '.env']) {
    expect([path, isSent(path, lines)]).toEqual([path, false]);
  }
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  for (const path of copied) expect(path === 'package.json' || files.includes(path.split('/')[0]!)).toBe(true);
});

describe('a directory with just these files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-image-'));
  const main = join(directory, 'lib', 'controller', 'main.js');
  beforeAll(() => {
    for (const path of copied) cpSync(join(root, path), join(directory, path), { recursive: true });
    expect(spawnSync('sh', ['-c', valuesOf(packaging, 'RUN')[0]!], { cwd: directory, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    // As a release does it, before the image is built.
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...manifest, version: VERSION }));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('knows its version, and has the licences and the list of what is bundled', () => {
    const { status, stdout } = spawnSync(process.execPath, [main, '--version'], { cwd: directory, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${VERSION}\n`]);
    expect(existsSync(join(directory, 'LICENSE')) && existsSync(join(directory, 'THIRD-PARTY-LICENSES.txt'))).toBe(true);
    const { metadata } = JSON.parse(readFileSync(join(directory, 'lib', 'controller', 'sbom.cdx.json'), 'utf8')) as { metadata: { component: { name: string } } };
    expect(metadata.component.name).toBe('cdk8s-aso/lib/controller');
  });

  test('has no code that only other programs use', () => {
    const chunks = readFileSync(join(root, 'lib', 'controller', 'chunks.txt'), 'utf8').trim().split('\n');
    expect(readdirSync(join(directory, 'lib', 'programs')).sort()).toEqual([...chunks, 'package.json'].sort());
    expect(chunks.length).toBeLessThan(readdirSync(join(root, 'lib', 'programs')).length);
  });

  test('brings an object to Ready, and notes its version on it', async () => {
    const sandbox = await startSandbox({ args: ['--no-controller'] });
    const connection = new Connection(await loadClusterAccess({ path: sandbox.kubeconfig }));
    // Of the variables of this machine it gets those only that it cannot do without.
    const env = { PATH: process.env.PATH, ...sandbox.environment, KUBECONFIG: sandbox.kubeconfig };
    const controller = startProgram(main, ['--kinds=resources.azure.com/ResourceGroup', '--webhook-port=0'], { cwd: directory, env });
    try {
      const groups = `/apis/resources.azure.com/v1api20200601/namespaces/${TEAM}/resourcegroups`;
      const created = group('image');
      for (const [path, object] of [['/api/v1/namespaces', namespace(TEAM)], [groups, created]] as const) {
        expect((await connection.request({ method: 'POST', path, body: JSON.stringify(object) })).status).toBe(201);
      }
      await until('the group is ready', async () => {
        if (controller.process.exitCode !== null) throw new Error(controller.log());
        return (await connection.request({ method: 'GET', path: `${groups}/image` })).text.includes('"Succeeded"');
      });
      const { metadata } = JSON.parse((await connection.request({ method: 'GET', path: `${groups}/image` })).text) as { metadata: { labels: object } };
      expect(metadata.labels).toMatchObject({ 'serviceoperator.azure.com/last-reconciled-version': VERSION });
      expect(controller.log()).toContain('kinds=4');
    } finally {
      expect(await controller.stop()).toBe(0);
      await connection.close();
      await sandbox.close();
    }
  });
});
