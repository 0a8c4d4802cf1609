import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { objectOf, versionOf } from './objects';
import { listenForReviews } from '../../../controller/admission/webhook-server';
import { makeCertificate, type MadeCertificate } from '../../../runtime/certificates/make-certificate';
import { webhookLimits, type WebhookLimits } from '../../../runtime/webhooks/limits';
import type { WebhookServer } from '../../../runtime/webhooks/webhook-server';
import { until } from '../../setup/until';

const account = versionOf('storage', 'StorageAccount');
const other = account.kind.version(account.kind.versionNames.at(-1)!)!;
const VALIDATE = `/validate-storage-azure-com-${account.name}-storageaccount`;
const MEBIBYTE = 1024 * 1024;
let certificate: MadeCertificate;
let server: WebhookServer;
const errors: unknown[] = [];

beforeAll(async () => {
  certificate = await makeCertificate(['127.0.0.1'], Date.now(), 3_600_000);
});
afterEach(async () => {
  await server.close();
  expect(errors).toEqual([]);
});

async function listen(limits: Partial<WebhookLimits> = {}): Promise<void> {
  server = await listenForReviews({ port: 0, host: '127.0.0.1', limits, onError: (_, error) => errors.push(error) });
  server.use(certificate);
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

function open(path: string, options: RequestOptions = {}) {
  const sent = request({
    host: '127.0.0.1',
    port: server.port,
    path,
    method: 'POST',
    ca: certificate.ca,
    agent: false,
    headers: { 'content-type': 'application/json' },
    ...options,
  });
  const got = new Promise<Got>((resolve, reject) => {
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }));
      response.on('error', reject);
    });
    sent.on('error', reject);
  });
  got.catch(() => undefined);
  return { sent, got };
}

function post(path: string, body: string | object, options?: RequestOptions): Promise<Got> {
  const { sent, got } = open(path, options);
  sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  return got;
}

const valid = objectOf(account, { owner: { name: 'rg' }, azureName: 'sa' }, 'sa');
const admission = (object: object = valid) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', operation: 'CREATE', name: 'sa', namespace: 'default', object },
});
const conversion = (objects: unknown, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u', desiredAPIVersion: other.apiVersion, objects, ...more },
});
const isAlive = async () => expect((await post(VALIDATE, admission())).status).toBe(200);
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

test.each<[string, string, string | object, RequestOptions, number, RegExp]>([
  ['nested 5,000 levels deep', VALIDATE, `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, {}, 400, /nests deeper than 1000 levels/],
  ['nested a million levels deep', VALIDATE, '['.repeat(1e6), {}, 400, /nests deeper than 1000 levels/],
  ['a deep conversion', '/convert', conversion([nested(2_000)]), {}, 400, /nests deeper than 1000 levels/],
  [
    'YAML',
    VALIDATE,
    'a: 1',
    { headers: { 'content-type': 'application/yaml' } },
    415,
    /send a review as application\/json, not as application\/yaml/,
  ],
  [
    'a media type as long as a page',
    VALIDATE,
    '{}',
    { headers: { 'content-type': 'x'.repeat(5_000) } },
    415,
    /not as x{60,100}… \[truncated/,
  ],
  ['a path as long as a page', `/${'x'.repeat(5_000)}`, '{}', {}, 404, /there is no webhook at \/x+… \[truncated/],
  ['objects twice', '/convert', '{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"objects":[],"uid":"u","desiredAPIVersion":"a/b","objects":[1]}}', {}, 400, /request.objects is there twice/],
  ['a list without an end', '/convert', '{"request":{"objects":[{}', {}, 400, /request.objects has no end/],
  ['too much beside the objects', '/convert', conversion([], { more: 'x'.repeat(2 * MEBIBYTE) }), {}, 400, /bytes besides request.objects/],
  ['an object that is too long', '/convert', conversion([{ a: 'x'.repeat(9 * MEBIBYTE) }]), {}, 400, /request.objects\[0\] is longer than/],
  [
    'an element that is missing',
    '/convert',
    '{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"a/b","objects":[,]}}',
    {},
    400,
    /the body is not JSON/,
  ],
])('%s: refused, and others go on', async (_, path, body, options, status, text) => {
  await listen();
  expect(await post(path, body, options)).toMatchObject({ status, text: expect.stringMatching(text) });
  await isAlive();
});

test('many objects: each is converted, and those of others are answered meanwhile', async () => {
  await listen();
  const text = JSON.stringify(
    conversion(Array.from({ length: 20_000 }, (_, index) => ({ ...valid, metadata: { ...valid.metadata, name: `sa "${index}\\` } }))),
  );
  const converting = post('/convert', text);
  await isAlive();
  type Converted = { response: { convertedObjects: { apiVersion: string; metadata: { name: string } }[] } };
  const { response } = JSON.parse((await converting).text) as Converted;
  expect(response).toMatchObject({ uid: 'u', result: { status: 'Success' } });
  expect(response.convertedObjects).toHaveLength(20_000);
  expect(response.convertedObjects[19_999]).toMatchObject({ apiVersion: other.apiVersion, metadata: { name: 'sa "19999\\' } });
});

