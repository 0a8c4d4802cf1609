import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { objectOf, versionOf } from './objects';
import { listenForReviews } from '../../../controller/admission/webhook-server';
import { watchDirectory } from '../../../runtime/certificates/directory';
import { makeCertificate, type MadeCertificate } from '../../../runtime/certificates/make-certificate';
import { ListenError } from '../../../runtime/http/http-endpoints';
import type { WebhookServer, WebhookObservation } from '../../../runtime/webhooks/webhook-server';
import { Catalog } from '../../../src/catalog';
import { rowTitle } from '../../docs/spec-tables';
import { until } from '../../setup/until';
import { FakeClock } from '../reconcile/fake-clock';

const account = versionOf('storage', 'StorageAccount');
const MUTATE = `/mutate-storage-azure-com-${account.name}-storageaccount`;
const VALIDATE = `/validate-storage-azure-com-${account.name}-storageaccount`;
const HOUR = 3_600_000;
let server: WebhookServer;
let certificate: MadeCertificate;
const seen: WebhookObservation[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  server = await listenForReviews({
    port: 0,
    host: '127.0.0.1',
    onRequest: (one) => seen.push(one),
    onError: (_, error) => errors.push(error),
  });
  certificate = await makeCertificate(['127.0.0.1', 'webhooks.example'], Date.now(), HOUR);
  server.use(certificate);
});
afterAll(async () => {
  await server.close();
  expect(errors).toEqual([]);
});

interface Got {
  readonly status: number;
  readonly text: string;
  readonly issuer: string;
}

function send(path: string, body: string | object, method = 'POST', ca: string = certificate.ca, port = server.port): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, ca, agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        const { subject } = (response.socket as TLSSocket).getPeerCertificate();
        let text = '';
        response.on('data', (data: Buffer) => (text += data.toString()));
        response.on('end', () => resolve({ status: response.statusCode!, text, issuer: String(subject.CN) }));
      },
    );
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

test('a service of the catalog is read when the first review of one of its kinds comes, not for other paths', async () => {
  const read = jest.spyOn(Catalog.prototype, 'kindsOf');
  const lazy = await listenForReviews({ port: 0, host: '127.0.0.1', catalog: new Catalog(join(__dirname, '../../../catalog')) });
  try {
    lazy.use(certificate);
    const object = objectOf(account, {});
    for (const path of ['/', '/mutate-', '/mutate-storage-azure-com', '/validate-nothing-azure-com-v1-x']) {
      expect((await send(path, '{}', 'POST', certificate.ca, lazy.port)).status).toBe(404);
    }
    expect(read).not.toHaveBeenCalled();
    expect((await send(VALIDATE, review('CREATE', object), 'POST', certificate.ca, lazy.port)).status).toBe(200);
    expect((await send(`${VALIDATE}x`, '{}', 'POST', certificate.ca, lazy.port)).status).toBe(404);
    expect(read.mock.calls).toEqual([['storage']]);
  } finally {
    read.mockRestore();
    await lazy.close();
  }
});

const review = (operation: string, object: object, more: object = {}) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', operation, name: 'sa', namespace: 'default', object, ...more },
});
interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: Record<string, unknown>;
}

const answered = async (path: string, body: object) => JSON.parse((await send(path, body)).text) as Review;
const valid = objectOf(account, { owner: { name: 'rg' }, azureName: 'sa' }, 'sa');
const withMetadata = (metadata: object) => ({ ...valid, metadata: { ...valid.metadata, ...metadata } });
const invalid = objectOf(account, { owner: {} }, 'sa');

test(rowTitle('docs/spec/webhooks.md#endpoints', 'paths', 'one path a version and purpose, and one for all conversions'), async () => {
  const defaulted = await answered(MUTATE, review('CREATE', objectOf(account, {}, 'sa')));
  expect(defaulted).toMatchObject({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u', allowed: true, patchType: 'JSONPatch' },
  });
  expect(JSON.parse(Buffer.from(String(defaulted.response.patch), 'base64').toString())).toEqual([
    { op: 'add', path: '/spec/azureName', value: 'sa' },
  ]);
  expect((await answered(VALIDATE, review('CREATE', valid))).response).toEqual({ uid: 'u', allowed: true });
  const refused = await answered(VALIDATE, review('UPDATE', invalid, { oldObject: valid }));
  expect(refused.response).toMatchObject({
    allowed: false,
    status: { code: 403, reason: 'Forbidden', message: expect.stringContaining('must all be specified') },
  });
});

