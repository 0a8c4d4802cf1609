import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ComposerMetrics } from '../../../composer/process/composer-metrics';
import { startWebhooks, type ComposerWebhooksOptions } from '../../../composer/webhooks/start-webhooks';
import { systemClock } from '../../../engine/clock';
import { makeCertificate, type MadeCertificate } from '../../../runtime/certificates/make-certificate';
import type { Endpoint } from '../../../runtime/http/http-endpoints';
import { silentLogger } from '../../../runtime/log/log';
import { boxOf } from '../render/bundles';

const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-certificate-'));
const metrics = new ComposerMetrics();
let certificate: MadeCertificate;
let webhooks: Endpoint;

beforeAll(async () => {
  certificate = await makeCertificate(['localhost', '127.0.0.1'], Date.now(), 3_600_000);
  for (const [name, text] of Object.entries({ 'tls.crt': certificate.cert, 'tls.key': certificate.key })) writeFileSync(join(directory, name), text);
  const renderer = boxOf({ compose: "if (claim.spec.fail) throw new Error('no region is free');" });
  // A certificate of a directory needs no client: the composer writes no Secret, and no authority.
  const client = {} as ComposerWebhooksOptions['client'];
  const admission = { renderer, find: () => ({ state: 'absent' }), cache: { typeOf: () => undefined }, client } as ComposerWebhooksOptions['admission'];
  webhooks = await startWebhooks({
    port: 0,
    host: '127.0.0.1',
    certificateDirectory: directory,
    facts: [],
    renderer,
    admission,
    client,
    clock: systemClock,
    namespace: 'platform',
    name: 'boxes',
    logger: silentLogger(),
    observer: metrics.webhooks,
  });
});
afterAll(() => webhooks.close());

function post(path: string, body: unknown): Promise<{ response: object }> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const sent = request({ host: 'localhost', port: webhooks.port, path, method: 'POST', ca: certificate.ca, headers: { 'content-type': 'application/json' } }, (response) => {
      let answer = '';
      response.on('data', (part: Buffer) => (answer += part.toString()));
      response.on('end', () => resolve(JSON.parse(answer) as { response: object }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

test('serves with the certificate of a directory, and counts reviews and refusals', async () => {
  const review = (spec: object) => post('/admit', {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', operation: 'CREATE', object: { apiVersion: 'platform.example.com/v1', kind: 'Box', metadata: { name: 'one', namespace: 'team' }, spec } },
  });
  expect((await review({})).response).toMatchObject({ allowed: true });
  expect((await review({ fail: true })).response).toMatchObject({ allowed: false, status: { message: expect.stringContaining('no region is free') } });
  const text = await metrics.registry.metrics();
  expect(text).toContain('cdk8s_aso_composer_reviews_total{kind="Box",result="allowed"} 1');
  expect(text).toContain('cdk8s_aso_composer_reviews_total{kind="Box",result="ComposeFailed"} 1');
  expect(text).toContain('cdk8s_aso_composer_webhook_requests_total{webhook="/admit",code="200"} 2');
  expect(text).toContain('cdk8s_aso_composer_webhook_seconds_count{webhook="/admit"} 2');
  expect(text).toContain('cdk8s_aso_composer_certificate_reads_total{outcome="done"} 1');
});
