import { request } from 'node:https';
import { listenForReviews } from '../../../controller/admission/webhook-server';
import { Metrics } from '../../../controller/metrics';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import type { WebhookServer } from '../../../runtime/webhooks/webhook-server';
import { until } from '../../setup/until';

const PATH = '/convert';
const metrics = new Metrics();
const errors: unknown[] = [];
let server: WebhookServer;
let ca: string;

beforeAll(async () => {
  const [onBegan, onRequest] = [metrics.webhookBegan.bind(metrics), metrics.webhook.bind(metrics)];
  server = await listenForReviews({ port: 0, host: '127.0.0.1', onBegan, onRequest, onError: (_, error) => errors.push(error) });
  const certificate = await makeCertificate(['127.0.0.1'], Date.now(), 3_600_000);
  ca = certificate.ca;
  server.use(certificate);
});
afterAll(() => server.close());

async function value(name: string, webhook: string): Promise<number | undefined> {
  const lines = (await metrics.registry.metrics()).split('\n');
  const line = lines.find((one) => one.startsWith(`controller_runtime_webhook_${name}{`) && one.includes(`webhook="${webhook}"`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}
const inFlight = (webhook = PATH) => value('requests_in_flight', webhook);
const open = (path = PATH) => {
  const sent = request({ host: '127.0.0.1', port: server.port, path, method: 'POST', ca, agent: false });
  sent.on('error', () => undefined);
  sent.write('{');
  return sent;
};

test('requests count as in flight from their first byte on, and no longer when they are answered', async () => {
  const sent = [open(), open()];
  await until('both are in flight', async () => (await inFlight()) === 2);
  const statuses = Promise.all(
    sent.map((one) => new Promise((resolve) => one.on('response', (response) => resolve(response.resume().statusCode)))),
  );
  sent.forEach((one) => one.end('}'));
  expect(await statuses).toEqual([400, 400]);
  await until('none is in flight', async () => (await inFlight()) === 0);
  expect(await value('requests_total', PATH)).toBe(2);
});

test('one whose client hangs up is no longer in flight, and no mistake of the program', async () => {
  const sent = open();
  await until('it is in flight', async () => (await inFlight()) === 1);
  sent.destroy();
  await until('it is not in flight', async () => (await inFlight()) === 0);
  expect(errors).toEqual([]);
  expect(await metrics.registry.metrics()).toContain('controller_runtime_webhook_panics_total 0');
});

test('paths that there are not share a label', async () => {
  const sent = open('/nowhere');
  await new Promise((resolve) => sent.on('response', (response) => resolve(response.resume().statusCode)));
  await until('it is not in flight', async () => (await inFlight('unknown')) === 0);
  expect(await inFlight('/nowhere')).toBeUndefined();
});
