import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLES } from './rows';

/** The tables that the files of this folder test; each file checks the rows of its own. */
function testedTables(): string[] {
  const files = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts'));
  return files.flatMap((file) => [...readFileSync(join(__dirname, file), 'utf8').matchAll(/^table\('([^']+)'/gm)].map(([, reference]) => reference));
}

test('every table is tested, each in one file', () => {
  expect(testedTables().sort()).toEqual(Object.keys(TABLES).sort());
});

test('the rows of a table have different names', () => {
  for (const rows of Object.values(TABLES)) expect(new Set(rows).size).toBe(rows.length);
});

test('the count of rows', () => {
  const count = (document: string) => Object.entries(TABLES).filter(([name]) => name.startsWith(document)).flatMap(([, rows]) => rows).length;
  const [conditions, controller] = [count('conditions.md'), count('controller.md')];
  process.stdout.write(`rows of tables tested: ${conditions} of conditions.md, ${controller} of controller.md, ${conditions + controller} in all\n`);
  expect([conditions, controller]).toEqual([152, 171]);
});
