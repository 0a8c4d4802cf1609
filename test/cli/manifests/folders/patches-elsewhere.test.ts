import { join } from 'node:path';
import { group, treeOf } from './tree-of';
import { runCommandLine } from '../../../../cli/command-line';
import { repositoryOf } from '../../../../cli/manifests/folders/repository';
import { readManifests, readRepositories } from '../../../../cli/manifests/read-manifests';
import { formatProblem } from '../../../../cli/output/problem';
import { captured } from '../../capture';

async function check(...args: string[]): Promise<string> {
  const terminal = captured();
  await runCommandLine(['check', ...args], '1.2.3', terminal);
  return terminal.out.join('\n');
}

/** A patch, in a directory beside that of the kustomization that has it. */
const FILES = {
  'apps/shop/base/kustomization.yaml': 'resources: [group.yaml]\npatches:\n- path: ../aso/group.yaml\n- path: ../aso/tags.yaml\n',
  'apps/shop/base/group.yaml': group('rg'),
  'apps/shop/aso/group.yaml': group('rg', '', 'azureName: other'),
  'apps/shop/aso/tags.yaml': group('rg', '', 'tags: {a: b}'),
  'apps/shop/aso/own.yaml': group('own'),
  'apps/other/kustomization.yaml': 'resources: [group.yaml]\n',
  'apps/other/group.yaml': group('rg-two'),
};

const namesOf = ({ manifests, patches = [] }: ReturnType<typeof readManifests>) => (
  [manifests, patches].map((ones) => ones.map(({ file }) => file.slice(file.lastIndexOf('/') + 1)))
);

describe('patches of kustomizations elsewhere in the repository', () => {
  const root = treeOf({ ...FILES, '.git/HEAD': '' });

  test('a directory of patches by itself', () => {
    const read = readManifests([join(root, 'apps/shop/aso')], 'keep');
    expect(namesOf(read)).toEqual([['own.yaml'], ['group.yaml', 'tags.yaml']]);
    expect(read.notes?.map((note) => formatProblem(note).replaceAll(`${root}/`, ''))).toEqual([
      'apps/shop/aso: 2 files are patches of apps/shop/base/kustomization.yaml, and judged as such: group.yaml, tags.yaml; give apps/shop/base for what it becomes',
    ]);
  });

  test('a patch by itself', () => {
    const read = readManifests([join(root, 'apps/shop/aso/tags.yaml')], 'keep');
    expect(namesOf(read)).toEqual([[], ['tags.yaml']]);
    expect(read.notes?.map(({ message }) => message)).toEqual([`is a patch of ${root}/apps/shop/base/kustomization.yaml, and is judged as one`]);
  });

  test('paths are named as they are given', () => {
    const here = process.cwd();
    try {
      process.chdir(join(root, 'apps/shop/aso'));
      expect(readManifests(['tags.yaml'], 'keep').notes?.map((note) => formatProblem(note))).toEqual([
        'tags.yaml: is a patch of ../base/kustomization.yaml, and is judged as one; give ../base for what it becomes',
      ]);
    } finally {
      process.chdir(here);
    }
  });

  test('a part of the repository with all that is below it', () => {
    expect(readRepositories([join(root, 'apps/shop/aso')]).map(namesOf)).toEqual([[['own.yaml'], ['group.yaml', 'tags.yaml']], [[], []]]);
  });

  test('without a repository, nothing else is looked through', () => {
    expect(namesOf(readManifests([join(treeOf(FILES), 'apps/shop/aso')], 'keep'))).toEqual([['group.yaml', 'own.yaml', 'tags.yaml'], []]);
  });

  test('check has no line about what a patch leaves out', async () => {
    expect(await check(join(root, 'apps/shop/aso/tags.yaml'))).not.toContain('missing-field');
  });
});

describe('the repository of a directory', () => {
  const root = treeOf({ '.git/HEAD': '', 'me/.git/HEAD': '', 'me/app/a.yaml': '', 'you/app/a.yaml': '' });

  test.each([
    ['the nearest one', 'me/app', '/elsewhere', join(root, 'me')],
    ['one further above', 'you/app', '/elsewhere', root],
    ['no home directory', 'me/app', join(root, 'me'), undefined],
    ['none above a home directory', 'you/app', join(root, 'you'), undefined],
  ])('%s', (_, directory, home, repository) => {
    expect(repositoryOf(join(root, directory), home)).toBe(repository);
  });
});

describe('files of a kustomization that cannot be read', () => {
  const files = {
    'base/kustomization.yaml': 'resources: [group.yaml]\nreplacements:\n- a: [\n',
    'base/group.yaml': group('rg', '', 'location: 5\n  locatoin: x'),
    'base/values.yaml': 'a: 1\n',
    'prod/kustomization.yaml': 'namePrefix: p-\nresources: [../base]\n',
  };

  test.each([['the repository', '', ['-R']], ['its directory', 'base', []], ['an overlay', 'prod', []]])(
    '%s: what it may replace is no mistake, and what it has is read', async (_, path, options) => {
      const root = treeOf(files);
      const out = await check(...options, join(root, path), '-o', 'json');
      const { findings } = JSON.parse(out) as { findings: { rule: string; file: string; field?: string; severity: string }[] };
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ rule, file, field }) => [rule, file.replace(`${root}/`, ''), field]);
      expect(errors).toEqual([['unreadable', 'base/kustomization.yaml', undefined], ['unknown-field', 'base/group.yaml', 'spec.locatoin']]);
    },
  );
});

test('values that a patch may replace are no mistakes where nothing is built', () => {
  const root = treeOf({
    'kustomization.yaml': 'resources: [a.yaml]\npatches:\n- path: p.yaml\n', 'a.yaml': group('a', '', 'location: 5'), 'p.yaml': group('a', '', 'location: uksouth'),
  });
  const { manifests } = readManifests([root], 'keep', undefined, { tools: {} });
  expect(manifests.map(({ isPartial, hasOpenValues }) => [isPartial, hasOpenValues])).toEqual([[true, true]]);
});
