import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AZURE_RULES } from '../../../src/azure/rules/all';

const FILE = join(__dirname, '..', '..', '..', 'docs', 'azure-rules.md');
const BEGIN = '<!-- rules -->\n';

/** One table a service, in the order of the rules. */
function tables(): string {
  const byService = new Map<string, string[]>();
  for (const { id, kinds, title, evidence, code } of AZURE_RULES) {
    const service = kinds[0]?.split('.')[0] ?? 'all kinds';
    const names = kinds.map((kind) => `\`${kind.split('/')[1]}\``).join(', ');
    const rows = byService.get(service) ?? [];
    rows.push(`| \`${id}\` | ${names || 'all'} | ${title.replace(/\|/g, '\\|')} | [${code ?? '– (a warning)'}](${evidence}) |`);
    byService.set(service, rows);
  }
  return [...byService].map(([service, rows]) =>
    `### ${service}\n\n| Rule | Kinds | Azure requires | Answer |\n|---|---|---|---|\n${rows.join('\n')}\n`).join('\n');
}

test('docs/azure-rules.md has every rule (UPDATE_DOCS=1 writes it)', () => {
  const text = readFileSync(FILE, 'utf8');
  const expected = `${text.slice(0, text.indexOf(BEGIN) + BEGIN.length)}\n${tables()}`;
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, expected);
  expect(readFileSync(FILE, 'utf8')).toBe(expected);
});
