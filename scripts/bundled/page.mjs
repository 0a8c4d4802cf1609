// Bundles the page that `cdk8s-aso ui` serves, for browsers:
//   node scripts/bundled/page.mjs DIRECTORY
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const FILES = ['index.html', 'page.css', 'icon.svg'];

/** Writes the page into a directory. Returns esbuild's account of what is in it. */
export async function bundlePage(directory) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const { metafile } = await build({
    entryPoints: { page: join(ROOT, 'page/client/main.ts') },
    outdir: directory,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    minify: true,
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: ROOT,
    tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
  });
  for (const file of FILES) copyFileSync(join(ROOT, 'page/client', file), join(directory, file));
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePage(process.argv[2]);
