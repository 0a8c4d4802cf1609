import { importCycles } from '../../../scripts/cycles/components';
import { importTypes } from '../../../scripts/cycles/import-types';
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

test('a type of another file counts without an import statement', () => {
  const files = new Set(['src/a.ts', 'src/b/index.ts', 'c.ts']);
  const text = "type A = import('./a').A; type B = import('./b').B; const c = await import('../c'); import('fs');";
  expect(importTypes('src/x.ts', text, files)).toEqual(['src/a.ts', 'src/b/index.ts', 'c.ts']);
});
