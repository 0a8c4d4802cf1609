import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { group, treeOf } from './tree-of';
import type { Folders } from '../../../../cli/manifests/folders/folder-options';
import { readManifests, readRepositories } from '../../../../cli/manifests/read-manifests';
import { formatProblem } from '../../../../cli/output/problem';
import { counted, growth } from '../../../setup/work';

const read = (path: string, folders: Folders = {}) => readManifests([path], 'keep', undefined, folders);
const messages = (problems: readonly Parameters<typeof formatProblem>[0][] | undefined) => (problems ?? []).map(formatProblem);

/** A kustomize that writes down how it is called. */
function recorder() {
  const directory = treeOf({ run: '', calls: '' });
  const file = join(treeOf({ run: `#!/bin/sh\necho "$@" >> ${directory}/calls\nexit 0\n` }), 'run');
  chmodSync(file, 0o755);
  return { kustomize: { name: 'kustomize build', file, args: [] }, calls: () => readFileSync(join(directory, 'calls'), 'utf8') };
}

describe('restrictions of kustomize', () => {
  const generator = 'apiVersion: builtin\nkind: SecretGenerator\nmetadata: { name: s }\nfiles: [../../secret]\n';
  const callsFor = (more: string, files: Record<string, string> = {}) => {
    const root = treeOf({
      '.git/HEAD': '', 'common/a.yaml': group('a'), 'app/kustomization.yaml': `namePrefix: x-\nresources: [../common/a.yaml]\n${more}`, 'app/g.yaml': generator, ...files,
    });
    const { kustomize, calls } = recorder();
    read(join(root, 'app'), { tools: { kustomize } });
    return calls();
  };

  test('are lifted where all files that are read are known', () => {
    expect(callsFor('configMapGenerator: [{ name: a, files: [k=../common/a.yaml] }]\npatches: [{ path: ../common/a.yaml }]\n')).toContain('LoadRestrictionsNone');
  });

  test.each([
    ['generators', 'generators: [g.yaml]\n'],
    ['generators inline', `generators:\n- |-\n  ${generator.trimEnd().replaceAll('\n', '\n  ')}\n`],
    ['another spelling, which kustomize takes', 'Generators: [g.yaml]\n'],
    ['another spelling inside', 'configMapGenerator: [{ name: a, Files: [../../secret] }]\n'],
    ['transformers', 'transformers: [g.yaml]\n'],
    ['validators', 'validators: [g.yaml]\n'],
    ['configurations', 'configurations: [g.yaml]\n'],
    ['openapi', 'openapi: { path: g.yaml }\n'],
    ['replacements', 'replacements: [{ path: g.yaml }]\n'],
    ['a path that looks like a patch', 'patchesStrategicMerge: ["a: /../../../secret"]\n'],
    ['a base with generators', 'components: [../c]\n'],
  ])('stay with %s', (_, more) => {
    const calls = callsFor(more, { 'c/kustomization.yaml': 'kind: Component\ngenerators: [g.yaml]\n', 'c/g.yaml': generator });
    expect(calls).not.toBe('');
    expect(calls).not.toContain('LoadRestrictionsNone');
  });
});

