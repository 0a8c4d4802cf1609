import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './bundled-packages';

const ROOT = join(__dirname, '..', '..', '..');
const LICENCES = join(ROOT, 'THIRD-PARTY-LICENSES.txt');

test.each(['cli', 'controller', 'sandbox'])('every package in %s is named with its licence', async (room) => {
  expect(existsSync(LICENCES)).toBe(true); // `npm run make` writes it
  const text = readFileSync(LICENCES, 'utf8');
  const packages = await packagesOf(room);
  const unnamed = packages
    .filter(({ name, version }) => !text.includes(`\n${name} ${version}`))
    .map(({ name, version }) => `${name} ${version}`);
  expect(packages.length).toBeGreaterThan(0);
  expect(unnamed).toEqual([]);
});

test('Graphviz is named, not only its wrapper', () => {
  const entry = readFileSync(LICENCES, 'utf8').split('='.repeat(80)).find((text) => text.includes('Graphviz, compiled to WebAssembly'));
  expect(entry).toContain('Apache License');
  expect(entry).toContain('Eclipse Public License');
  expect(entry).toContain('https://gitlab.com/graphviz/graphviz');
});
