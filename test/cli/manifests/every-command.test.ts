import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const GROUP = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg}\nspec: {location: uksouth}\n';
/** Commands that read manifests, with what else they need. */
const COMMANDS: readonly (readonly string[])[] = [['check'], ['plan'], ['graph'], ['capacity'], ['crds'], ['convert'], ['diff', '/dev/null']];

const run = async (...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine(args, '1.2.3', terminal);
  return { status, text: [...terminal.err, ...terminal.out].join('\n') };
};

test.each(COMMANDS)('%s: a directory without manifests, or without objects, is an error', async (...command) => {
  for (const files of [{}, { 'empty.yaml': '# nothing\n---\n' }]) {
    const { status, text } = await run(...command, filesIn(files));
    expect([status, text]).toEqual([1, expect.stringMatching(/the directory has no (\.yaml, \.yml or \.json file|Kubernetes object)/)]);
  }
});

test.each(COMMANDS)('%s: a directory of the directories of clusters is an error that names these', async (...command) => {
  const root = filesIn({});
  for (const cluster of ['a', 'b']) {
    mkdirSync(join(root, 'dev', cluster), { recursive: true });
    writeFileSync(join(root, 'dev', cluster, 'rg.k8s.yaml'), GROUP);
  }
  const { status, text } = await run(...command, root);
  expect([status, text.replaceAll(root, '')]).toEqual([1, expect.stringContaining('; give the directory of one cluster: /dev/a or /dev/b')]);
});

test.each(COMMANDS)('%s skips the metadata of constructs that cdk8s writes beside the manifests', async (...command) => {
  const directory = filesIn({ 'a.k8s.yaml': GROUP, 'empty.k8s.yaml': '', 'construct-metadata.json': '{"version":"1.0.0","resources":{}}' });
  const { status, text } = await run(...command, directory);
  expect([status, text]).toEqual([0, expect.not.stringContaining('construct-metadata')]);
});

describe('--catalog', () => {
  const directory = filesIn({ 'a.yaml': GROUP });
  const catalog = join(filesIn({ 'catalog.json': '{"cdk8sAsoCatalog":1,"services":[]}' }), 'catalog.json');
  const good = { check: ['check'], graph: ['graph'], capacity: ['capacity'], diff: ['diff', '/dev/null'] };

  test.each(Object.entries(good))('%s takes it before and after the manifests, once or twice', async (_, command) => {
    const outputs = [
      await run(...command, directory),
      await run(...command, '--catalog', catalog, directory),
      await run(...command, directory, '--catalog', catalog),
      await run(...command, '--catalog', catalog, `--catalog=${catalog}`, directory),
    ];
    expect(new Set(outputs.map(({ text }) => text)).size).toBe(1);
    expect(outputs.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  });
});

/** The built program, if there is one: its standard input is a file, which a test in the process has not. */
const PROGRAM = join(__dirname, '..', '..', '..', 'lib', 'cli', 'main.js');
const built = existsSync(PROGRAM) ? describe : describe.skip;

built('the built program', () => {
  test.each([...COMMANDS, ['import-crds'], ['sandbox']])('%s: an empty standard input is an error', (...command) => {
    for (const input of ['', '\n', '# nothing\n']) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...command, '-'], { input, encoding: 'utf8' });
      expect([status, stdout + stderr]).toEqual([1, expect.stringContaining('<stdin>')]);
      // Warnings of Node itself, such as (node:1) ExperimentalWarning.
      expect(stderr).not.toContain('(node:');
    }
  });
});
