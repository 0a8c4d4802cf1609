import { createServer as createProxy, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createEmptyPipeline, createPipelineRequest, proxyPolicy, type HttpClient } from '@azure/core-rest-pipeline';
import { createHttpClient } from '../../../engine/http/http-client';
import { until } from '../../setup/until';
import { selfSigned } from '../credentials/certificates';

const { certificate, key } = selfSigned();
const ends: (() => Promise<void>)[] = [];
const environment = { ...process.env };

afterEach(async () => {
  process.env = { ...environment };
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** A server that listens, with its open connections. */
async function listen(server: Server | ReturnType<typeof createServer>): Promise<{ host: string; open: Set<Socket> }> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    open.forEach((socket) => socket.destroy());
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return { host: `localhost:${(server.address() as AddressInfo).port}`, open };
}

const azure = () => listen(createServer({ cert: certificate, key }, (_, answer) => void setTimeout(() => answer.end('{}'), 100)));

const get = (client: HttpClient, host: string) => client.sendRequest(createPipelineRequest({ url: `https://${host}/` }));

test.each([
  ['a few are kept', 3_600_000, 3],
  ['none is kept when nothing has used them for a while', 50, 0],
])('of the connections of a rush %s', async (_, idleMs, left) => {
  const { host, open } = await azure();
  const client = createHttpClient({ mostIdle: 3, idleMs, ca: certificate });
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(client, host)));

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));

  await until(`${left} are left`, () => open.size === left);

  expect((await get(client, host)).status).toBe(200);
});

test('requests one after the other share a connection', async () => {
  const { host, open } = await azure();
  const seen = new Set<Socket>();
  const client = createHttpClient({ mostIdle: 3, idleMs: 30_000, ca: certificate });
  for (let index = 0; index < 5; index += 1) {
    await get(client, host);
    open.forEach((socket) => seen.add(socket));
  }

  expect(seen.size).toBe(1);
});

test('a request that takes longer than idle connections are kept is answered', async () => {
  const { host } = await azure();

  expect((await get(createHttpClient({ mostIdle: 1, idleMs: 20, ca: certificate }), host)).bodyAsText).toBe('{}');
});

test('a server whose certificate nobody vouches for gets no request', async () => {
  const { host } = await azure();

  await expect(get(createHttpClient(), host)).rejects.toThrow('self-signed certificate');
});

test('the proxy of the environment is used', async () => {
  const targets: (string | undefined)[] = [];
  const proxy = createProxy();
  proxy.on('connect', ({ url }, socket: Socket) => {
    targets.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  process.env.HTTPS_PROXY = `http://${(await listen(proxy)).host}`;
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(proxyPolicy());
  const request = createPipelineRequest({ url: 'https://management.azure.com/' });

  expect((await pipeline.sendRequest(createHttpClient(), request)).status).toBe(403);
  expect(targets).toEqual(['management.azure.com:443']);
});