test(rowTitle('docs/spec/webhooks.md#endpoints', 'warnings', 'none are produced'), async () => {
  for (const path of [MUTATE, VALIDATE]) expect((await answered(path, review('CREATE', invalid))).response).not.toHaveProperty('warnings');
});

test(rowTitle('docs/spec/webhooks.md#validation', 'DELETE', 'is allowed, whatever the object'), async () => {
  expect((await answered(VALIDATE, review('DELETE', invalid, { object: null, oldObject: invalid }))).response).toEqual({
    uid: 'u',
    allowed: true,
  });
});

test('what is being deleted is not held up by what is wrong with it', async () => {
  const leaving = { ...invalid, metadata: { ...invalid.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect((await answered(VALIDATE, review('UPDATE', leaving, { oldObject: leaving }))).response).toEqual({ uid: 'u', allowed: true });
});

test.each<[string, string, string | object, string, number, string]>([
  [
    'an unknown path',
    '/mutate-storage-azure-com-v1-nothing',
    {},
    'POST',
    404,
    'there is no webhook at /mutate-storage-azure-com-v1-nothing',
  ],
  ['a version that the catalog does not have', VALIDATE.replace(account.name, 'v19990101'), {}, 'POST', 404, 'there is no webhook at'],
  ['another method', VALIDATE, '', 'PUT', 405, 'send a review with POST, not with PUT'],
  ['no JSON', VALIDATE, '{"a":', 'POST', 400, 'the body is not JSON: '],
  ['no object', VALIDATE, '[]', 'POST', 400, 'the body is an array, not a AdmissionReview'],
  [
    'another kind',
    VALIDATE,
    { apiVersion: 'v1', kind: 'Pod' },
    'POST',
    400,
    'the body is v1 Pod; this webhook takes admission.k8s.io/v1 AdmissionReview',
  ],
  [
    'an old review',
    VALIDATE,
    { apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview' },
    'POST',
    400,
    'the body is admission.k8s.io/v1beta1 AdmissionReview',
  ],
  [
    'no request',
    VALIDATE,
    { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    'POST',
    400,
    'request is undefined, not an object',
  ],
  ['no object in it', VALIDATE, review('CREATE', 5 as never), 'POST', 400, 'request.object is a number, not an object'],
  [
    'an object of another kind',
    VALIDATE,
    review('CREATE', { ...valid, kind: 'Other' }),
    'POST',
    400,
    'request.object is storage.azure.com/',
  ],
  ['a name that is a list', VALIDATE, review('CREATE', withMetadata({ name: ['x'] })), 'POST', 400, 'request.object.metadata.name is an array, not a text'],
  ['finalizers that are text', VALIDATE, review('CREATE', withMetadata({ finalizers: 'x' })), 'POST', 400, 'request.object.metadata.finalizers is a text, not an array'],
  ['labels that are a list', MUTATE, review('CREATE', withMetadata({ labels: [] })), 'POST', 400, 'request.object.metadata.labels is an array, not an object'],
  ['an update without the old object', VALIDATE, review('UPDATE', valid), 'POST', 400, 'request.oldObject is undefined, not an object'],
  [
    'a conversion without objects',
    '/convert',
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion: 'a/b' } },
    'POST',
    400,
    'request.objects is undefined',
  ],
])('%s', async (_, path, body, method, status, text) => {
  const got = await send(path, body, method);
  expect([got.status, got.text]).toEqual([status, expect.stringContaining(text)]);
});

test('a review that is too long is refused, and others go on', async () => {
  const long = await send(VALIDATE, `"${'x'.repeat(7 * 1024 * 1024)}"`).catch((error: unknown) => error);
  if (!(long instanceof Error)) expect(long).toMatchObject({ status: 413, text: 'the review is longer than 7 MiB\n' });
  expect(seen.at(-1)).toMatchObject({ webhook: VALIDATE, code: 413 });
  expect((await answered(VALIDATE, review('CREATE', valid))).response.allowed).toBe(true);
});

test('a conversion of what the catalog does not know fails with a text', async () => {
  const convert = (desiredAPIVersion: string, object: object) => answered('/convert', {
    apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion, objects: [object] },
  });
  const other = account.kind.version(account.kind.versionNames.at(-1)!)!;
  expect(await convert(other.apiVersion, valid)).toMatchObject({
    kind: 'ConversionReview',
    response: { uid: 'u', result: { status: 'Success' }, convertedObjects: [{ apiVersion: other.apiVersion, spec: valid.spec }] },
  });
  const failed = await convert('storage.azure.com/v1', valid);
  expect(failed.response).toEqual({
    uid: 'u', result: { status: 'Failure', message: expect.stringContaining('the catalog has no StorageAccount in storage.azure.com/v1') },
  });
});

test('a port that is taken is reported', async () => {
  await expect(listenForReviews({ port: server.port, host: '127.0.0.1' })).rejects.toThrow(ListenError);
});

test('the certificate of a directory is exchanged while requests go on, and a broken one is not taken', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-certificates-'));
  const clock = new FakeClock();
  const problems: string[] = [];
  const reads: boolean[] = [];
  const own = await listenForReviews({ port: 0, host: '127.0.0.1' });
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(join(directory, 'tls.crt'), cert);
    writeFileSync(join(directory, 'tls.key'), key);
  };
  const end = await watchDirectory({
    directory,
    clock,
    onCertificate: (one) => own.use(one),
    onProblem: (message) => problems.push(message),
    onRead: (worked) => reads.push(worked),
  });
  try {
    expect(own.isReady).toBe(false);
    expect(reads).toEqual([false]);
    expect(problems).toEqual([expect.stringContaining('no usable certificate in')]);
    const look = async (ready: () => boolean | Promise<boolean>) => until('the directory was read', async () => {
      await clock.advance(5_000);
      return ready();
    });
    write(certificate);
    await look(() => own.isReady);
    const first = await send(VALIDATE, review('CREATE', valid), 'POST', certificate.ca, own.port);
    expect(first).toMatchObject({ status: 200, issuer: '127.0.0.1' });
    write({ cert: certificate.cert, key: 'broken' });
    // A look in the middle of the write finds half of a file, which is a problem of its own.
    await look(() => problems.some((problem) => problem.endsWith('tls.key is not a private key in PEM; the one before stays in use')));
    expect(reads.at(-1)).toBe(false);
    const next = await makeCertificate(['renewed.example', '127.0.0.1'], Date.now(), HOUR);
    write(next);
    const trusted = certificate.ca + next.ca;
    await look(async () => (await send(VALIDATE, review('CREATE', valid), 'POST', trusted, own.port)).issuer === 'renewed.example');
  } finally {
    end();
    await own.close();
    rmSync(directory, { recursive: true });
  }
});

