import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { doctorJson, doctorText } from '../../../cli/doctor/report';
import { formatFindings } from '../../../cli/migrate/report';
import { fewLines, problemLines } from '../../../cli/output/few-of-each';
import { captured, filesIn } from '../capture';

const MANY = 100_000;
const SOME = 400;
const style = captured().style;
const numbered = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

test('a hundred thousand problems of one kind are the first few, and a count', () => {
  const problems = numbered(MANY, (index) => ({
    file: 'a.yaml', line: index, object: `Secret shop/a${index}`, field: 'kind', message: `'Secr${index}' is no kind`, fix: 'write Secret',
  }));
  const lines = problemLines(problems);
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe("a.yaml: Secret shop/a0: kind: 'Secr0' is no kind; write Secret");
  expect(lines[10]).toBe("and 99990 more like this: a.yaml: Secret shop/a0: kind: 'Secr0' is no kind; write Secret");
  expect(problemLines(problems, true)).toHaveLength(MANY);
});

test('a rare problem is not lost among many of another kind', () => {
  const rare = { file: 'b.yaml', message: 'is no YAML', fix: 'close the quote' };
  const many = numbered(MANY, (index) => ({ file: `a${index}.yaml`, message: `has ${index} spaces`, fix: 'leave them out' }));
  expect(problemLines([...many, rare])).toContain('b.yaml: is no YAML; close the quote');
});

test('kinds without number have an end too', () => {
  const letters = (index: number): string => (index < 26 ? '' : letters(Math.floor(index / 26))) + String.fromCharCode(97 + (index % 26));
  expect(fewLines(numbered(MANY, letters)).length).toBeLessThan(200);
});

test('of doctor and migrate, by what was found; JSON has all', () => {
  const findings = numbered(MANY, (index) => ({
    severity: 'error' as const, id: 'no-owner', object: `Account a${index}`, message: 'has no owner', cure: 'give one',
  }));
  const reports = [{ area: 'objects', seen: 'all', findings, unread: numbered(MANY, (index) => `kind ${index}: refused`) }];
  const text = doctorText(reports as never, style).split('\n');
  expect(text.length).toBeLessThan(50);
  expect(text).toContain('  and 99990 more: error no-owner');
  expect((JSON.parse(doctorJson(reports as never)) as { areas: { findings: unknown[] }[] }).areas[0]!.findings).toHaveLength(MANY);
  const stops = numbered(MANY, (index) => ({ severity: 'stop' as const, check: 'rights', message: `may not write ${index}`, fix: 'grant it' }));
  const found = formatFindings(stops, style).split('\n');
  expect(found.length).toBeLessThan(30);
  expect(found).toContainEqual(expect.stringContaining('and 99990 more: STOP'));
  expect(found.at(-1)).toBe('100000 findings stand in the way.');
});

const unreadable = filesIn({ 'a.yaml': numbered(SOME, (index) => `kind: Thing${index}\nmetadata: { name: a${index} }\n`).join('---\n') });
const wrong = filesIn({
  'a.yaml': numbered(SOME, (index) => (
    `apiVersion: storage.azure.com/v20250601\nkind: StorageAccount\nmetadata: { name: a${index} }\nspec: { kind: Kind${index} }\n`
  )).join('---\n'),
});

test.each<readonly string[]>([
  ['check', wrong], ['plan', unreadable], ['plan', '--output', 'markdown', unreadable], ['diff', unreadable, unreadable],
  ['convert', unreadable], ['crds', unreadable], ['graph', unreadable], ['capacity', unreadable],
  ['migrate', 'from-aso', '--check', '--install', join(unreadable, 'a.yaml')],
])('%s %s', async (...args) => {
  const terminal = captured();
  await runCommandLine(args, '1.0.0', terminal);
  // On the standard output convert prints code, with all documents that it does not read.
  const problems = [...(args[0] === 'convert' ? [] : terminal.out.flatMap((text) => text.split('\n'))), ...terminal.err];
  expect(problems.length).toBeGreaterThan(3);
  expect(problems.length).toBeLessThan(60);
  expect(problems.join('\n')).toMatch(/and \d{3} more/);
});

test.each([['check', wrong], ['plan', unreadable]])('%s as JSON leaves nothing out', async (command, files) => {
  const terminal = captured();
  await runCommandLine([command, '--output', 'json', files], '1.0.0', terminal);
  const { findings } = command === 'check' ? JSON.parse(terminal.out[0]!) as { findings: unknown[] } : { findings: terminal.err };
  expect(findings.length).toBeGreaterThanOrEqual(SOME);
});
