import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from './certificates';
import { PUBLIC_CLOUD, isTokenHost } from '../../../engine/credentials/cloud';
import { tokenCredential } from '../../../engine/credentials/token-credential';
import { createHttpClient } from '../../../engine/http/http-client';
import { answerHostilely, type HostileBody } from '../../setup/hostile-answers';

const { certificate, key } = selfSigned();
const SECRET = 'shh-it-is-secret';

let server: Server;
/** Bodies of the answers about its endpoints, and with a token. */
let discovery: HostileBody | undefined;
let tokens: HostileBody | 'large' | undefined;
let tokenEndpoint: string | undefined;
let paths: string[];

beforeEach(async () => {
  [discovery, tokens, tokenEndpoint, paths] = [undefined, undefined, undefined, []];
  server = createServer({ cert: certificate, key }, (request, response) => {
    paths.push(request.url!.replace(/\?.*$/, ''));
    request.resume();
    const body = request.method === 'POST' ? tokens : discovery;
    if (body === 'large') return void response.end(JSON.stringify({ expires_in: 3600, access_token: 'x'.repeat(65_536) }));
    if (body) return answerHostilely(response, body);
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') return void response.end(JSON.stringify({ token_type: 'Bearer', expires_in: 3600, access_token: 'the-token' }));
    return void response.end(JSON.stringify({
      issuer: `${base()}/tenant/v2.0`,
      authorization_endpoint: `${base()}/tenant/oauth2/v2.0/authorize`,
      token_endpoint: tokenEndpoint ?? `${base()}/tenant/oauth2/v2.0/token`,
      jwks_uri: `${base()}/keys`,
    }));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const base = () => `https://localhost:${(server.address() as AddressInfo).port}`;
const token = () => tokenCredential(
  { mode: 'clientSecret', tenantId: 'tenant', clientId: 'client', clientSecret: SECRET, additionalTenants: [] },
  { endpoint: 'https://unused', audience: 'https://arm', authorityHost: `${base()}/` },
  { where: 'credential Secret "a/b"', httpClient: createHttpClient({ mostIdle: 1, idleMs: 1_000, ca: certificate }) },
).getToken('https://arm/.default');

test('a friendly authority gives a token', async () => {
  await expect(token()).resolves.toMatchObject({ token: 'the-token' });
});

describe.each<HostileBody>(['bomb', 'endless', 'cut'])('%s', (body) => {
  const said = body === 'cut' ? 'the answer broke off' : 'has more than 65536 bytes, which no answer of a token endpoint has';

  test('in the place of a token', async () => {
    tokens = body;
    await expect(token()).rejects.toThrow(said);
    await expect(token()).rejects.not.toThrow(SECRET);
    // The library's policy repeats nothing of it.
    expect(paths.filter((path) => path.endsWith('/token'))).toHaveLength(2);
  });

  test('in the place of the endpoints of an authority', async () => {
    discovery = body;
    await expect(token()).rejects.toThrow(said);
  });
});

test('a token that fits into no header', async () => {
  tokens = 'large';
  await expect(token()).rejects.toThrow('has more than 65536 bytes');
});

test('an authority that names a token endpoint at another host', async () => {
  tokenEndpoint = 'https://169.254.169.254/metadata/identity/oauth2/token';
  await expect(token()).rejects.toThrow('no request is sent to 169.254.169.254, which is no host of a token endpoint');
});

test.each([
  ['https://login.microsoftonline.com/t/oauth2/v2.0/token', true],
  ['https://westeurope.login.microsoft.com/t/oauth2/v2.0/token', true],
  ['https://login.partner.microsoftonline.cn/t', true],
  ['https://login.microsoftonline.com:8443/t', false],
  ['https://login.microsoftonline.com.evil.example/t', false],
  ['https://evilmicrosoftonline.com/t', false],
  ['https://management.azure.com/t', false],
])('of the public cloud\'s authority %s: %s', (url, allowed) => {
  expect(isTokenHost(PUBLIC_CLOUD, new URL(url))).toBe(allowed);
  expect(isTokenHost({ ...PUBLIC_CLOUD, authorityHost: 'https://login.own.example/' }, new URL(url))).toBe(false);
});
