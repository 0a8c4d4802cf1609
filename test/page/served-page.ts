import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PageServer, type PageSource } from '../../page';
import { readAssets, type Asset } from '../../page/assets';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'bundled', 'page.mjs');

/** The files of the page, bundled from the sources as they are now. */
export function builtAssets(): ReadonlyMap<string, Asset> {
  const directory = join(mkdtempSync(join(tmpdir(), 'page-')), 'page');
  execFileSync(process.execPath, [SCRIPT, directory]);
  return readAssets(directory);
}

export interface ServedPage {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a page below a path; unlike with the command, another run on the same port takes the same token. */
export async function servePage(source: PageSource, assets: ReadonlyMap<string, Asset>, token: string, port = 0): Promise<ServedPage> {
  const page = new PageServer({
    source,
    assets,
    heartbeatMs: 500,
    refuse: (authorization) => (authorization === `Bearer ${token}` ? undefined : { status: 401, text: 'no such token' }),
  });
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    if (!path.startsWith('/ui/')) return void response.writeHead(404).end();
    void page.answer(path.slice('/ui/'.length), new URLSearchParams(query), request, response);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    url: `http://127.0.0.1:${actual}/ui/`,
    close: () => {
      page.close();
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}