describe('what is not read', () => {
  test.each(['resources: [/etc/passwd]', 'patches: [{ path: /etc/passwd }]', 'resources: [../../../../../../../../etc/passwd]', 'resources: [link.yaml]'])('%s', (text) => {
    const root = treeOf({ '.git/HEAD': '', 'kustomization.yaml': `${text}\nnamePrefix: x-\n`, 'a.yaml': group('a') });
    symlinkSync('/etc/passwd', join(root, 'link.yaml'));
    const { kustomize, calls } = recorder();
    const { manifests, patches, problems } = read(root, { tools: { kustomize } });
    expect([manifests, patches, calls()]).toEqual([[], [], '']);
    expect(messages(problems)).toEqual([expect.stringMatching(/:1: \w+: .* is (?:an absolute path|outside of its directory and of the repository), and is not read/)]);
  });

  test('devices and pipes', () => {
    const root = treeOf({ 'kustomization.yaml': 'resources: [a.yaml, device.yaml, /dev/stdin, pipe]\n', 'a.yaml': group('a'), 'files/a.yaml': group('b') });
    symlinkSync('/dev/null', join(root, 'device.yaml'));
    symlinkSync('/dev/null', join(root, 'files/device.yaml'));
    spawnSync('mkfifo', [join(root, 'pipe')]);
    const one = read(root);
    expect(one.manifests).toHaveLength(1);
    expect(messages(one.problems)).toEqual([
      expect.stringMatching(/device\.yaml is neither a file nor a directory, and is not read/),
      expect.stringMatching(/\/dev\/stdin is an absolute path/),
      expect.stringMatching(/pipe is neither a file nor a directory/),
    ]);
    const files = read(join(root, 'files'));
    expect([files.manifests.length, messages(files.problems)]).toEqual([1, [expect.stringMatching(/device\.yaml: is neither a file nor a directory/)]]);
  });

  test('a pipe that is found in a repository', () => {
    const root = treeOf({ 'a.yaml': group('a') });
    spawnSync('mkfifo', [join(root, 'p.yaml')]);
    expect(readRepositories([root]).flatMap(({ problems }) => messages(problems))).toEqual([expect.stringMatching(/p\.yaml: is neither a file nor a directory/)]);
  });

  test('a pipe that is given by its name is read', () => {
    const root = treeOf({ 'a.yaml': group('a') });
    const pipe = join(root, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const writer = spawn('cp', [join(root, 'a.yaml'), pipe]);
    expect(read(pipe).manifests).toHaveLength(1);
    writer.unref();
  });

  test.each(['http://127.0.0.1:9/x.yaml', 'github.com/a/b/x.yaml', 'HTTP:/127.0.0.1:9/x.yaml'])('%s, though there is a file of this name', (address) => {
    const root = treeOf({ 'kustomization.yaml': `namePrefix: x-\nresources: ["${address}"]\n`, [address]: group('a') });
    const { kustomize, calls } = recorder();
    const { notes } = read(root, { tools: { kustomize } });
    expect([calls(), messages(notes)[0]]).toEqual(['', expect.stringMatching(/ is remote and is not fetched/)]);
  });
});

describe('many kustomizations', () => {
  const { rootsIn } = counted<typeof import('../../../../cli/manifests/folders/roots')>('cli/manifests/folders/roots');
  const chain = (count: number) => treeOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [
    `d${index}/kustomization.yaml`, index + 1 < count ? `resources: [../d${index + 1}]\n` : 'resources: [a.yaml]\n',
  ])));

  test('a chain of bases takes work in proportion to its length', () => {
    const roots = new Map([50, 200].map((count) => [count, chain(count)] as const));
    expect(growth(50, (count) => rootsIn(roots.get(count)!))).toBeLessThan(5);
  });

  test('a chain without end is a line', () => {
    const { problems } = read(join(chain(1000), 'd0'));
    expect(messages(problems)).toEqual([expect.stringMatching(/is the base of 500 others, and is not read/)]);
  });

  test('the tools have a time for all of them', () => {
    const root = treeOf({ 'kustomization.yaml': 'namePrefix: x-\nresources: [a.yaml]\n', 'a.yaml': group('a') });
    const { kustomize, calls } = recorder();
    const total = { leftMs: 0 };
    const { manifests, problems, notes } = read(root, { tools: { kustomize }, limits: { total } });
    expect([calls(), problems, manifests.map(({ isPartial }) => isPartial)]).toEqual(['', [], [true]]);
    expect(messages(notes)[0]).toMatch(/kustomize build: is not run: the runs of this command have taken too long together/);
    const spent = { leftMs: 1000 };
    read(root, { tools: { kustomize }, limits: { total: spent } });
    expect(spent.leftMs).toBeLessThan(1000);
  });
});

test('directories below a chart that are not its own are read', () => {
  const root = treeOf({ 'r/Chart.yaml': 'name: r\n', 'r/deploy/a.yaml': group('a'), 'r/templates/b.yaml': group('b'), 'r/crds/c.yaml': group('c'), 'r/values.yaml': 'a: 1\n' });
  const sets = readRepositories([root], undefined, { tools: {} });
  expect(sets.map(({ manifests }) => manifests.map(({ object }) => object.metadata.name))).toEqual([['c', 'b'], ['a'], []]);
});
