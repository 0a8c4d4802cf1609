import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { selfSigned } from './certificates';
import { GLOBAL, IDS, secret, setUp } from './resolver';
import { createArmClient } from '../../../engine/arm/arm-client';
import { PUBLIC_CLOUD } from '../../../engine/credentials/cloud';
import { tokenCredential } from '../../../engine/credentials/token-credential';

const certificate = selfSigned();
const PEM = certificate.certificate + certificate.key;
const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-foreign-cloud-'));
const identityFile = join(directory, 'identity.json');
writeFileSync(identityFile, JSON.stringify({ client_id: 'c', tenant_id: 't', client_secret: certificate.pkcs12('').toString('base64') }));
afterAll(() => rmSync(directory, { recursive: true }));

const keys = (endpoint: string, audience: string, authority: string) => ({
  AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint,
  AZURE_RESOURCE_MANAGER_AUDIENCE: audience,
  AZURE_AUTHORITY_HOST: authority,
});
const [ARM, AUDIENCE, ENTRA] = [
  'https://management.azure.com',
  'https://management.core.windows.net/',
  'https://login.microsoftonline.com/',
];

/** Credentials of the controller that are not in the Secret. */
const OWN: [string, Record<string, string>][] = [
  ['workload identity', {}],
  ['workload identity by name', { AUTH_MODE: 'workloadidentity' }],
  ['managed identity', { AUTH_MODE: 'podidentity' }],
  ['identity file', { AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: identityFile }],
];
const FOREIGN: [string, Record<string, string>][] = [
  ['all of it', keys('https://evil.example', 'https://evil.example', 'https://evil.example')],
  ['authority', keys(ARM, AUDIENCE, 'https://login.evil.example')],
  ['Azure Resource Manager', keys('https://arm.evil.example', AUDIENCE, ENTRA)],
  ['a host that ends like Azure\'s', keys('https://evilmanagement.azure.com', AUDIENCE, ENTRA)],
  ['a host that begins like Azure\'s', keys('https://management.azure.com.evil.example', AUDIENCE, ENTRA)],
  ['Azure\'s name as user', keys('https://management.azure.com@evil.example', AUDIENCE, ENTRA)],
  ['Azure\'s name before a backslash', keys(ARM, AUDIENCE, 'https://evil.example\\@login.microsoftonline.com')],
  ['a port', keys('https://management.azure.com:8443', AUDIENCE, ENTRA)],
  ['a path', keys(ARM, AUDIENCE, 'https://login.microsoftonline.com/x/../')],
  ['a query', keys(ARM, AUDIENCE, 'https://login.microsoftonline.com/?')],
  ['an audience of something else', keys(ARM, 'https://vault.azure.net', ENTRA)],
  ['one cloud\'s authority, another\'s Azure Resource Manager', keys('https://management.chinacloudapi.cn', AUDIENCE, ENTRA)],
];

const MULTI = { ...GLOBAL, ALLOW_MULTI_ENV_MANAGEMENT: 'true' };
const strict = { namespaceTokens: { token: () => Promise.reject(new Error('a token of the service account was asked for')) } };
const resolved = (values: Record<string, string>, more = {}) => {
  const environment = setUp({ 'ns/aso-credential': secret({ ...IDS, ...values }) }, MULTI, more);
  environment.resolve();
  return environment;
};

describe.each(FOREIGN)('a foreign cloud in a Secret: %s', (_, cloud) => {
  test.each(OWN)('gets nothing by %s, and no request is made', async (__, values) => {
    const { identity } = resolved({ ...values, ...cloud });
    await expect(identity()).rejects.toMatchObject({
      problem: 'CredentialInvalid',
      message: expect.stringContaining('no token of the controller, of its pod or of a service account is sent there'),
    });
  });

  test('gets no token of the namespace\'s service account in strict mode', async () => {
    await expect(resolved(cloud, strict).identity()).rejects.toMatchObject({ problem: 'CredentialInvalid' });
  });

  test('gets the secret that stands beside it', async () => {
    expect((await resolved({ ...cloud, AZURE_CLIENT_SECRET: 's' }).identity())[0]).toBe('ClientSecretCredential');
    expect((await resolved({ ...cloud, AZURE_CLIENT_CERTIFICATE: PEM }).identity())[0]).toBe('ClientCertificateCredential');
  });
});

test.each([
  ['of a foreign cloud have 4 MiB', keys('https://arm.own.example', AUDIENCE, ENTRA), 'the answer has more than 4194304 bytes, which no answer of a cloud has'],
  ['of Azure have 17 MiB', keys(ARM, AUDIENCE, ENTRA), undefined],
])('answers %s', async (_, cloud, refused) => {
  const parts = resolved({ ...cloud, AZURE_CLIENT_SECRET: 's' }).clients.at(-1)!;
  const client = createArmClient({
    ...parts,
    registerProviders: false,
    httpClient: {
      sendRequest: async (request) =>
        ({ request, status: 200, headers: createHttpHeaders(), readableStreamBody: Readable.from([Buffer.alloc(5 * 1024 * 1024, ' ')]) }),
    },
  });
  // A failure would show 5 MiB otherwise.
  const sent = client.send({ method: 'GET', url: '/subscriptions/x', apiVersion: '2020-01-01' }).then(({ status }) => status);
  if (refused) await expect(sent).rejects.toThrow(refused);
  else await expect(sent).resolves.toBe(200);
});

describe('clouds that may have the controller\'s token', () => {
  test.each([
    ['the public one', keys(ARM, AUDIENCE, ENTRA)],
    ['with other slashes and letters', keys(`${ARM.toUpperCase()}/`, AUDIENCE.replace(/\/$/, ''), ENTRA.replace(/\/$/, ''))],
    [
      'US Government',
      keys('https://management.usgovcloudapi.net', 'https://management.core.usgovcloudapi.net/', 'https://login.microsoftonline.us'),
    ],
  ])('%s', async (_, cloud) => {
    expect((await resolved(cloud).identity())[0]).toBe('WorkloadIdentityCredential');
    expect((await resolved({ ...cloud, AUTH_MODE: 'podidentity' }).identity())[0]).toBe('ManagedIdentityCredential');
  });

  test('the controller\'s own, whatever it is', async () => {
    const stack = keys('https://arm.stack.example', 'https://arm.stack.example/', 'https://login.stack.example');
    const environment = setUp({ 'ns/aso-credential': secret({ ...IDS, ...stack }) }, { ...MULTI, ...stack });
    environment.resolve();
    expect((await environment.identity())[0]).toBe('WorkloadIdentityCredential');
  });
});

test('a cloud in a Secret is reached over https', () => {
  for (const cloud of [keys('http://arm.example', 'a', ENTRA), keys(ARM, 'a', 'http://login.example')]) {
    expect(() => resolved({ ...cloud, AZURE_CLIENT_SECRET: 's' })).toThrow('must be a URL that begins with https://');
  }
});

test.each(['/dev/zero', '/dev', '/proc/self/environ'])('%s is no identity file, and is not opened', async (file) => {
  const load = async () => ({ ClientCertificateCredential: class {} }) as never;
  await expect(tokenCredential({ mode: 'identityFile', file }, PUBLIC_CLOUD, { load }).getToken('s')).rejects.toThrow(
    `the identity file ${file} is no file of 1 to`,
  );
});
