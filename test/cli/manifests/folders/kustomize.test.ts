import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { group, treeOf } from './tree-of';
import type { Folders } from '../../../../cli/manifests/folders/folder-options';
import { kustomizeTool } from '../../../../cli/manifests/folders/kustomize-build';
import { parseManifests } from '../../../../cli/manifests/manifests';
import { readManifests, readRepositories } from '../../../../cli/manifests/read-manifests';
import { formatProblem } from '../../../../cli/output/problem';

const read = (path: string, folders: Folders = {}) => readManifests([path], 'keep', undefined, folders);
const lines = (problems: readonly Parameters<typeof formatProblem>[0][] | undefined, root: string) => (
  (problems ?? []).map((one) => formatProblem(one).replaceAll(`${root}/`, ''))
);
const NO_TOOLS: Folders = { tools: {} };

const kubectl = kustomizeTool() ? describe : describe.skip;

const OVERLAY = {
  'base/kustomization.yaml': 'resources: [groups.yaml, more]\nconfigMapGenerator:\n- name: settings\n  literals: [a=b]\n',
  'base/groups.yaml': `# two\n${group('rg')}---\n${group('rg-two')}`,
  'base/more/kustomization.yaml': 'resources: [list.yaml]\nsecretGenerator:\n- name: s\n  literals: [a=b]\n',
  'base/more/list.yaml': 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: two}\n',
  'parts/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [part.yaml]\npatches:\n- patch: |-\n    - op: add\n      path: /metadata/labels\n      value: {part: "yes"}\n  target: {kind: ResourceGroup}\n',
  'parts/part.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part}\n',
  'prod/kustomization.yaml': [
    'namePrefix: p-', 'nameSuffix: -s', 'namespace: prod', 'resources: [../base]', 'components: [../parts]',
    'patchesStrategicMerge: [merge.yaml]', 'patches:', '- path: json.yaml', '  target: {kind: ResourceGroup, name: rg-two}', 'commonAnnotations: {a: "1"}',
    'replacements:', '- source: {kind: ConfigMap, name: part, fieldPath: metadata.name}', '  targets:', '  - select: {kind: ResourceGroup, name: rg}',
    '    fieldPaths: [metadata.annotations.part]', '    options: {create: true}', '',
  ].join('\n'),
  'prod/merge.yaml': 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg}\nspec: {azureName: merged}\n',
  'prod/json.yaml': '- op: replace\n  path: /spec/location\n  value: nowhere\n',
};

