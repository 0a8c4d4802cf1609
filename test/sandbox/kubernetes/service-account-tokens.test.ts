import { createPublicKey, verify } from 'node:crypto';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';
import type { SandboxClock } from '../../../sandbox/kubernetes/clock';
import type { StoredObject } from '../../../sandbox/kubernetes/objects';
import { ServiceAccountTokens } from '../../../sandbox/kubernetes/service-account-tokens';

let cluster: SandboxKubernetes;
beforeAll(async () => {
  cluster = await startKubernetes({ crds: [], issuer: 'https://issuer.example' });
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'app' } });
});
afterAll(() => cluster.close());

async function send(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${cluster.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const PATH = '/api/v1/namespaces/default/serviceaccounts/app/token';
const request = (spec: object) => send('POST', PATH, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });

test('a token that is made at the turn of a second ends when its answer says', () => {
  let now = Date.parse('2026-01-01T00:00:00.997Z');
  const tokens = new ServiceAccountTokens('https://issuer.example', { now: () => (now += 1) } as unknown as SandboxClock);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'default', uid: 'u' } } as unknown as StoredObject;
  const { status } = tokens.request(account, {}) as { status: { token: string; expirationTimestamp: string } };
  const claims = JSON.parse(Buffer.from(status.token.split('.')[1]!, 'base64url').toString()) as { exp: number };
  expect(Date.parse(status.expirationTimestamp)).toBe(claims.exp * 1000);
});

test('a TokenRequest is answered with a token that the published keys prove', async () => {
  const { status, body } = await request({ audiences: ['api://x'], expirationSeconds: 1200 });
  expect([status, body.kind, body.spec.expirationSeconds]).toEqual([201, 'TokenRequest', 1200]);
  const [header, payload, signature] = body.status.token.split('.');
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const claims = decoded(payload);
  expect(claims).toMatchObject({ iss: 'https://issuer.example', sub: 'system:serviceaccount:default:app', aud: ['api://x'] });
  expect(claims.exp - claims.iat).toBe(1200);
  expect(Date.parse(body.status.expirationTimestamp)).toBe(claims.exp * 1000);
  const { body: { keys } } = await send('GET', '/openid/v1/jwks');
  const key = keys.find(({ kid }: { kid: string }) => kid === decoded(header).kid);
  expect(
    verify('sha256', Buffer.from(`${header}.${payload}`), createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64url')),
  ).toBe(true);
  expect((await send('GET', '/.well-known/openid-configuration')).body).toMatchObject({
    issuer: 'https://issuer.example',
    jwks_uri: 'https://issuer.example/openid/v1/jwks',
  });
});

test('without audiences it is for the API server itself', async () => {
  expect((await request({})).body.spec).toEqual({ audiences: ['https://issuer.example'], expirationSeconds: 3600 });
});

test('refusals in the words of a real server', async () => {
  const missing = await send('POST', PATH.replace('/app/', '/none/'), { spec: {} });
  expect([missing.status, missing.body.message]).toEqual([404, 'serviceaccounts "none" not found']);
  const short = await request({ expirationSeconds: 60 });
  expect([short.status, short.body.details.causes[0].field]).toEqual([422, 'spec.expirationSeconds']);
  expect((await send('GET', PATH)).status).toBe(405);
});
