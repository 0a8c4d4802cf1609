import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { parseManifests } from '../../../cli/manifests/manifests';
import { readManifests } from '../../../cli/manifests/read-manifests';
import { captured, filesIn } from '../capture';

const object = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n${data}`;
/** A billion values in ten lines. */
const LAUGHS = object(['  a: &a [x, x, x, x, x, x, x, x, x, x]', ...[...'bcdefghi'].map((name, index) => {
  const before = `*${'abcdefghi'[index]}`;
  return `  ${name}: &${name} [${Array.from({ length: 10 }, () => before).join(', ')}]`;
}), ''].join('\n'));
/** One long text, 900 times: each alias stands for no other, so that they are few. */
const LONG = object(`  a: &a ${'x'.repeat(1_000_000)}\n${Array.from({ length: 900 }, (_, index) => `  b${index}: *a\n`).join('')}`);
/** One long list, 900 times. */
const LISTS = object(`  a: &a [${Array.from({ length: 20_000 }, () => '1').join(', ')}]\n${Array.from({ length: 900 }, (_, index) => `  b${index}: *a\n`).join('')}`);

test.each([
  ['laughs', LAUGHS],
  ['a long text', LONG],
  ['a long list', LISTS],
])('%s: an error in place of the memory, and others are read', (_, text) => {
  const { manifests, problems } = parseManifests(`${text}---\n${object('  ok: "1"\n').replace('name: a', 'name: b')}`, 'f.yaml');
  expect(problems).toEqual([
    expect.objectContaining({ file: 'f.yaml', message: expect.stringContaining('its aliases stand for far more than the file holds') }),
  ]);
  expect(manifests.map(({ object: { metadata } }) => metadata.name)).toEqual(['b']);
});

test('every command tells it', async () => {
  const directory = filesIn({ 'bomb.yaml': LISTS });
  for (const command of [['convert'], ['graph'], ['check'], ['plan']]) {
    const terminal = captured();
    expect(await runCommandLine([...command, join(directory, 'bomb.yaml')], '0', terminal)).toBe(1);
    expect([...terminal.err, ...terminal.out].join('\n')).toContain('its aliases stand for far more than the file holds');
  }
});

test('honest anchors are followed', () => {
  const { manifests, problems } = parseManifests(
    object(`  a: &a {x: "1", y: "2"}\n${Array.from({ length: 100 }, (_, index) => `  b${index}: *a\n`).join('')}`),
    'f.yaml',
  );
  expect([manifests.length, problems]).toEqual([1, []]);
});

test('nesting without end', () => {
  for (const text of [
    '['.repeat(100_000),
    `a: ${'{a: '.repeat(50_000)}`,
    Array.from({ length: 2_000 }, (_, index) => `${' '.repeat(index)}a:\n`).join(''),
  ]) {
    expect(parseManifests(text, 'f.yaml').problems[0]?.message).toContain('nested more than');
  }
});

test('a file that is larger than any', () => {
  const file = join(filesIn({}), 'a.yaml');
  writeFileSync(file, '');
  truncateSync(file, 256 * 1024 * 1024 + 1);
  expect(readManifests([file]).problems).toEqual([expect.objectContaining({ message: 'is larger than 256 MiB' })]);
  truncateSync(file, 0);
  expect(readFileSync(file, 'utf8')).toBe('');
});

test.each(['check', 'plan', 'convert', 'graph'])('%s: a standard input that does not end', (command) => {
  const main = join(__dirname, '..', '..', '..', 'lib', 'cli', 'main.js');
  const script = `head -c ${256 * 1024 * 1024 + 1} /dev/zero | ${JSON.stringify(process.execPath)} ${JSON.stringify(main)} ${command} -`;
  const { status, stderr, stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', maxBuffer: 1024 * 1024 });
  expect(`${stderr}${stdout}`).toMatch(/<stdin>: .*is larger than 256 MiB/);
  expect(status).toBe(1);
});

test('a pipe in the place of a file', () => {
  const pipe = join(filesIn({}), 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', `head -c ${256 * 1024 * 1024 + 1} /dev/zero > ${JSON.stringify(pipe)}`]);
  expect(readManifests([pipe]).problems).toEqual([expect.objectContaining({ message: 'is larger than 256 MiB' })]);
  writer.kill();
});
