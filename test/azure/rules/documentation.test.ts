import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allAzureRules } from '../../../src/azure/rules/all';
import { KEY_SWITCHES } from '../../../src/azure/rules/export-switches';
import { allRules } from '../../../src/core/rules/all-rules';
import { DOORS, doorsOf, EXCEPTIONS, RULES_OF_SETS, type Door } from '../../mistakes/found-by';

const FILE = join(__dirname, '..', '..', '..', 'docs', 'azure-rules.md');
const BEGIN = '<!-- rules -->\n';

const PLACES: Readonly<Record<Door, string>> = { synth: 'synth', check: '`check`', simulator: 'simulator' };
const foundBy = (doors: readonly Door[]) => doors.map((door) => PLACES[door]).join(', ');

/** Rules that a place lacks, with the reason. */
function exceptions(): string {
  const ofOne = EXCEPTIONS.map(({ rule, wrong, doors, why }) =>
    `| \`${rule}\`: \`${wrong.replace(/"/g, '').replace(':', ': ')}\` | ${foundBy(doors)} | ${why} |`);
  const ofSets = RULES_OF_SETS.map(({ rule, doors, why }) =>
    `| [\`${rule}\`](checks.md#${rule}-${allRules().find(({ id }) => id === rule)!.severity}) | ${foundBy(DOORS.filter((door) => !doors.includes(door)))} | ${why} |`);
  return `### Not found everywhere\n\n| Rule | Not found by | Reason |\n|---|---|---|\n${[...ofOne, ...ofSets].join('\n')}\n`;
}

/** One table a service, in the order of the rules. */
function tables(): string {
  const byService = new Map<string, string[]>();
  for (const rule of allAzureRules()) {
    const { id, kinds, title, evidence, code, fails } = rule;
    const service = kinds[0]?.split('.')[0] ?? 'all kinds';
    const names = kinds.map((kind) => `\`${kind.split('/')[1]}\``).join(', ');
    const rows = byService.get(service) ?? [];
    rows.push(`| \`${id}\` | ${names || 'all'} | ${title.replace(/\|/g, '\\|')} | [${code ?? (fails === undefined ? '– (a warning)' : '– (fails later)')}](${evidence}) | ${foundBy(doorsOf(rule))} |`);
    byService.set(service, rows);
  }
  return [...byService].map(([service, rows]) =>
    `### ${service}\n\n| Rule | Kinds | Azure requires | Answer | Found by |\n|---|---|---|---|---|\n${rows.join('\n')}\n`).join('\n');
}

test('docs/azure-rules.md has every rule (UPDATE_DOCS=1 writes it)', () => {
  const text = readFileSync(FILE, 'utf8');
  const expected = `${text.slice(0, text.indexOf(BEGIN) + BEGIN.length)}\n${exceptions()}\n${tables()}`;
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, expected);
  expect(readFileSync(FILE, 'utf8')).toBe(expected);
});

test('docs/checks.md has every setting that turns keys off (UPDATE_DOCS=1 writes it)', () => {
  const file = join(__dirname, '..', '..', '..', 'docs', 'checks.md');
  const [begin, end] = ['<!-- key switches -->\n', '<!-- end of key switches -->'];
  const rows = KEY_SWITCHES.map(({ kind, path, off, see }) => `| \`${kind}\` | [\`${path}\`](${see}) | ${off.map((value) => `\`${value}\``).join(', ')} |`);
  const text = readFileSync(file, 'utf8');
  const expected = `${text.slice(0, text.indexOf(begin) + begin.length)}| Kind | Setting | Turns keys off |\n|---|---|---|\n${rows.join('\n')}\n${text.slice(text.indexOf(end))}`;
  if (process.env.UPDATE_DOCS) writeFileSync(file, expected);
  expect(readFileSync(file, 'utf8')).toBe(expected);
});
