import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const definition = join(__dirname, 'definitions', 'box.ts');
const box = (spec: string, { name = 'one', version = 'v1', kind = 'Box' } = {}) =>
  `apiVersion: platform.example.com/${version}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: team}\nspec: ${spec}\n`;

async function apiTest(directory: string, ...options: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['api', 'test', definition, directory, ...options], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n').replaceAll(directory, 'claims'), err: terminal.err.join('\n').replaceAll(directory, 'claims') };
}

test('the expected file is written with --update, and compared without', async () => {
  const directory = filesIn({ 'a.yaml': `${box('{size: 2}')}---\n${box('{}', { name: 'two' })}` });
  const expected = join(directory, 'a.expected.yaml');
  expect(await apiTest(directory)).toMatchObject({ status: 1, out: expect.stringContaining('there is no expected file: write it with --update') });
  expect(existsSync(expected)).toBe(false);
  expect(await apiTest(directory, '--update')).toMatchObject({ status: 0, out: expect.stringMatching(/^written claims\/a.yaml\n {2}Box team\/one: 1 object\n/) });
  expect(await apiTest(directory)).toMatchObject({
    status: 0,
    out: 'same claims/a.yaml\n  Box team/one: 1 object\n  Box team/two: 1 object\n1 file, all as expected',
    err: '',
  });
  writeFileSync(expected, readFileSync(expected, 'utf8').replace('size: "2"', 'size: "3"'));
  const { status, out } = await apiTest(directory);
  expect(status).toBe(1);
  expect(out).toMatch(/^different claims\/a.yaml/);
  expect(out).toMatch(/\n {2}- {3}size: "3"\n {2}\+ {3}size: "2"\n/);
  expect(out).toMatch(/1 file, 1 not as expected$/);
});

test('expected files may be in a directory of their own, which is made', async () => {
  const directory = filesIn({ 'a.yaml': box('{size: 2}') });
  const expected = join(directory, 'test', 'expected');
  expect(await apiTest(directory, '--expected', expected, '--update')).toMatchObject({ status: 0, out: expect.stringMatching(/^written claims\/a.yaml\n/) });
  expect([existsSync(join(expected, 'a.expected.yaml')), existsSync(join(directory, 'a.expected.yaml'))]).toEqual([true, false]);
  expect(await apiTest(directory, '--expected', expected)).toMatchObject({ status: 0, err: '' });
  const same = join(filesIn({ 'a.yaml': box('{}', { name: 'other' }) }), 'a.yaml');
  const { status, out, err } = await apiTest(directory, same, '--expected', expected);
  expect([status, out]).toEqual([1, expect.stringMatching(/\n1 file, all as expected$/)]);
  expect(err).toContain('its expected file is that of claims/a.yaml too');
});

test.each<[string, string, string]>([
  ['the API server', '{size: 100}', 'spec.size: Invalid value: 100: spec.size in body should be less than or equal to 99'],
  ['the API server, strictly', '{sise: 1}', 'spec.sise: unknown field'],
  ['the definition', '{size: 13}', 'spec.size: brings bad luck'],
])('a claim that %s refuses has its expected file too', async (_, spec, reason) => {
  const directory = filesIn({ 'a.yaml': box(spec) });
  expect(await apiTest(directory, '--update')).toMatchObject({ status: 0, out: expect.stringContaining(`Box team/one: InvalidSpec: ${reason}`) });
  expect(readFileSync(join(directory, 'a.expected.yaml'), 'utf8')).toContain('reason: InvalidSpec');
  expect(await apiTest(directory)).toMatchObject({ status: 0 });
});

test.each<[string, string, string]>([
  ['an error', '{mode: throws}', `Box team/one: ComposeFailed: no such box\n    at ${join('test', 'cli', 'api', 'definitions', 'box.ts')}:30:34`],
  ['randomness', '{mode: random}', 'ComposeFailed: Math.random cannot be used: compose must give the same objects for the same claim'],
  ['state', '{mode: counts}', 'NotDeterministic: team/one/box was another object at the second time'],
])('%s is never expected', async (_, spec, message) => {
  const directory = filesIn({ 'a.yaml': box(spec) });
  expect(await apiTest(directory, '--update')).toMatchObject({ status: 1, out: expect.stringContaining(message) });
  expect(existsSync(join(directory, 'a.expected.yaml'))).toBe(false);
});

test('an older version is composed; a spec that does not come back from it is an error', async () => {
  const directory = filesIn({ 'a.yaml': box('{width: 3}', { version: 'v1alpha1' }), 'b.yaml': box('{note: kept}') });
  const { status, out } = await apiTest(directory, '--update');
  expect(status).toBe(1);
  expect(out).toContain('written claims/a.yaml\n  Box team/one: 1 object');
  expect(out).toContain('error: Box team/one: v1alpha1: the spec {"size":1,"mode":"plain","note":"kept"} is another one when it comes back: {"mode":"plain","size":1}');
});

test('a claim of an older version is converted before it goes there and back', async () => {
  const { status, out } = await apiTest(filesIn({ 'a.yaml': box('{width: 7}', { version: 'v1alpha1' }) }), '--update');
  expect(status).toBe(1);
  expect(out).toContain('error: Box team/one: v1alpha1: the spec {"mode":"plain","size":8} is another one when it comes back: {"mode":"plain","size":9}');
});

test('a file that cannot be read has no expected file, and is no success', async () => {
  const directory = filesIn({ 'c.yaml': 'kind: [' });
  const { out, err } = await apiTest(directory);
  expect([out, err]).toEqual(['failed claims/c.yaml\n1 file, 1 not as expected', expect.stringContaining('claims/c.yaml')]);
  const none = await apiTest(join(directory, 'none'));
  expect([none.status, none.out]).toEqual([1, 'no claims']);
});

test('lines of the console are printed', async () => {
  expect((await apiTest(filesIn({ 'a.yaml': box('{mode: logs}') }), '--update')).out).toContain('  log: a line');
});

test('objects that are no claims are named with their place', async () => {
  const directory = filesIn({ 'a.yaml': box('{}', { kind: 'Bocks' }), 'b.yaml': box('{}', { version: 'v7' }), 'c.yaml': 'kind: [' });
  const { status, out, err } = await apiTest(directory);
  expect(status).toBe(1);
  expect(out).toContain("claims/a.yaml:1: Bocks team/one: is none of the definition's kinds: Box of platform.example.com");
  expect(out).toContain('claims/b.yaml:1: Box team/one: has a version that the definition does not serve: write platform.example.com/v1');
  expect(err).toContain('claims/c.yaml');
});

test('the JSON output has all of it', async () => {
  const { status, out } = await apiTest(filesIn({ 'a.yaml': box('{}') }), '-o', 'json');
  expect(status).toBe(1);
  expect(JSON.parse(out)).toEqual({
    files: [{
      file: 'claims/a.yaml',
      outcome: 'missing',
      claims: [{ claim: 'Box team/one', objects: 1 }],
      difference: [],
      errors: [],
      warnings: [],
      logs: [],
    }],
  });
});

test('a definition that cannot be bundled or loaded is said', async () => {
  const terminal = captured();
  expect(await runCommandLine(['api', 'test', join(__dirname, 'definitions', 'none.ts'), '.'], '1.2.3', terminal)).toBe(1);
  expect(terminal.err.join('\n')).toContain('Could not resolve');
  expect(await runCommandLine(['api', 'test', join(__dirname, 'api-test.test.ts'), '.'], '1.2.3', terminal)).toBe(1);
});
