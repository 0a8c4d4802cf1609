import { chart, SUBSCRIPTION, synth } from './kinds';
import { AsoAuthentication, AsoCredential, CredentialReference } from '../../src/core';

const CLIENT = 'e4b9f392-7fdf-5b32-b229-1451870c1b65';
const TENANT = '83daace9-3f02-5f8c-a35d-5a6b9c697e86';

describe('credentials', () => {
  const keys = (authentication: AsoAuthentication, more = {}) => {
    const scope = chart('team');
    new AsoCredential(scope, 'credential', { subscriptionId: SUBSCRIPTION, tenantId: TENANT, authentication, ...more });
    return synth(scope)[0];
  };

  test('of a namespace, by workload identity', () => {
    expect(keys(AsoAuthentication.workloadIdentity(CLIENT))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aso-credential', namespace: 'team' },
      stringData: {
        AZURE_CLIENT_ID: CLIENT,
        AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
        AZURE_TENANT_ID: TENANT,
        USE_WORKLOAD_IDENTITY_AUTH: 'true',
      },
    });
  });

  test('by managed identity and service principal: no secret value in any of them', () => {
    expect(keys(AsoAuthentication.managedIdentity(CLIENT)).stringData).toMatchObject({ AUTH_MODE: 'podidentity' });
    expect(Object.keys(keys(AsoAuthentication.servicePrincipal(CLIENT)).stringData).sort()).toEqual([
      'AZURE_CLIENT_ID',
      'AZURE_SUBSCRIPTION_ID',
      'AZURE_TENANT_ID',
    ]);
  });

  test('for another cloud, with further tenants', () => {
    const endpoints = {
      authorityHost: 'https://login.microsoftonline.us/',
      resourceManagerEndpoint: 'https://management.usgovcloudapi.net',
      resourceManagerAudience: 'https://management.core.usgovcloudapi.net',
    };
    expect(keys(AsoAuthentication.workloadIdentity(CLIENT), { endpoints, additionalTenants: [TENANT, CLIENT] }).stringData).toMatchObject({
      AZURE_ADDITIONAL_TENANTS: `${TENANT},${CLIENT}`,
      AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.us/',
      AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.usgovcloudapi.net',
      AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.core.usgovcloudapi.net',
    });
    expect(() => keys(AsoAuthentication.workloadIdentity(CLIENT), { endpoints: { ...endpoints, authorityHost: 'login' } })).toThrow(
      "AZURE_AUTHORITY_HOST 'login' is no URL",
    );
  });

  test.each([
    ['client id', () => AsoAuthentication.workloadIdentity('me')],
    ['subscription id', () => keys(AsoAuthentication.workloadIdentity(CLIENT), { subscriptionId: '' })],
    ['tenant id', () => keys(AsoAuthentication.workloadIdentity(CLIENT), { tenantId: 'contoso.com' })],
    ['additional tenant id', () => keys(AsoAuthentication.workloadIdentity(CLIENT), { additionalTenants: ['x'] })],
  ])('a %s has to be a UUID', (what, make) => {
    expect(make).toThrow(new RegExp(`The ${what} '.*' is no UUID`));
  });

  test('are named without their namespace', () => {
    expect(() => CredentialReference.fromSecretName('other/secret')).toThrow(
      "'other/secret' is not the name of a Secret. Give the bare name",
    );
  });
});
