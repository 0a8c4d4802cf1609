import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documents';

const api = readFileSync(join(root, 'API.md'), 'utf8');
/** Every `export * as name from './folder'` of the root. */
const submodules = [...readFileSync(join(root, 'src', 'index.ts'), 'utf8').matchAll(/^export \* as (\w+) from '\.\/([\w/]+)';$/gm)].map(([, name, folder]) => ({ name, folder }));

test('API.md has the hand-written submodules', () => {
  const written = submodules.filter(({ folder }) => !folder.startsWith('services/'));
  expect(written.map(({ name }) => name)).toContain('assertions');
  expect(written.filter(({ name }) => !api.includes(`id="cdk8s-aso.${name}.`)).map(({ name }) => name)).toEqual([]);
});

test('API.md has no service: each has a page of its own', () => {
  const services = submodules.filter(({ folder }) => folder.startsWith('services/'));
  expect(services.length).toBeGreaterThan(40);
  expect(services.filter(({ name }) => api.includes(`id="cdk8s-aso.${name}.`)).map(({ name }) => name)).toEqual([]);
  expect(services.filter(({ name }) => !existsSync(join(root, 'docs', 'api', `${name}.md`))).map(({ name }) => name)).toEqual([]);
});
