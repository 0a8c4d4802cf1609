import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly content: Buffer;
}

const FILES = ['index.html', 'page.js', 'page.css', 'icon.svg'] as const;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the page, which `scripts/bundle.mjs` has written into `lib/page`: beside the program, or seen from the sources. */
function assetsDirectory(): string {
  return [join(__dirname, '..', 'page'), join(__dirname, '..', 'lib', 'page')].find((directory) => existsSync(join(directory, 'page.js')))
    ?? join(__dirname, '..', 'page');
}

/**
 * The files of the page by their names. They hold no data.
 * @throws Error where they are missing: the package is incomplete
 */
export function readAssets(directory = assetsDirectory()): ReadonlyMap<string, Asset> {
  return new Map(FILES.map((name) => [name, { type: TYPES[extname(name)]!, content: readFileSync(join(directory, name)) }]));
}
