import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(__dirname, '..', '..', '..');

/** The program of the worker threads, bundled from the sources as the build does it; `end` removes it. */
export function workerProgram(entry = join(root, 'controller', 'job-worker.ts')): { readonly file: string; readonly end: () => void } {
  // The catalog lies two folders above a bundle.
  const directory = join(root, '.cache', `job-worker-${process.pid}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'job-worker.cjs');
  buildSync({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    absWorkingDir: root,
  });
  return { file, end: () => rmSync(directory, { recursive: true, force: true }) };
}
