import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { styleFor } from '../../../cli/output/terminal';
import { captured, filesIn } from '../capture';

const OLD = join(__dirname, 'golden', 'old.yaml');
const NEW = join(__dirname, 'golden', 'new.yaml');
const EMPTY = '/dev/null';

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['diff', ...args], '1.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const group = (name: string, more = '') =>
  `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: ${name} }\nspec: { location: uksouth${more} }\n`;

describe('everything at once', () => {
  test('as text', async () => {
    const { status, out, err } = await run(OLD, NEW);
    expect({ status, err }).toEqual({ status: 0, err: [] });
    expect(out).toMatchSnapshot();
  });

  test('as text, with all details', async () => {
    const { out } = await run(OLD, NEW, '--verbose');
    expect(out).toContain('ConfigMap shop/settings changed\n      data.colour: red → blue');
    expect(out).not.toContain('--verbose lists them');
  });

  test('as Markdown', async () => {
    const { out } = await run(OLD, NEW, '-o', 'markdown');
    expect(out).toMatchSnapshot();
  });

  test('as JSON', async () => {
    const { out } = await run(OLD, NEW, '-o', 'json');
    expect(JSON.parse(out)).toMatchSnapshot();
  });

  test('no output has a secret', async () => {
    for (const format of ['text', 'markdown', 'json']) expect((await run(OLD, NEW, '-v', '-o', format)).out).not.toMatch(/golden-secret/);
  });

  test('colours only on a terminal', async () => {
    expect((await run(OLD, NEW)).out).not.toContain('\u001b');
    const terminal = { ...captured(), style: styleFor({ isTTY: true }, {}) };
    await runCommandLine(['diff', OLD, NEW], '1.0.0', terminal);
    expect(terminal.out.join('\n')).toContain('\u001b[31m-\u001b[39m');
  });
});

describe('exit status', () => {
  test.each([
    ['the same', [OLD, OLD], 0, 'No differences.'],
    ['the same, asked', [OLD, OLD, '--exit-code'], 0, 'No differences.'],
    ['differences', [OLD, NEW], 0, 'Summary:'],
    ['differences, asked', [OLD, NEW, '--exit-code'], 1, 'Summary:'],
    ['only other objects differ, asked', [OLD, EMPTY, '--exit-code'], 1, 'Summary:'],
    ['from nothing', [EMPTY, NEW], 0, 'Created'],
    ['nothing and nothing', [EMPTY, EMPTY, '--exit-code', '-o', 'markdown'], 0, '**No differences.**'],
  ])('%s', async (_, args, status, text) => {
    const result = await run(...args);
    expect(result).toMatchObject({ status, err: [] });
    expect(result.out).toContain(text);
  });

  test.each([
    ['one side only', [OLD]],
    ['three sides', [OLD, NEW, NEW]],
    ['the standard input twice', ['-', '-']],
    ['no format', [OLD, NEW, '-o', 'yaml']],
    ['no subscription', [OLD, NEW, '-s', 'x']],
  ])('%s is a wrong command line', async (_, args) => {
    const { status, out } = await run(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
  });
});

describe('what cannot be read', () => {
  test('is named, and the rest is compared, with a warning', async () => {
    const directory = filesIn({
      'old.yaml': `${group('a')}---\n${group('b')}`,
      'new.yaml': `${group('a', ', tags: { x: one }')}---\nnot an object\n`,
    });
    for (const [flags, status] of [
      [[], 1],
      [['--exit-code'], 2],
    ] as const) {
      const result = await run(join(directory, 'old.yaml'), join(directory, 'new.yaml'), ...flags);
      expect(result.status).toBe(status);
      expect(result.err).toEqual([expect.stringMatching(/new\.yaml:6: is not a Kubernetes object/)]);
      expect(result.out).toContain('1 document of NEW could not be read: what is in them may be shown as deleted');
      expect(result.out).toContain('ResourceGroup a');
      expect(result.out).toContain('tags.x: (not set) → one');
    }
  });

  test.each([
    ['OLD', 'absent.yaml', OLD],
    ['NEW', OLD, 'absent.yaml'],
  ])('where nothing of %s can be read, nothing is compared', async (side, old, next) => {
    const { status, out, err } = await run(old, next);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toEqual([expect.stringContaining('no such file'), expect.stringContaining(`nothing of ${side} could be read`)]);
  });

  test('an object that stands twice counts once', async () => {
    const directory = filesIn({ 'a.yaml': `${group('a')}---\n${group('a')}` });
    const { status, err } = await run(join(directory, 'a.yaml'), join(directory, 'a.yaml'));
    expect(status).toBe(1);
    expect(err).toHaveLength(2);
  });
});

test('nothing in the files can write over the terminal, or into the Markdown', async () => {
  const evil = '\\u001b[2J\\n### @all <img src=x> `` ` `';
  const directory = filesIn({ 'a.yaml': group('a'), 'b.yaml': group('a', `, tags: { x: "${evil}" }`) });
  const text = (await run(join(directory, 'a.yaml'), join(directory, 'b.yaml'))).out;
  expect(text).not.toContain('\u001b');
  expect(text.split('\n').some((line) => line.startsWith('###'))).toBe(false);
  const markdown = (await run(join(directory, 'a.yaml'), join(directory, 'b.yaml'), '-o', 'markdown')).out;
  expect(markdown).toContain('``` [2J ### @all <img src=x> `` ` ` ```');
});

test('long sections are folded in Markdown, deletions never', async () => {
  const many = Array.from({ length: 12 }, (_, i) => group(`g${i}`)).join('---\n');
  const directory = filesIn({ 'many.yaml': many });
  const created = (await run(EMPTY, join(directory, 'many.yaml'), '-o', 'markdown')).out;
  expect(created).toContain('<details><summary><b>Created (12)</b></summary>');
  const deleted = (await run(join(directory, 'many.yaml'), EMPTY, '-o', 'markdown')).out;
  expect(deleted).toContain('### Deleted in Azure (12)');
  expect(deleted).not.toContain('<details>');
});
