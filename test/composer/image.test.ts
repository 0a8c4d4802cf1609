import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from '../../composer/bundle/build-bundle';
import { crdManifest } from '../../composer/definition/crd-manifest';
import { Renderer } from '../../composer/render/renderer';
import type { KubernetesObject } from '../../engine/kubernetes';
import { LiveCluster } from '../cli/status/live-cluster';
import { startProgram } from '../e2e/program';
import { copiedBy, isSent, parseDockerfile, stageOf, valuesOf } from '../operator/dockerfile';
import { until } from '../setup/until';

const root = join(__dirname, '..', '..');
const instructions = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const [packaging, running] = [stageOf(instructions, 'composer-package'), stageOf(instructions, 'composer')];
const LIBRARIES = ['cdk8s', 'cdk8s-plus-27', 'constructs'];

test('the image runs as nobody in particular, and nothing but the composer', () => {
  expect(valuesOf(running, 'USER')).toEqual(['65532:65532']);
  expect(JSON.parse(valuesOf(running, 'ENTRYPOINT')[0]!)).toEqual(['/nodejs/bin/node', '/app/lib/composer/main.js']);
  expect(valuesOf(running, 'RUN')).toEqual([]);
  expect(running[0]).toMatchObject({ value: '${RUN_IMAGE} AS composer', flags: [] });
  expect(packaging[0]).toMatchObject({ flags: ['--platform=${BUILDPLATFORM:-linux/amd64}'] });
});

test('what is copied reaches the build', () => {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const copied = copiedBy(packaging);
  expect(copied.sort()).toEqual(['LICENSE', 'THIRD-PARTY-LICENSES.txt', 'catalog', 'lib', 'package-lock.json', 'package.json']);
  for (const path of [...copied, 'lib/composer/main.js', 'lib/services/storage/index.js']) expect([path, isSent(path, lines)]).toEqual([path, true]);
});

test('the libraries are installed in the versions of the tests, without scripts, and with nothing else', () => {
  const [install] = valuesOf(packaging, 'RUN');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> };
  const [, program] = /node -p "([^"]+)"/.exec(install!)!;
  const { stdout } = spawnSync(process.execPath, ['-p', program!], { cwd: root, encoding: 'utf8' });
  expect(stdout.trim().split(' ')).toEqual(LIBRARIES.map((name) => `${name}@${packages[`node_modules/${name}`]!.version}`));
  expect(install).toContain('--ignore-scripts');
  for (const name of LIBRARIES) expect(install).toContain(`/libraries/node_modules/${name} `);
});

describe('a directory with just these files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-image-'));
  const main = join(directory, 'lib', 'composer', 'main.js');
  const bundleFile = join(directory, 'bundle.js');
  beforeAll(() => {
    for (const path of ['package.json', 'catalog', 'lib']) cpSync(join(root, path), join(directory, path), { recursive: true });
    expect(spawnSync('sh', ['-c', valuesOf(packaging, 'RUN')[1]!], { cwd: directory, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    for (const name of LIBRARIES) cpSync(join(root, 'node_modules', name), join(directory, 'node_modules', name), { recursive: true });
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('has neither other programs nor what only they use, and no declarations', () => {
    const files = readdirSync(join(directory, 'lib'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /^(cli|controller|page|sandbox)$|\.d\.ts$/.test(file))).toEqual([]);
    const chunks = readFileSync(join(root, 'lib', 'composer', 'chunks.txt'), 'utf8').trim().split('\n');
    expect(readdirSync(join(directory, 'lib', 'programs')).sort()).toEqual([...chunks, 'package.json'].sort());
  });

  test('composes a claim with constructs of this package', async () => {
    const { code } = await buildBundle(join(root, 'examples', 'platform-api', 'bucket.ts'));
    writeFileSync(bundleFile, code);
    const renderer = new Renderer({ bundleFile });
    const [facts] = await renderer.describe();
    await renderer.close();
    const cluster = await LiveCluster.start('ResourceGroup', 'StorageAccount', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer');
    const composer = startProgram(main, ['--bundle', bundleFile, '--kubeconfig', cluster.kubeconfig, '--leader-elect=false'], {
      cwd: directory, env: { PATH: process.env.PATH },
    });
    try {
      const crd = crdManifest(facts!).manifest as unknown as KubernetesObject;
      await cluster.client.create(cluster.typeOf(crd), crd);
      const type = { group: 'platform.freight.example.com', version: 'v1', plural: 'buckets', kind: 'Bucket', namespaced: true };
      await cluster.client.create(type, { apiVersion: 'platform.freight.example.com/v1', kind: 'Bucket', metadata: { name: 'logs', namespace: 'default' }, spec: { containers: ['web'] } });
      await until('the claim is synced', async () => {
        if (composer.process.exitCode !== null) throw new Error(composer.log());
        const claim = await cluster.client.get(type, 'logs', 'default');
        return claim?.status?.conditions?.some((one) => one.type === 'Synced' && one.status === 'True') === true;
      });
    } finally {
      expect(await composer.stop()).toBe(0);
      await cluster.close();
    }
  });
});