/** A server of this process has the head of its next request. */
function nextRequest(): Promise<void> {
  return new Promise((resolve) => {
    const onRequest = () => {
      unsubscribe('http.server.request.start', onRequest);
      resolve();
    };
    subscribe('http.server.request.start', onRequest);
  });
}

test('a server that closes waits for running requests, and for no connection that asks nothing', async () => {
  const own = await listenForReviews({ port: 0, host: '127.0.0.1' });
  own.use(certificate);
  const secure = () => connectSecurely({ port: own.port, host: '127.0.0.1', ca: certificate.ca });
  const silent = connect(own.port, '127.0.0.1').on('error', () => undefined);
  const [reserve, running] = [secure().on('error', () => undefined), secure()];
  await Promise.all([silent, reserve, running].map((socket) => new Promise((resolve) => socket.once(socket === silent ? 'connect' : 'secureConnect', resolve))));
  const body = JSON.stringify(review('CREATE', valid));
  const begun = nextRequest();
  let answer = '';
  running.on('data', (data: Buffer) => (answer += data.toString()));
  running.write(`POST ${VALIDATE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`);
  await begun;
  let isClosed = false;
  const closed = own.close().then(() => (isClosed = true));
  running.write(body);
  try {
    await until('the server is closed', () => isClosed);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  } finally {
    [silent, reserve, running].forEach((socket) => socket.destroy());
    await closed;
  }
});

test('a server that closes does not wait for a request that never comes in', async () => {
  const own = await listenForReviews({ port: 0, host: '127.0.0.1', limits: { closeTimeoutMs: 300 } });
  own.use(certificate);
  const slow = connectSecurely({ port: own.port, host: '127.0.0.1', ca: certificate.ca }).on('error', () => undefined);
  await new Promise((resolve) => slow.once('secureConnect', resolve));
  const begun = nextRequest();
  slow.write(`POST ${VALIDATE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
  await begun;
  let isClosed = false;
  const closed = own.close().then(() => (isClosed = true));
  try {
    await until('the server is closed', () => isClosed);
  } finally {
    slow.destroy();
    await closed;
  }
});
