import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { DOCUMENTATION_SITE } from '../../src/documentation';

export const dist = join(__dirname, '..', '..', 'site', 'dist');
/** The path below which the site is published. */
export const base = new URL(DOCUMENTATION_SITE).pathname;

/** Why the tests of the built site are skipped; undefined when they can run. */
export const notBuilt = existsSync(join(dist, 'index.html')) ? undefined : 'the site is not built: npm run docs:site';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.xml': 'application/xml',
};

/** The file of a path, as GitHub Pages finds it: `/credentials` is `credentials.html`, a directory its `index.html`. */
export function fileOf(path: string): string | undefined {
  if (!path.startsWith(base)) return undefined;
  const file = join(dist, normalize(`/${decodeURIComponent(path.slice(base.length))}`));
  return [file, `${file}.html`, join(file, 'index.html')].find((candidate) => extname(candidate) !== '' && existsSync(candidate));
}

/** Serves the built site on the loopback interface. */
export async function serve(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const file = fileOf(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${base}`, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}