kubectl('with kubectl', () => {
  test('an overlay has the objects of kubectl kustomize, each where it is written', () => {
    const root = treeOf(OVERLAY);
    const { manifests, problems, notes } = read(join(root, 'prod'));
    const { stdout } = spawnSync('kubectl', ['kustomize', join(root, 'prod')], { encoding: 'utf8' });
    expect(manifests.map(({ object }) => object)).toEqual(parseManifests(stdout, 'x').manifests.map(({ object }) => object));
    expect([problems, notes]).toEqual([[], []]);
    expect(manifests.map(({ object, file, line, lineOf }) => [object.metadata.name, file.replace(root, ''), line, lineOf(['spec', 'location'])])).toEqual([
      ['p-one-s', '/base/more/list.yaml', 4, 4],
      ['p-part-s', '/parts/part.yaml', 1, 1],
      [expect.stringMatching(/^p-settings-s-/), '/base/kustomization.yaml', 2, 2],
      ['p-two-s', '/base/more/list.yaml', 5, 5],
      [expect.stringMatching(/^p-s-s-/), '/base/more/kustomization.yaml', 2, 2],
      ['p-rg-s', '/base/groups.yaml', 2, 7],
      ['p-rg-two-s', '/base/groups.yaml', 9, 14],
    ]);
  });

  test('paths are named as they are given', () => {
    const root = treeOf({ 'kustomization.yaml': 'namePrefix: x-\nresources: [a.yaml]\n', 'a.yaml': group('a') });
    const here = process.cwd();
    try {
      process.chdir(root);
      expect(read('.').manifests.map(({ file }) => file)).toEqual(['a.yaml']);
      expect(read('kustomization.yaml').manifests.map(({ file }) => file)).toEqual(['a.yaml']);
    } finally {
      process.chdir(here);
    }
  });

  test('openapi and build metadata of the kustomization count as in its own build', () => {
    const root = treeOf({
      'kustomization.yaml': 'resources: [a.yaml]\nbuildMetadata: [managedByLabel]\nnamePrefix: x-\n', 'a.yaml': group('a'),
    });
    expect(read(root).manifests[0]?.object.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': expect.stringContaining('kustomize') });
  });

  test('a file outside of any repository is not read', () => {
    const root = treeOf({
      'app/kustomization.yaml': 'resources: [a.yaml]\npatches:\n- path: ../outside.yaml\n',
      'app/a.yaml': group('a'),
      'outside.yaml': group('a', '', 'location: x'),
    });
    const { manifests, patches, problems, notes } = read(join(root, 'app'));
    expect(patches).toEqual([]);
    expect(lines(problems, root)).toEqual(['app/kustomization.yaml:3: patches: ../outside.yaml is outside of its directory and of the repository, and is not read; have it in the repository']);
    expect(lines(notes, root)).toEqual([expect.stringMatching(/is not built: its files are read one by one/)]);
    expect(manifests.map(({ object, isPartial }) => [object.metadata.name, isPartial])).toEqual([['a', true]]);
  });

  test('files outside of its directory are read, as Flux does, as far as they are in its repository', () => {
    const files = {
      'app/kustomization.yaml': 'namePrefix: x-\nresources: [../shared.yaml]\n', 'shared.yaml': group('a'),
    };
    const root = treeOf({ ...files, '.git/HEAD': '' });
    const { manifests, problems, notes } = read(join(root, 'app'));
    expect(manifests.map(({ object, file }) => [object.metadata.name, file.slice(root.length + 1)])).toEqual([['x-a', 'shared.yaml']]);
    expect([problems, lines(notes, root)]).toEqual([[], [expect.stringMatching(/reads files outside of its directory: .* needs --load-restrictor/)]]);
    expect(read(join(treeOf({ ...files, 'app/.git/HEAD': '' }), 'app')).problems.map(({ message }) => message)).toEqual([expect.stringContaining('outside of its directory')]);
  });

  test('a directory that is read as a whole is a repository', () => {
    const root = treeOf({ 'app/kustomization.yaml': 'namePrefix: x-\nresources: [../shared.yaml]\n', 'shared.yaml': group('a') });
    const sets = readRepositories([root]);
    expect(sets.flatMap(({ manifests, problems }) => [...manifests.map(({ object }) => object.metadata.name), ...problems])).toEqual(['x-a']);
  });

  test('the values of Flux are filled in after the build', () => {
    const root = treeOf({
      'kustomization.yaml': 'namespace: ${NS}\nresources: [a.yaml, flux.yaml]\n',
      'a.yaml': group('a'),
      'flux.yaml': 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: {postBuild: {substitute: {NS: prod}}}\n',
    });
    expect(read(root).manifests.map(({ object }) => object.metadata.namespace)).toEqual(['prod', 'prod']);
  });
});

describe('without a tool', () => {
  test.each([['/', (root: string) => root], ['here', (root: string) => relative(process.cwd(), root)]])('what an overlay has is no set by itself, in paths from %s', (_, pathOf) => {
    const root = treeOf({ 'base/kustomization.yaml': 'resources: [a.yaml]\n', 'base/a.yaml': group('a'), 'prod/kustomization.yaml': 'resources: [../base]\n' });
    const sets = readRepositories([pathOf(root)], undefined, NO_TOOLS);
    expect(sets.flatMap(({ manifests }) => manifests.map(({ object }) => object.metadata.name))).toEqual(['a']);
  });

  test('patches and bases are told apart', () => {
    const root = treeOf(OVERLAY);
    const { manifests, problems, notes, patches } = read(join(root, 'prod'), NO_TOOLS);
    expect(problems).toEqual([]);
    expect(manifests.map(({ object, isPartial }) => [object.metadata.name, isPartial])).toEqual(['rg', 'rg-two', 'one', 'two', 'part'].map((name) => [name, true]));
    expect(patches?.map(({ object, file }) => [object.metadata.name, file])).toEqual([['rg', join(root, 'prod/merge.yaml')]]);
    expect(lines(notes, root)).toEqual([
      'prod/kustomization.yaml: is not built: neither kustomize nor kubectl is on the PATH; install one of them, or give what they build',
      'prod/kustomization.yaml: is not built: its files are read one by one, and its patches as patches; kubectl kustomize prod builds it',
    ]);
  });

  test('a kustomization of resources alone is put together', () => {
    const root = treeOf({ 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': group('a') });
    const { manifests, notes } = read(root, NO_TOOLS);
    expect([manifests.map(({ isPartial }) => isPartial), notes]).toEqual([[undefined], []]);
  });
});

describe('what keeps a kustomization from being built', () => {
  const remote = [
    'https://github.com/a/b//config?ref=v1', 'github.com/a/b', 'git@github.com:a/b.git', 'git::https://x/y', 'ssh://git@x/y', 'oci://x/y',
    'https://example.com/a.yaml', 'gitlab.example.com/a/b.git?ref=x', 'user@host:a/b',
  ];

  test.each(remote)('remote: %s', (address) => {
    const root = treeOf({ 'kustomization.yaml': `resources:\n- a.yaml\n- ${address}\n`, 'a.yaml': group('a') });
    const { manifests, problems, notes } = read(root);
    expect([problems, manifests.length]).toEqual([[], 1]);
    expect(lines(notes, root)).toEqual([
      `kustomization.yaml:3: resources: ${address} is remote and is not fetched; --remote-bases lets kustomize fetch it`,
      expect.stringContaining('is not built'),
    ]);
  });

  test.each([
    ['a patch', 'patches:\n- path: https://x/y.yaml\n', {}],
    ['a transformer', 'transformers: [t.yaml]\n', { 't.yaml': 'apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\npath: https://x/y.yaml\n' }],
    ['a base of a base', 'bases: [b]\n', { 'b/kustomization.yml': 'components: ["https://x/y"]\n' }],
  ])('remote in %s', (_, text, files) => {
    const root = treeOf({ 'kustomization.yaml': text, ...files });
    expect(lines(read(root).notes, root)[0]).toMatch(/ is remote and is not fetched; --remote-bases/);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a missing base', { 'kustomization.yaml': 'resources:\n- a.yaml\n- ../gone\n' }, /^kustomization\.yaml:3: resources: \.\.\/gone is not there; correct the path$/],
    ['a missing patch', { 'kustomization.yaml': 'resources: [a.yaml]\npatches:\n- path: gone.yaml\n' }, /:3: patches: gone\.yaml is not there/],
    ['a cycle', { 'kustomization.yaml': 'resources: [a.yaml, b]\n', 'b/kustomization.yaml': 'resources: [..]\n' }, /^b\/kustomization\.yaml:1: resources: \.\. is a cycle/],
    ['a base without kustomization.yaml', { 'kustomization.yaml': 'resources: [a.yaml, b]\n', 'b/c.yaml': '' }, /b is a directory without kustomization\.yaml/],
    ['no YAML', { 'kustomization.yaml': 'resources: [a.yaml\n' }, /^kustomization\.yaml:2: is neither YAML nor JSON/],
    ['no map', { 'kustomization.yaml': '- a.yaml\n' }, /^kustomization\.yaml:1: is no kustomization/],
    ['nothing', { 'kustomization.yaml': '# soon\n' }, /^kustomization\.yaml: has nothing/],
    ['a base that is no YAML', { 'kustomization.yaml': 'resources: [a.yaml, b]\n', 'b/kustomization.yaml': 'a: [\n' }, /^b\/kustomization\.yaml:2: is neither/],
  ])('%s: one line, and the rest is read', (_, files, line) => {
    const root = treeOf({ 'a.yaml': group('a'), ...files });
    const { manifests, problems } = read(root);
    expect(lines(problems, root)).toEqual([expect.stringMatching(line)]);
    expect(manifests.map(({ object }) => object.metadata.name)).toEqual(['a']);
  });

  test('a path with variables comes later', () => {
    const root = treeOf({ 'kustomization.yaml': 'resources: [a.yaml, "../${cluster}/b.yaml"]\n', 'a.yaml': group('a') });
    const { problems, notes } = read(root);
    expect([problems, lines(notes, root)[0]]).toEqual([[], expect.stringMatching(/\$\{cluster\}\/b\.yaml is a path that comes later/)]);
  });

  test('charts and programs are not run', () => {
    const root = treeOf({
      'kustomization.yaml': 'resources: [a.yaml]\nhelmCharts: [{name: x, repo: "https://x"}]\ngenerators: [g.yaml]\n',
      'a.yaml': group('a'),
      'g.yaml': 'apiVersion: x/v1\nkind: Y\nmetadata:\n  name: y\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run}\n',
    });
    const { manifests, problems, notes } = read(root);
    expect([problems, manifests.length]).toEqual([[], 1]);
    expect(lines(notes, root)).toEqual([
      expect.stringMatching(/:2: helmCharts: needs helm, which is not run here/),
      expect.stringMatching(/generators: g\.yaml is a chart or a program, which is not run here/),
      expect.stringContaining('is not built'),
    ]);
  });

  test('links that lead back to themselves are not there', () => {
    const root = treeOf({ 'kustomization.yaml': 'resources: [a.yaml, loop]\n', 'a.yaml': group('a') });
    symlinkSync(join(root, 'loop'), join(root, 'loop'));
    expect(lines(read(root).problems, root)).toEqual([expect.stringMatching(/loop is not there/)]);
  });
});

describe('a tool that misbehaves', () => {
  const tool = (script: string) => {
    const file = join(treeOf({ run: `#!/bin/sh\n${script}\n` }), 'run');
    chmodSync(file, 0o755);
    return { name: 'kustomize build', file, args: [] };
  };
  const root = treeOf({ 'kustomization.yaml': 'namePrefix: x-\nresources: [a.yaml]\n', 'a.yaml': group('a') });
  const failure = (script: string) => {
    const limits = { maxRunMs: 500, maxOutputBytes: 1024 * 1024 };
    const { problems, manifests } = read(root, { tools: { kustomize: tool(script) }, limits });
    expect(manifests).toHaveLength(1);
    return lines(problems, root);
  };

  test('hangs, with a child that hangs too', () => {
    const started = join(treeOf({}), 'started');
    expect(failure(`sleep 1000 & echo $! > ${started}; wait`)).toEqual([expect.stringMatching(/kustomize build: did not end within 0\.5 s/)]);
    const { stdout } = spawnSync('sh', ['-c', `kill -0 $(cat ${started}) 2>/dev/null && cat /proc/$(cat ${started})/stat | cut -d' ' -f3`], { encoding: 'utf8' });
    expect(['', 'Z']).toContain(stdout.trim());
  });

  test('prints without end', () => {
    expect(failure('yes "a: b"')).toEqual([expect.stringMatching(/kustomize build: printed more than 1 MiB/)]);
  });

  test('fails, and says why or not', () => {
    expect(failure('echo "# Warning: old\nError: no  such\nthing" >&2; exit 3')).toEqual([expect.stringMatching(/kustomize build: no such thing;/)]);
    expect(failure('exit 3')).toEqual([expect.stringMatching(/failed with status 3/)]);
  });

  test('sees neither credentials nor a cluster', () => {
    const seen = join(treeOf({}), 'seen');
    process.env.SOME_PASSWORD = 'p4ss';
    try {
      read(root, { tools: { kustomize: tool(`env > ${seen}; exit 0`) } });
    } finally {
      delete process.env.SOME_PASSWORD;
    }
    const { stdout } = spawnSync('cat', [seen], { encoding: 'utf8' });
    expect(stdout).not.toContain('p4ss');
    expect(stdout).toMatch(/^KUBECONFIG=.*cdk8s-aso-run/m);
    expect(stdout).toMatch(/^GIT_ALLOW_PROTOCOL=none$/m);
  });
});

test('of a repository, only kustomizations with Azure objects are built', () => {
  const kustomization = (...resources: string[]) => `namePrefix: x-\nresources: [${resources.join(', ')}]\n`;
  const map = (name: string, value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: ${value}}\n`;
  const root = treeOf({
    'base/a.yaml': group('a'),
    'base/kustomization.yaml': kustomization('a.yaml'),
    'azure/kustomization.yaml': kustomization('../base', 'b.yaml'),
    'azure/b.yaml': map('b', 'x'),
    'other/kustomization.yaml': kustomization('c.yaml'),
    'other/c.yaml': map('c', 'blob.core.windows.net'),
    'broken/kustomization.yaml': kustomization('missing.yaml'),
  });
  const built = join(treeOf({}), 'built');
  const file = join(treeOf({ run: `#!/bin/sh\necho built >> ${built}\ncat ${root}/base/a.yaml\n` }), 'run');
  chmodSync(file, 0o755);
  const folders: Folders = { tools: { kustomize: { name: 'kustomize build', file, args: [] } } };
  const countBuilds = () => readFileSync(built, 'utf8').split('built').length - 1;
  read(join(root, 'azure'), folders);
  const ofOne = countBuilds();
  const sets = readRepositories([root], undefined, folders);
  expect(countBuilds()).toBe(2 * ofOne);
  expect(sets.flatMap(({ manifests }) => manifests.map(({ object }) => object.metadata.name))).toEqual(['a', 'c']);
  expect(lines(sets.flatMap(({ problems }) => problems), root)).toEqual([expect.stringMatching(/missing\.yaml is not there/)]);
});

test('a patch that is given by its own path is judged as one', () => {
  const root = treeOf(OVERLAY);
  const file = join(root, 'prod/merge.yaml');
  const { manifests, patches, notes, problems } = read(file);
  expect([manifests, problems, patches?.length]).toEqual([[], [], 1]);
  expect(lines(notes, root)).toEqual(['prod/merge.yaml: is a patch of prod/kustomization.yaml, and is judged as one; give prod for what it becomes']);
  expect(read(join(root, 'prod/json.yaml')).problems).toEqual([]);
});

test('a file of that name that is an object of Flux is a file like others', () => {
  const root = treeOf({
    'kustomization.yaml': 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: {}\n', 'a.yaml': group('a'),
  });
  expect(read(root).manifests.map(({ object }) => object.metadata.name)).toEqual(['a', 'f']);
});

// Kustomize needs more than a minute for ten thousand.
test.each([['', 10_000], ['x-', 300]])('many files, with the prefix "%s"', (prefix, count) => {
  const names = Array.from({ length: count }, (_, index) => `f${index}.yaml`);
  const root = treeOf({ 'kustomization.yaml': `${prefix && `namePrefix: ${prefix}\n`}resources:\n${names.map((name) => `- ${name}\n`).join('')}` });
  for (const name of names) writeFileSync(join(root, name), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name.replace('.yaml', '')}}\n`);
  const { manifests, problems } = read(root);
  expect([manifests.length, problems]).toEqual([count, []]);
  expect(manifests.every(({ file, object }) => !kustomizeTool() || `${prefix}${file.slice(root.length + 1, -'.yaml'.length)}` === object.metadata.name)).toBe(true);
});
