import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

export const ROOT = join(__dirname, '..', '..', '..');

export interface Package { readonly name: string; readonly version: string }

/** Programs of worker threads, which lie beside `main.js`. */
const THREADS: Record<string, string[]> = { controller: ['job-worker', 'supervisor-thread'] };

const partOf = (file: string) => join(ROOT, 'scripts', 'bundled', 'libraries', file);
/** The libraries of which a part is bundled. */
const ALIASES = { 'undici': partOf('undici.cjs'), '@opentelemetry/api': partOf('opentelemetry-api.cjs') };

/** The packages that a program is made of, as esbuild finds them now. */
export async function packagesOf(room: string): Promise<Package[]> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, room, 'main.ts'), ...(THREADS[room] ?? []).map((name) => join(ROOT, room, `${name}.ts`))],
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
    alias: ALIASES,
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input));
  const folders = new Set(used.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  return [...folders].map((folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Package);
}
