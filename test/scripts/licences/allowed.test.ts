import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bundled-packages';
import { ALLOWED_LICENCES } from '../../../projenrc/licences';

const directory = mkdtempSync(join(tmpdir(), 'licences-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function check(file?: string): { status: number | null; out: string; err: string } {
  const env = { PATH: process.env.PATH, ...(file !== undefined && { SBOM: file }) };
  const command = [join(ROOT, 'scripts', 'licences.mjs'), ...ALLOWED_LICENCES];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, env, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

/** A list with one package under each of these, as CycloneDX writes them. */
function listOf(...licences: (object | undefined)[]): string {
  const file = join(directory, 'sbom.cdx.json');
  const library = (name: string, licence?: object) =>
    ({ type: 'library', name, version: '1.0.0', ...(licence && { licenses: [licence] }) });
  const components = licences.map((licence, i) => library(`p${i}`, licence));
  writeFileSync(file, JSON.stringify({ metadata: { component: library('own', { license: { id: 'MIT' } }) }, components }));
  return file;
}

test('what is bundled today is allowed', () => {
  const { status, out, err } = check();
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/^\d{3} components, all with a licence that is allowed\n$/);
});

test.each<[string, object | undefined]>([
  ['GPL-3.0-only', { license: { id: 'GPL-3.0-only' } }],
  ['Free for friends', { license: { name: 'Free for friends' } }],
  ['(MIT AND GPL-2.0-only)', { expression: '(MIT AND GPL-2.0-only)' }],
  ['Apache-2.0 WITH LLVM-exception', { expression: 'Apache-2.0 WITH LLVM-exception' }],
  ['no licence', undefined],
])('%s is refused, with the package and the place of the list', (name, licence) => {
  const { status, err } = check(listOf({ license: { id: 'MIT' } }, licence));
  expect(status).toBe(1);
  expect(err).toContain(`licences: p1 1.0.0: ${name}\n`);
  expect(err).toContain('projenrc/licences.ts');
  expect(err).not.toContain('p0');
});

test.each([
  { license: { id: 'ISC' } },
  { expression: '(BSD-3-Clause OR GPL-2.0)' },
  { expression: 'MIT AND (ISC OR GPL-2.0-only)' },
])('%j is allowed', (licence) => {
  expect(check(listOf(licence))).toMatchObject({ status: 0, err: '' });
});

test('without a build there is nothing to check, which is no success', () => {
  expect(check(join(directory, 'not-there.json'))).toMatchObject({ status: 2, err: expect.stringContaining('npm run make') as string });
});
