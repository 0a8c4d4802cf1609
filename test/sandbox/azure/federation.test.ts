import { generateKeyPairSync } from 'node:crypto';
import { Azure, GROUP } from './client';
import type { FederationOptions } from '../../../sandbox/azure';
import { ServiceAccountTokens } from '../../../sandbox/kubernetes';

const AUDIENCE = 'api://AzureADTokenExchange';
const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mine`;
const ACCOUNT = { namespace: 'team-a', name: 'aso-workload' };
const SUBJECT = 'system:serviceaccount:team-a:aso-workload';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const query = '?api-version=2023-01-31';

let azure: Azure;
let clientId: string;
const clock = { now: () => azure.clock.now() } as never;
const cluster = new ServiceAccountTokens('https://issuer.example/one', clock);
const other = new ServiceAccountTokens('https://issuer.example/two', clock);
const forged = new ServiceAccountTokens('https://issuer.example/one', clock);

const OWN = { issuer: cluster.issuer, subject: SUBJECT, audiences: [AUDIENCE] };

async function start(federation: FederationOptions, credential: object | null = OWN): Promise<void> {
  azure = await Azure.start({ federation: { issuers: [{ issuer: cluster.issuer, keys: () => cluster.jwks }], ...federation } });
  await azure.group();
  clientId = (await azure.put(`${IDENTITY}${query}`, { location: 'uksouth' })).body.properties.clientId;
  if (credential) await azure.put(`${IDENTITY}/federatedIdentityCredentials/one${query}`, { properties: credential });
}
afterEach(() => azure.simulator.close());

async function exchange(assertion: string, client = clientId): Promise<string> {
  const form = { client_id: client, client_secret: undefined, client_assertion: assertion, client_assertion_type: TYPE };
  const { status, body } = await azure.tokenRequest(form);
  return status === 200 ? 'a token' : `${status} ${body.error} ${body.error_description.split(':')[0]} ${body.error_codes}`;
}

test('issuer, subject and audience of the assertion are compared with the federated credentials of the identity', async () => {
  await start({});
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('a token');
  expect(await exchange(cluster.token({ ...ACCOUNT, namespace: 'team-b' }, [AUDIENCE]))).toBe('401 invalid_client AADSTS700213 700213');
  expect(await exchange(cluster.token({ ...ACCOUNT, name: 'default' }, [AUDIENCE]))).toBe('401 invalid_client AADSTS700213 700213');
  expect(await exchange(cluster.token(ACCOUNT, ['api://other']))).toBe('401 invalid_client AADSTS700212 700212');
  expect(await exchange(other.token(ACCOUNT, [AUDIENCE]))).toBe('401 invalid_client AADSTS700211 700211');
  expect(await exchange(forged.token(ACCOUNT, [AUDIENCE]))).toBe('401 invalid_client AADSTS50013 50013');
  expect(await exchange('x.y.z')).toBe('401 invalid_client AADSTS50027 50027');
});

test('an assertion has its time', async () => {
  await start({});
  const token = cluster.token(ACCOUNT, [AUDIENCE], 600);
  azure.clock.advance(1000);
  expect(await exchange(token)).toBe('401 invalid_client AADSTS700024 700024');
});

test('an identity without federated credentials, and its secret that it cannot have', async () => {
  await start({}, null);
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('401 invalid_client AADSTS70025 70025');
  expect((await azure.tokenRequest({ client_id: clientId, client_secret: 'any' })).body.error_codes).toEqual([7000215]);
});

test('a new federated credential is known after a while', async () => {
  await start({ delaySeconds: 60 });
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('401 invalid_client AADSTS70025 70025');
  azure.clock.advance(61);
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('a token');
});

test('a client that was not made here: taken for one from elsewhere, or refused, or compared with what was configured', async () => {
  const client = '3f8a7a64-1111-4222-8333-5a0e3e3a9c10';
  await start({});
  expect(await exchange('x.y.z', client)).toBe('a token');
  await azure.simulator.close();
  await start({
    refuseUnknownClients: true,
    credentials: [{ clientId: client, issuer: cluster.issuer, subject: 'system:serviceaccount:aso:aso' }],
  });
  expect(await exchange('x.y.z', '3f8a7a64-9999-4222-8333-5a0e3e3a9c10')).toBe('400 unauthorized_client AADSTS700016 700016');
  expect(await exchange(cluster.token({ namespace: 'aso', name: 'aso' }, [AUDIENCE]), client)).toBe('a token');
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]), client)).toBe('401 invalid_client AADSTS700213 700213');
});

test('a cluster that stands for all others is still held to the subject', async () => {
  await start({ issuers: [{ issuer: other.issuer, keys: () => other.jwks, standsForAll: true }] });
  expect(await exchange(other.token(ACCOUNT, [AUDIENCE]))).toBe('a token');
  expect(await exchange(other.token({ ...ACCOUNT, namespace: 'team-b' }, [AUDIENCE]))).toBe('401 invalid_client AADSTS700213 700213');
});

test('a key of another kind signs nothing', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await start({ issuers: [{ issuer: cluster.issuer, keys: () => [{ ...publicKey.export({ format: 'jwk' }), kid: 'other' }] }] });
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('401 invalid_client AADSTS50013 50013');
});

test('an identity that was deleted is nobody any more, whoever else is taken for granted', async () => {
  await start({ refuseUnknownClients: false });
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('a token');
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]), '99999999-0000-4000-8000-000000000009')).toBe('a token');
  await azure.send('DELETE', `${IDENTITY}${query}`);
  expect(await exchange(cluster.token(ACCOUNT, [AUDIENCE]))).toBe('400 unauthorized_client AADSTS700016 700016');
});

describe('an identity that needs roles', () => {
  const [OWNER, CONTRIBUTOR, READER] = [
    '8e3af657-a8ff-443c-a75c-2fe8c4bcb635', 'b24988ac-6180-42a0-ab88-20f7382dd24c', 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
  ] as const;
  const ROLES = '/providers/Microsoft.Authorization/roleDefinitions';
  const ACCOUNT_ID = `${GROUP}/providers/Microsoft.Storage/storageAccounts/mine`;

  /** The statuses of what the identity tries with a role on the group. */
  async function tried(role: string, attempts: readonly (readonly [method: string, path: string, body?: object])[]): Promise<number[]> {
    const federation = { issuers: [{ issuer: cluster.issuer, keys: () => cluster.jwks }] };
    azure = await Azure.start({ federation, principalDelaySeconds: 1 });
    await azure.group();
    const { properties } = (await azure.put(`${IDENTITY}${query}`, { location: 'uksouth' })).body;
    await azure.put(`${IDENTITY}/federatedIdentityCredentials/one${query}`, { properties: OWN });
    const permissions = [{ actions: ['Microsoft.Storage/*'], notActions: ['*/delete'] }];
    const custom = { roleName: 'queues', permissions, assignableScopes: [GROUP] };
    await azure.put(`${GROUP}${ROLES}/11111111-2222-4333-8444-555555555555?api-version=2022-04-01`, { properties: custom });
    const given = '/providers/Microsoft.Authorization/roleAssignments/99999999-2222-4333-8444-555555555555';
    await azure.put(`${GROUP}${given}?api-version=2022-04-01`, {
      properties: { principalId: properties.principalId, principalType: 'ServicePrincipal', roleDefinitionId: `${ROLES}/${role}` },
    });
    azure.clock.advance(10);
    const { body } = await azure.tokenRequest({
      client_id: properties.clientId,
      client_secret: undefined,
      client_assertion: cluster.token(ACCOUNT, [AUDIENCE]),
      client_assertion_type: TYPE,
    });
    const statuses: number[] = [];
    for (const [method, path, sent] of attempts) {
      const headers = { 'authorization': `Bearer ${body.access_token}`, 'content-type': 'application/json' };
      statuses.push((await azure.raw(method, path, sent && JSON.stringify(sent), headers)).status);
    }
    return statuses;
  }

  const ASSIGNMENT = `${ACCOUNT_ID}/providers/Microsoft.Authorization/roleAssignments/77777777-2222-4333-8444-555555555555?api-version=2022-04-01`;
  const attempts = [
    ['PUT', `${ACCOUNT_ID}?api-version=2023-01-01`, { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } }],
    ['GET', `${ACCOUNT_ID}?api-version=2023-01-01`],
    ['PUT', ASSIGNMENT, { properties: { principalId: '12121212-2222-4333-8444-555555555555', principalType: 'ServicePrincipal', roleDefinitionId: `${ROLES}/${READER}` } }],
    ['DELETE', `${ACCOUNT_ID}?api-version=2023-01-01`],
  ] as const;

  test.each([
    ['Owner', OWNER, [false, false, false, false]],
    ['Contributor, which gives no roles', CONTRIBUTOR, [false, false, true, false]],
    ['Reader', READER, [true, false, true, true]],
    ['a role that was made here, without deletions', '11111111-2222-4333-8444-555555555555', [false, false, true, true]],
    ['a role that is not known here', '22222222-2222-4333-8444-555555555555', [false, false, false, false]],
  ] as const)('%s', async (_, role, refused) => {
    expect((await tried(role, attempts)).map((status) => status === 403)).toEqual(refused);
  });
});
