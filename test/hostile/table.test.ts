import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileDocument } from './document';
import { PLATFORM_ATTACKS } from './platform-attacks';
import { ATTACKS } from './rows';
import { TRANSPORT_ATTACKS } from './transport-attacks';

const all = Object.values(ATTACKS).flat();
const DOCUMENT = join(__dirname, '..', '..', 'docs', 'hostile.md');

test('every row has a name of its own and says who, what and what must hold', () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { id, who, what, holds } of all) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const text of [who, what, holds]) expect(text.length).toBeGreaterThan(4);
  }
});

test('each area has rows, and a file that runs them', () => {
  for (const [area, attacks] of Object.entries(ATTACKS)) expect([area, attacks.length > 0]).toEqual([area, true]);
  const files = readdirSync(join(__dirname, 'rows')).filter((file) => file !== 'index.ts');
  expect(files).toHaveLength(Object.keys(ATTACKS).length);
  for (const file of files) expect(existsSync(join(__dirname, file.replace(/\.ts$/, '.test.ts')))).toBe(true);
});

test('names of rows that share an environment do not begin each other', () => {
  // Paths in Azure are matched by their beginnings.
  const shared = all.filter(({ shares }) => shares).map(({ id }) => id);
  for (const id of shared) expect(shared.filter((other) => other !== id && other.startsWith(id))).toEqual([]);
});

test('each attack on a part has its test', () => {
  for (const { test: [file, title] } of [...PLATFORM_ATTACKS, ...TRANSPORT_ATTACKS]) {
    expect([title, readFileSync(join(__dirname, '..', file), 'utf8').includes(title)]).toEqual([title, true]);
  }
});

test('docs/hostile.md lists the rows as they are', () => {
  if (process.env.WRITE_DOCS) writeFileSync(DOCUMENT, hostileDocument());
  expect(existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '').toBe(hostileDocument());
});
