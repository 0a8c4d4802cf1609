import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(__dirname, '../..');
const LICENCES = join(ROOT, 'THIRD-PARTY-LICENSES.txt');

/** The packages that a program is made of. */
async function packagesOf(room: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, room, 'main.ts')],
    absWorkingDir: ROOT,
    outdir: 'unwritten',
    write: false,
    metafile: true,
    logLevel: 'silent',
    bundle: true,
    splitting: room === 'cli',
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    minify: true,
    mainFields: ['module', 'main'],
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input));
  return [...new Set(used.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))];
}

test.each(['cli', 'controller', 'sandbox'])('every package in %s is named with its licence', async (room) => {
  expect(existsSync(LICENCES)).toBe(true); // `npm run make` writes it
  const text = readFileSync(LICENCES, 'utf8');
  const folders = await packagesOf(room);
  const unnamed = folders
    .map((folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { name: string; version: string })
    .filter(({ name, version }) => !text.includes(`\n${name} ${version}`))
    .map(({ name, version }) => `${name} ${version}`);
  expect(folders.length).toBeGreaterThan(0);
  expect(unnamed).toEqual([]);
});

test('Graphviz is named, not only its wrapper', () => {
  const entry = readFileSync(LICENCES, 'utf8').split('='.repeat(80)).find((text) => text.includes('Graphviz, compiled to WebAssembly'));
  expect(entry).toContain('Apache License');
  expect(entry).toContain('Eclipse Public License');
  expect(entry).toContain('https://gitlab.com/graphviz/graphviz');
});
