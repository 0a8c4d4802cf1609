import { importCycles } from '../../../scripts/cycles/components';
import { importedFiles } from '../../../scripts/cycles/imports';
import { cycleProblems } from '../../../scripts/cycles/problems';

const importsOf = (files: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(files));

test('files that import each other by way of others are one group', () => {
  const imports = importsOf({ 'a.ts': ['b.ts'], 'b.ts': ['c.ts', 'd.ts'], 'c.ts': ['a.ts'], 'd.ts': [], 'e.ts': ['a.ts'] });
  expect(importCycles(imports)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
});

test('groups that share no cycle are apart, and a file may import itself', () => {
  const imports = importsOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts', 'c.ts'], 'c.ts': ['d.ts'], 'd.ts': ['c.ts'], 'e.ts': ['e.ts'] });
  expect(importCycles(imports)).toEqual([['c.ts', 'd.ts'], ['a.ts', 'b.ts'], ['e.ts']]);
});

test('a cycle is a problem, told by its shortest way', () => {
  const imports = importsOf({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['c.ts'], 'c.ts': ['a.ts'] });
  expect(cycleProblems(imports, [])).toEqual(['cycle of 3 files: a.ts → c.ts → a.ts']);
});

test('the listed files of a public cycle are none, but a file that joins them is', () => {
  const listed = [{ why: 'each names the other', files: ['a.ts', 'b.ts'] }];
  expect(cycleProblems(importsOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] }), listed)).toEqual([]);
  const joined = importsOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts', 'c.ts'], 'c.ts': ['a.ts'] });
  expect(cycleProblems(joined, listed)).toEqual(['cycle of 3 files: c.ts → a.ts → b.ts → c.ts']);
});

test('a listed file that is in no cycle any more is a problem', () => {
  const listed = [{ why: 'each names the other', files: ['a.ts', 'b.ts'] }];
  expect(cycleProblems(importsOf({ 'a.ts': ['b.ts'], 'b.ts': [] }), listed)).toEqual([
    expect.stringContaining('a.ts is listed'), expect.stringContaining('b.ts is listed'),
  ]);
});

describe('imports of a file', () => {
  const files = new Set(['src/a.ts', 'src/b/index.ts', 'c.ts', 'src/index.ts', 'src/services/sql/index.ts']);
  const imported = (text: string) => importedFiles('src/x.ts', text, files, { 'own': ['./src/index.ts'], 'own/*': ['./src/services/*/index.ts'] });

  test.each([
    ['a statement', "import { a } from './a'; import './b'; import c = require('../c');", ['src/a.ts', 'src/b/index.ts', 'c.ts']],
    ['types', "import type { A } from './a'; import { type B } from './b';", ['src/a.ts', 'src/b/index.ts']],
    ['a type without a statement', "type A = import('./a').A; type B = import('./b').B;", ['src/a.ts', 'src/b/index.ts']],
    ['exports', "export * from './a'; export { b } from './b/index'; export type { C } from '../c';", ['src/a.ts', 'src/b/index.ts', 'c.ts']],
    ['import()', "const a = () => import('./a'); const b = await import('./b/');", ['src/a.ts', 'src/b/index.ts']],
    ['require', "const load = () => require('./a') as object;", ['src/a.ts']],
    ['the file of its directory', "import { a } from '.'; import { c } from '..';", ['src/index.ts']],
    ['a name of the package', "import { a } from 'own'; import { Server } from 'own/sql';", ['src/index.ts', 'src/services/sql/index.ts']],
    ['none of other packages, of Node, or of a comment', "import 'fs'; import 'node:fs'; import './data.json'; // import('./a')", []],
  ])('%s', (_, text, expected) => expect(imported(text)).toEqual(expected));

  test('a file that cannot be parsed is an error', () => expect(() => imported('import {')).toThrow('src/x.ts: '));
});
