import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createHttpHeaders, createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline';
import { boundedHttpClient, type HttpLimits } from '../../../engine/http/bounded-client';
import { answerHostilely, type HostileBody } from '../../setup/hostile-answers';
import { timersLeftBy } from '../../setup/timers-left';
import { until } from '../../setup/until';

const LIMITS: HttpLimits = { from: 'a test', maxBodyBytes: 100_000, timeoutMs: 300_000 };

let server: Server;
let answer: (response: ServerResponse) => void;
let asked: Record<string, unknown>[];
/** Connections that are open. */
let open: number;

beforeEach(async () => {
  asked = [];
  open = 0;
  server = createServer((request, response) => {
    asked.push({ ...request.headers, method: request.method });
    answer(response);
  });
  server.on('connection', (socket) => {
    open += 1;
    socket.on('error', () => undefined).once('close', () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const get = (limits: Partial<HttpLimits> = {}, options: object = {}) =>
  boundedHttpClient({ ...LIMITS, ...limits }).sendRequest(createPipelineRequest({ url: url(), allowInsecureConnection: true, ...options }));

test.each<[HostileBody, string]>([
  ['bomb', 'the answer has more than 100000 bytes, which no answer of a test has'],
  ['endless', 'the answer has more than 100000 bytes, which no answer of a test has'],
  ['cut', 'the answer broke off, or cannot be unpacked (aborted)'],
])('%s: the request fails, and the connection is closed', async (body, message) => {
  answer = (response) => answerHostilely(response, body);
  await expect(get()).rejects.toThrow(message);
  await until('the connection is closed', () => open === 0);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['a body of which a byte comes now and then', (response) => answerHostilely(response, 'drip')],
  ['headers that never come', () => undefined],
  ['a packed body that does not go on', (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('x'.repeat(50_000)).subarray(0, 20));
  }],
])('%s: the request ends when its time is over', async (_, hostile) => {
  answer = hostile;
  await expect(get({ timeoutMs: 300 })).rejects.toThrow('no answer within 0.3 s');
  await until('the connection is closed', () => open === 0);
});

test.each([
  ['packed', { 'content-encoding': 'gzip' }, gzipSync('x'.repeat(50_000)).subarray(0, 20)],
  ['plain', {}, Buffer.from('x')],
])('an abort ends a %s answer in the middle', async (_, headers, begin) => {
  const controller = new AbortController();
  answer = (response) => {
    response.writeHead(200, headers).write(begin);
    setTimeout(() => controller.abort(new Error('enough')), 50);
  };
  await expect(get({}, { abortSignal: controller.signal })).rejects.toThrow('enough');
  await until('the connection is closed', () => open === 0);
});

test('a body that is small as it is unpacked and endless as it comes', async () => {
  const empty = gzipSync('');
  answer = (response) => {
    response.on('error', () => undefined).writeHead(200, { 'content-encoding': 'gzip' });
    const go = () => {
      while (!response.destroyed && response.write(Buffer.concat(Array.from({ length: 500 }, () => empty))));
    };
    response.on('drain', go);
    go();
  };
  await expect(get()).rejects.toThrow('more than 100000 bytes');
});

test('an answer as large as may be is read, packed or not', async () => {
  const text = 'é'.repeat(50_000);
  for (const encoding of ['gzip', 'GZIP', 'x-gzip', undefined]) {
    answer = (response) => {
      if (encoding) response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(text));
      else response.end(text);
    };
    expect((await get()).bodyAsText).toBe(text);
  }
  expect(asked.map((headers) => headers['accept-encoding'])).toEqual(['gzip', 'gzip', 'gzip', 'gzip']);
});

test.each(['HEAD', 'GET', 'DELETE'] as const)('an answer to %s without a body that says it is packed', async (method) => {
  answer = (response) => response.writeHead(method === 'DELETE' ? 204 : 200, { 'content-encoding': 'gzip' }).end();
  expect((await get({}, { method })).bodyAsText ?? '').toBe('');
});

test('what is no gzip is no answer', async () => {
  answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}');
  await expect(get()).rejects.toThrow('broke off, or cannot be unpacked (incorrect header check)');
});

test('a request is sent as it is', async () => {
  answer = (response) => response.end();
  await get({}, { method: 'POST', body: 'grüße', headers: createHttpHeaders({ 'X-Test': 'yes', 'Accept-Encoding': 'gzip,deflate' }) });
  expect(asked).toMatchObject([{ 'method': 'POST', 'content-length': '7', 'x-test': 'yes', 'accept-encoding': 'gzip' }]);
});

test('no redirect is followed', async () => {
  answer = (response) => response.writeHead(307, { location: '/elsewhere' }).end();
  expect((await get()).status).toBe(307);
  expect(asked).toHaveLength(1);
});

test('a host that the road does not lead to gets no request', async () => {
  answer = (response) => response.end();
  await expect(get({ allows: ({ hostname }) => hostname === 'localhost' })).rejects.toThrow(
    `no request is sent to 127.0.0.1:${(server.address() as AddressInfo).port}, which is no host of a test`,
  );
  expect(asked).toEqual([]);
});

test('an error of the connection stays as it is', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const client: HttpClient = { sendRequest: () => Promise.reject(refused) };
  await expect(boundedHttpClient(LIMITS, client).sendRequest(createPipelineRequest({ url: 'https://localhost/' }))).rejects.toBe(refused);
});

test.each<[string, HttpClient['sendRequest']]>([
  ['an answer that has come', async (request) => ({ request, status: 200, headers: createHttpHeaders() })],
  ['a request that has failed', () => Promise.reject(new Error('refused'))],
])('%s keeps no timer, for which a command would wait at its end, and no listener', async (_, sendRequest) => {
  const listeners = new Set<unknown>();
  const abortSignal = {
    aborted: false,
    addEventListener: (__: 'abort', listener: unknown) => void listeners.add(listener),
    removeEventListener: (__: 'abort', listener: unknown) => void listeners.delete(listener),
  };
  const request = createPipelineRequest({ url: 'https://localhost/', abortSignal });
  expect(await timersLeftBy(() => boundedHttpClient(LIMITS, { sendRequest }).sendRequest(request))).toBe(0);
  expect(listeners.size).toBe(0);
});
