import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as Undici from 'undici';

const { Agent, EnvHttpProxyAgent, ProxyAgent } = jest.requireActual<typeof Undici>('../../scripts/bundled/libraries/undici.cjs');

let server: Server;
let proxy: Server;
const proxied: string[] = [];
const urlOf = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = createServer((request, response) => response.end(`answer to ${request.url}`));
  proxy = createServer((request, response) => {
    proxied.push(request.url ?? '');
    response.end('from the proxy');
  });
  await Promise.all([server, proxy].map((each) => new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))));
});
afterAll(() => Promise.all([server, proxy].map((each) => new Promise((resolve) => each.close(resolve)))));

test.each([
  ['Agent', () => new Agent(), 'answer to /a'],
  ['EnvHttpProxyAgent', () => new EnvHttpProxyAgent({ httpProxy: urlOf(proxy), noProxy: '', proxyTunnel: false }), 'from the proxy'],
  ['ProxyAgent', () => new ProxyAgent({ uri: urlOf(proxy), proxyTunnel: false }), 'from the proxy'],
])('the part of undici in the bundles sends requests with %s', async (_, create, answer) => {
  proxied.length = 0;
  const dispatcher = create();
  const { statusCode, body } = await dispatcher.request({ origin: urlOf(server), path: '/a', method: 'GET' });
  expect([statusCode, await body.text()]).toEqual([200, answer]);
  expect(proxied).toEqual(answer === 'from the proxy' ? [expect.stringContaining('/a')] : []);
  await dispatcher.close();
});