test.each([['none', []], ['one', [valid]]])('%s object, with blanks around it', async (_, objects) => {
  await listen();
  const { response } = JSON.parse((await post('/convert', JSON.stringify(conversion(objects), undefined, 7))).text) as { response: { convertedObjects: unknown[] } };
  expect(response.convertedObjects).toHaveLength(objects.length);
});

test('a review in chunks of unknown length is cut off at the limit, one of known length at once', async () => {
  await listen({ admissionBytes: 100_000 });
  const { sent, got } = open(VALIDATE);
  sent.on('error', () => undefined);
  const chunk = Buffer.alloc(50_000, ' ');
  for (let index = 0; index < 3; index += 1) sent.write(chunk);
  expect(await got).toMatchObject({ status: 413, text: 'the review is longer than 0.1 MiB\n', headers: { connection: 'close' } });
  const announced = open(VALIDATE, { headers: { 'content-length': '100001' } });
  announced.sent.flushHeaders();
  expect(await announced.got).toMatchObject({ status: 413 });
  await isAlive();
});

test('bytes of all requests together: the one that has no room is to come again, and the others are answered', async () => {
  await listen({ admissionBytesInFlight: 200_000 });
  const padded = JSON.stringify({ ...admission(), padding: 'x'.repeat(120_000) });
  const first = open(VALIDATE);
  first.sent.write(padded.slice(0, 110_000));
  await until('the first is being received', async () => (await post(VALIDATE, padded)).status === 429);
  expect(await post(VALIDATE, padded)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '1' },
    text: expect.stringContaining('too many bytes'),
  });
  // Conversions have a budget of their own.
  expect((await post('/convert', conversion([valid]))).status).toBe(200);
  first.sent.end(padded.slice(110_000));
  expect((await first.got).status).toBe(200);
  expect((await post(VALIDATE, padded)).status).toBe(200);
});

test('a request that does not come in for a second makes room for the bytes of others', async () => {
  await listen({ admissionBytesInFlight: 200_000 });
  const padded = JSON.stringify({ ...admission(), padding: 'x'.repeat(120_000) });
  const slow = open(VALIDATE);
  slow.sent.on('error', () => undefined);
  slow.sent.write(padded.slice(0, 110_000));
  await until('the slow one is being received', async () => (await post(VALIDATE, padded)).status === 429);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect((await post(VALIDATE, padded)).status).toBe(200);
  await expect(slow.got).rejects.toThrow();
});

test('requests at a time: one too many is to come again', async () => {
  await listen({ requests: 1 });
  const many = conversion(Array.from({ length: 5_000 }, () => valid));
  // On a busy machine one may come in when the one before it is done.
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('/convert', many)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  await isAlive();
});

test('requests whose bodies do not come take no place of others, and connections with them make room', async () => {
  await listen({ requests: 3, connections: 20 });
  const waiting = Array.from({ length: 60 }, () => open(VALIDATE, { headers: { 'content-length': '100' } }));
  waiting.forEach(({ sent }) => sent.on('error', () => undefined).write('{'));
  await until('the first are closed', () => waiting.filter(({ sent }) => sent.destroyed).length >= 20);
  await isAlive();
  waiting.forEach(({ sent }) => sent.destroy());
});

test('slow requests end: the handshake, the headers, the body', async () => {
  await listen({ handshakeTimeoutMs: 300, headersTimeoutMs: 300, requestTimeoutMs: 600 });
  const closed = (socket: ReturnType<typeof connect>) =>
    new Promise<void>((resolve) =>
      socket
        .on('error', () => undefined)
        .on('close', () => resolve())
        .resume(),
    );
  const silent = connect(server.port, '127.0.0.1');
  const halfHeaders = connectSecurely({ port: server.port, host: '127.0.0.1', ca: certificate.ca });
  halfHeaders.write(`POST ${VALIDATE} HTTP/1.1\r\nhost: x\r\n`);
  const halfBody = connectSecurely({ port: server.port, host: '127.0.0.1', ca: certificate.ca });
  halfBody.write(`POST ${VALIDATE} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`);
  await Promise.all([closed(silent), closed(halfHeaders), closed(halfBody)]);
  await isAlive();
});

test('connections that only hold their place make room for those that ask something', async () => {
  await listen({ connections: 20 });
  const idle = Array.from({ length: 60 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined));
  await until('the first are closed', () => idle.filter(({ closed }) => closed).length >= 20);
  await isAlive();
  idle.forEach((socket) => socket.destroy());
});

test('the limits fit into the memory of the container: what is held at most is less than half of it', () => {
  for (const mebibytes of [256, 512, 1_024, 4_096]) {
    const { conversionBytes, conversionBytesInFlight, admissionBytesInFlight } = webhookLimits(mebibytes * MEBIBYTE);
    // A review and its answer, and one object of it as a value.
    expect(2 * conversionBytesInFlight + 2 * admissionBytesInFlight).toBeLessThanOrEqual((mebibytes * MEBIBYTE) / 2);
    expect(conversionBytesInFlight).toBeGreaterThanOrEqual(conversionBytes);
  }
  expect(webhookLimits(512 * MEBIBYTE)).toMatchObject({ conversionBytes: 64 * MEBIBYTE });
});
