import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert } from '../../../cli/convert/convert';
import { captured, filesIn } from '../capture';

const GOOD = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: good}\nspec: {location: uksouth}\n';
const TEMPLATE = '{{- if .Values.x }}\napiVersion: v1\nkind: {{ .Values.kind }}\n\n\nmetadata: [\n  name: {{ .Release.Name }}\n{{- end }}\n';
const BROKEN = '# about the next\n\nkind: X\n  spec:   \n\t bad: [\n\n  \n# its end\n';

function converted(text: string | Buffer) {
  const directory = filesIn({});
  const file = join(directory, 'a.yaml');
  writeFileSync(file, text);
  const terminal = captured();
  const status = convert([file], {}, terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
}

/** The lines of a text, each as the comment that keeps it. */
const comments = (text: string) => text.split('\n').slice(0, -1).map((line) => (line === '' ? '//' : `// ${line.startsWith('#') ? '# ' : ''}${line}`));

test.each([
  ['a template', TEMPLATE, TEMPLATE],
  ['broken YAML', BROKEN, BROKEN],
  ['a template after an object', `${GOOD}---\n${TEMPLATE}`, TEMPLATE],
  ['broken YAML before an object', `${BROKEN}---\n${GOOD}`, BROKEN],
  ['comments at the end of a file', `${GOOD}---\n# last\n#   words\n`, '# last\n#   words\n'],
  ['comments alone', '# nothing\n\n# else\n', '# nothing\n\n# else\n'],
  ['comments alone before broken YAML', `# above\n---\n${BROKEN}`, `# above\n---\n${BROKEN}`],
])('%s: every line is kept as it is', (_, text, kept) => {
  const { out } = converted(text);
  const lines = comments(kept).map((line) => line.replace(/^\/\/ # #/, '// #'));
  expect(out.split('\n').map((line) => line.replace(/^\/\/ # #/, '// #')).join('\n')).toContain(lines.join('\n').trimEnd());
});

test('it says what is kept, and where', () => {
  expect(converted(`${GOOD}---\n${TEMPLATE}`)).toMatchObject({
    status: 1,
    err: expect.stringMatching(/is a template, and no YAML before it is rendered[^]*note: 1 document that could not be read: kept as a comment at the end/) as string,
  });
  expect(converted(`${GOOD}---\n# last\n`)).toMatchObject({ status: 0, err: 'note: the object is a construct of its class' });
});

test('bytes that are no text are kept in base64', () => {
  const bytes = Buffer.concat([Buffer.from('a: '), Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(300, 0x80)]);
  const { status, out, err } = converted(bytes);
  expect([status, err]).toEqual([1, expect.stringContaining('is no text in UTF-8, and is kept in base64')]);
  const kept = out.split('\n').filter((line) => /^\/\/ [A-Za-z0-9+/=]+$/.test(line)).map((line) => line.slice(3)).join('');
  expect(Buffer.from(kept, 'base64')).toEqual(bytes);
});

test('a file in UTF-16 is text, but for half a pair', () => {
  const mark = Buffer.from([0xff, 0xfe]);
  expect(converted(Buffer.concat([mark, Buffer.from(GOOD, 'utf16le')]))).toMatchObject({ status: 0, err: 'note: the object is a construct of its class' });
  const half = converted(Buffer.concat([mark, Buffer.from(`${GOOD}# \uD83D\n`, 'utf16le')]));
  expect([half.status, half.err]).toEqual([1, expect.stringContaining('kept in base64')]);
});
