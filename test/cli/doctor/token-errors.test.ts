import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { credentialFindings } from '../../../cli/doctor/checks/credentials';
import { createArmClient } from '../../../engine/arm/arm-client';
import { CredentialResolver, NamespaceTokens } from '../../../engine/credentials';
import { createHttpClient } from '../../../engine/http/http-client';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { selfSigned } from '../../engine/credentials/certificates';
import { filesIn } from '../capture';

const ID = '11111111-2222-3333-4444-555555555555';
const SECRET = 'planted-secret';
const own = selfSigned();
const expired = selfSigned('localhost', -1);

/** Answers of the authority: to the request for its endpoints (undefined: in order), and to the one for a token. */
let discovery: Answer | undefined;
let token: Answer;
let server: Server;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

beforeAll(async () => {
  server = createServer({ cert: own.certificate, key: own.key }, (request, response) => {
    request.resume();
    const base = origin();
    const endpoints = { issuer: `${base}/${ID}/v2.0`, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/${ID}/oauth2/v2.0/token`, jwks_uri: `${base}/keys` };
    const { status, body } = request.method === 'POST' ? token : discovery ?? { status: 200, body: endpoints };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
});
beforeEach(() => {
  discovery = undefined;
  token = { status: 200, body: { token_type: 'Bearer', expires_in: 3600, access_token: 'the-token' } };
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const origin = () => `https://localhost:${(server.address() as AddressInfo).port}`;
const entra = (code: number, text = 'x', status = 401, error = 'invalid_client'): Answer => (
  { status, body: { error, error_description: `AADSTS${code}: ${text} Trace ID: ${ID} Correlation ID: ${ID} Timestamp: 2026-01-01 00:00:00Z`, error_codes: [code] } });

const SIGN_INS = {
  secret: () => ({ AZURE_CLIENT_SECRET: SECRET }),
  certificate: () => ({ AZURE_CLIENT_CERTIFICATE: own.certificate + own.key }),
  workloadIdentity: () => ({}),
} satisfies Record<string, () => Record<string, string>>;

interface Tried {
  readonly values: Record<string, string>;
  readonly namespaceTokens?: NamespaceTokens;
  readonly authority?: string;
}

/** The findings of a credential Secret, by the resolver and the client of the product. */
async function findings({ values, namespaceTokens, authority = origin() }: Tried) {
  const tokenFile = join(filesIn({ token: 'header.e30.signature' }), 'token');
  const httpClient = createHttpClient({ mostIdle: 1, idleMs: 1_000, ca: own.certificate });
  const data = Object.entries({ AZURE_SUBSCRIPTION_ID: ID, AZURE_TENANT_ID: ID, AZURE_CLIENT_ID: ID, ...values })
    .map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const object = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'group', namespace: 'shop' } };
  const resolver = new CredentialResolver({
    environment: {
      AZURE_AUTHORITY_HOST: authority,
      AZURE_RESOURCE_MANAGER_ENDPOINT: origin(),
      AZURE_RESOURCE_MANAGER_AUDIENCE: origin(),
      AZURE_FEDERATED_TOKEN_FILE: tokenFile,
    },
    secret: () => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'shop' }, data: Object.fromEntries(data) }) as KubernetesObject,
    createClient: (parts) => createArmClient({ ...parts, registerProviders: false, httpClient }),
    httpClient,
    ...(namespaceTokens && { namespaceTokens }),
  });
  const found = await credentialFindings([{ title: 'Secret shop/aso-credential', object, objects: 1, resolve: () => resolver.resolve(object) }]);
  expect(JSON.stringify(found)).not.toContain(SECRET);
  return found;
}

const idsOf = async (tried: Tried) => (await findings(tried)).map(({ id }) => id);

/**
 * Codes that requests with a secret, a certificate or an assertion meet.
 * @see https://learn.microsoft.com/entra/identity-platform/reference-error-codes
 */
const REFUSALS = [
  50013, 50027, 50034, 50105, 50126, 53003, 65001, 500011, 70021, 70025, 700016, 700023, 700024, 700027, 700030, 700211, 700212, 700213,
  700214, 700223, 7000112, 7000113, 7000215, 7000216, 7000218, 7000222, 7000229, 90002, 900021, 900023, 90019, 9002313, 999999,
];
const SIGN_IN_NAMES = Object.keys(SIGN_INS) as (keyof typeof SIGN_INS)[];

test('a credential that is in order', async () => {
  for (const name of SIGN_IN_NAMES) expect(await idsOf({ values: SIGN_INS[name]() })).toEqual([]);
});

test.each(SIGN_IN_NAMES)('%s: each refusal of Entra is credential-refused, with its code', async (name) => {
  for (const code of REFUSALS) {
    token = entra(code);
    const found = await findings({ values: SIGN_INS[name]() });
    expect(found).toEqual([expect.objectContaining({ id: 'credential-refused', message: expect.stringContaining(`AADSTS${code}`) })]);
  }
});

test.each([
  ['a tenant without endpoints', () => (discovery = entra(90002, `Tenant '${ID}' not found.`, 400, 'invalid_tenant')), 'credential-refused', /there is no tenant/],
  ['a tenant that is no name', () => (discovery = entra(900023, 'Specified tenant identifier is neither a valid DNS name, nor a valid external domain.', 400, 'invalid_tenant')), 'credential-refused', /is no tenant/],
  ['an authority without codes', () => (token = { status: 400, body: { error: 'invalid_client', error_description: 'MSIS9605: The client is not allowed' } }), 'credential-refused', /MSIS9605/],
  ['Entra that is out of order', () => (token = entra(90033, 'A transient error has occurred. Please try again.', 503, 'temporarily_unavailable')), 'credential-unanswered', /AADSTS90033/],
  ['a page of a proxy', () => (token = { status: 403, body: '<html>blocked</html>' }), 'credential-unanswered', /./],
] as const)('%s', async (_, plant, id, words) => {
  plant();
  expect(await findings({ values: SIGN_INS.secret() })).toEqual([expect.objectContaining({ id, message: expect.stringMatching(words) })]);
});

test('no authority', async () => {
  expect(await idsOf({ values: SIGN_INS.secret(), authority: 'https://localhost:1' })).toEqual(['credential-unanswered']);
});

test('what is wrong before a token is requested', async () => {
  expect(await findings({ values: { AZURE_CLIENT_CERTIFICATE: expired.certificate + expired.key } })).toEqual([
    expect.objectContaining({ id: 'credential-refused', message: expect.stringContaining('expired on') }),
  ]);
  expect(await idsOf({ values: { AZURE_CLIENT_CERTIFICATE: 'no certificate' } })).toEqual(['credential-keys']);
  expect(await idsOf({ values: { AUTH_MODE: 'other' } })).toEqual(['credential-keys']);
});

test.each([
  ['no service account', new KubernetesError(404, 'NotFound', 'serviceaccounts "aso-workload" not found'), /aso-workload/],
  ['no right to its token', new KubernetesError(403, 'Forbidden', 'cannot create resource "serviceaccounts/token"'), /serviceaccounts/],
])('strict workload identity with %s', async (_, error, words) => {
  const namespaceTokens = new NamespaceTokens({ createToken: () => Promise.reject(error) }, { now: Date.now });
  expect(await findings({ values: {}, namespaceTokens })).toEqual([
    expect.objectContaining({ id: 'credential-refused', message: expect.stringMatching(words) }),
  ]);
});
