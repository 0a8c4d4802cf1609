import { SUBSCRIPTION, TENANT } from './platform';
import {
  AsoAuthentication,
  AsoCredential,
  BuiltInRole,
  CredentialMode,
  CredentialScope,
  CredentialScopes,
  CustomRole,
  ExternalAsoCredential,
  RoleGrant,
  SecretStoreValue,
  SecretValue,
} from '../../../src/core';
import { chart, group, identity, Identity, synth } from '../kinds';

const CLIENT = 'e4b9f392-7fdf-5b32-b229-1451870c1b65';
const PRINCIPAL = '2c1fcd4d-1bd4-4a6a-8d6a-5bbf6e0d8f00';
const ids = { subscriptionId: SUBSCRIPTION, tenantId: TENANT };
const authentication = AsoAuthentication.workloadIdentity(CLIENT);
const kept = SecretStoreValue.fromStore('vault', 'aso-client-secret');

describe('a credential that takes a secret', () => {
  test('is made whole by the External Secrets Operator, from the ids here and the value in the store', () => {
    const scope = chart('team');
    const credential = new AsoCredential(scope, 'credential', { ...ids, authentication: AsoAuthentication.clientSecret(CLIENT, kept) });
    expect(synth(scope)).toEqual([
      {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        metadata: { name: 'aso-credential', namespace: 'team' },
        spec: {
          refreshInterval: '1h',
          secretStoreRef: { name: 'vault', kind: 'ClusterSecretStore' },
          target: {
            name: 'aso-credential',
            creationPolicy: 'Owner',
            template: {
              engineVersion: 'v2',
              data: {
                AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
                AZURE_TENANT_ID: TENANT,
                AZURE_CLIENT_ID: CLIENT,
                AZURE_CLIENT_SECRET: '{{ .value0 }}',
              },
            },
          },
          data: [{ secretKey: 'value0', remoteRef: { key: 'aso-client-secret' } }],
        },
      },
    ]);
    expect(credential.secretName).toBe('aso-credential');
    expect(CredentialScopes.of(scope).credentials).toMatchObject([
      { secret: 'team/aso-credential', mode: CredentialMode.CLIENT_SECRET, clientId: CLIENT, subscriptionId: SUBSCRIPTION },
    ]);
  });

  test('by certificate, its password in another store', () => {
    const scope = chart('team');
    const password = SecretStoreValue.fromStore('other', 'p', { storeKind: 'SecretStore', property: 'field' });
    new AsoCredential(scope, 'credential', { ...ids, authentication: AsoAuthentication.clientCertificate(CLIENT, kept, password) });
    expect(synth(scope)[0].spec.data).toEqual([
      {
        secretKey: 'value0',
        remoteRef: { key: 'aso-client-secret' },
        sourceRef: { storeRef: { name: 'vault', kind: 'ClusterSecretStore' } },
      },
      { secretKey: 'value1', remoteRef: { key: 'p', property: 'field' }, sourceRef: { storeRef: { name: 'other', kind: 'SecretStore' } } },
    ]);
    expect(CredentialScopes.of(scope).credentials[0]!.mode).toBe(CredentialMode.CLIENT_CERTIFICATE);
  });

  test.each([
    [
      'a value in the manifest',
      () => AsoAuthentication.clientSecret(CLIENT, 'hunter2' as unknown as SecretStoreValue),
      'AZURE_CLIENT_SECRET: a secret does not belong into a manifest',
    ],
    [
      'a key of a Secret',
      () => AsoAuthentication.clientSecret(CLIENT, SecretValue.fromSecret('a', 'b') as unknown as SecretStoreValue),
      'Say where it is kept: SecretStoreValue.fromStore(store, key)',
    ],
    ['a store without a name', () => SecretStoreValue.fromStore('', 'x'), 'the store is empty'],
    ['another kind of store', () => SecretStoreValue.fromStore('x', 'x', { storeKind: 'Vault' }), "'Vault' is no kind of store"],
  ])('is refused with %s', (_, make, message) => {
    expect(make).toThrow(message);
    expect(make).not.toThrow('hunter2');
  });
});

describe('what a credential applies to', () => {
  test('single resources, which name it', () => {
    const scope = chart('team');
    const [own, other] = [group(scope, 'own'), group(scope, 'other')];
    new AsoCredential(scope, 'namespace', { ...ids, authentication });
    new AsoCredential(scope, 'dba', { ...ids, authentication, appliesTo: CredentialScope.ofResources('dba', own) });
    const scopes = CredentialScopes.of(scope);
    expect([own, other].map((resource) => scopes.resource(resource)!.secret)).toEqual(['team/dba', 'team/aso-credential']);
    expect(synth(scope).find(({ metadata }) => metadata.name === 'own').metadata.annotations).toEqual({
      'serviceoperator.azure.com/credential-from': 'dba',
    });
  });

  test('the controller: without AUTH_MODE, which it does not read there', () => {
    const scope = chart('team');
    const resource = group(scope, 'rg');
    new AsoCredential(scope, 'global', {
      ...ids,
      authentication: AsoAuthentication.managedIdentity(CLIENT),
      appliesTo: CredentialScope.ofController(),
    });
    expect(synth(scope)[1]).toMatchObject({
      metadata: { name: 'aso-controller-settings', namespace: 'azureserviceoperator-system' },
      stringData: { AZURE_CLIENT_ID: CLIENT, AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, AZURE_TENANT_ID: TENANT },
    });
    expect(synth(scope)[1].stringData).not.toHaveProperty('AUTH_MODE');
    expect(CredentialScopes.of(scope).resource(resource)).toMatchObject({
      level: 'global',
      secret: 'azureserviceoperator-system/aso-controller-settings',
    });
    expect(CredentialScopes.of(scope).credentials[0]!.mode).toBe(CredentialMode.MANAGED_IDENTITY);
  });

  test.each([
    [
      'a name that nobody looks for',
      () => new AsoCredential(chart(), 'c', { ...ids, authentication, metadata: { name: 'x' }, appliesTo: CredentialScope.ofNamespace() }),
      "the controller looks for the Secret 'aso-credential', not 'x'",
    ],
    [
      'the Secret of the namespace for single resources',
      () => CredentialScope.ofResources('aso-credential'),
      'cannot be the Secret of single resources',
    ],
    ['no name of a namespace', () => CredentialScope.ofController('A B'), 'is no name of a namespace'],
  ])('cannot be %s', (_, make, message) => expect(make).toThrow(message));
});

describe('what is said of its principal', () => {
  test('stands in annotations, so that reports over files know it', () => {
    const scope = chart('team');
    const owner = group(scope);
    const principal = identity(scope, 'app-id', owner);
    const writer = CustomRole.of({ id: '5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5c', name: 'Writer', actions: ['Microsoft.Resources/*'] });
    new AsoCredential(scope, 'credential', {
      ...ids,
      authentication,
      identity: principal,
      principalId: PRINCIPAL,
      grantedRoles: [
        { role: BuiltInRole.READER, scope: `/subscriptions/${SUBSCRIPTION}` },
        { role: writer, scope: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/` },
      ],
    });
    expect(synth(scope).at(-1).metadata.annotations).toEqual({
      'aso.cdk8s.io/credential-identity': 'team/app-id',
      'aso.cdk8s.io/credential-principal': PRINCIPAL,
      'aso.cdk8s.io/credential-roles': `acdd72a7-3385-48ef-bd42-f606fba81ae7 @ /subscriptions/${SUBSCRIPTION}; 5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5c @ /subscriptions/${SUBSCRIPTION}/resourceGroups/rg`,
    });
    expect(CredentialScopes.of(scope).credentials[0]!.roles.map(({ role, actionsKnown }) => [role, actionsKnown])).toEqual([
      ['Reader', true],
      ['Writer', true],
    ]);
    expect(CredentialScopes.of(scope).resource(owner)!.missingActions).toEqual([]);
  });

  test.each([
    ['identity', { identity: group(chart()) }, 'is no managed identity. Give a UserAssignedIdentity'],
    ['identity by name only', { identity: Identity.named('x') }, 'the namespace is not known'],
    ['principal id', { principalId: 'me' }, 'is no UUID'],
    ['role', { grantedRoles: [{ role: group(chart()), scope: `/subscriptions/${SUBSCRIPTION}` }] }, 'that is no role'],
    ['scope', { grantedRoles: [{ role: BuiltInRole.READER, scope: 'rg' }] }, "'rg' is no ARM id"],
  ])('a faulty %s is refused', (_, props, message) => {
    expect(() => new AsoCredential(chart(), 'c', { ...ids, authentication, ...props })).toThrow(message);
    expect(() => new ExternalAsoCredential(chart(), 'c', props)).toThrow(message);
  });

  test('a credential of which nothing is said has no annotations', () => {
    const scope = chart('team');
    new AsoCredential(scope, 'credential', { ...ids, authentication });
    expect(synth(scope)[0].metadata).not.toHaveProperty('annotations');
  });
});

describe('a credential that something else writes', () => {
  test('makes no object, and is known all the same', () => {
    const scope = chart('team');
    const resource = group(scope);
    expect(CredentialScopes.of(scope).resource(resource)!.verdict).toBe('no-credential');
    const external = new ExternalAsoCredential(scope, 'credential', {
      ...ids,
      clientId: CLIENT,
      mode: CredentialMode.CLIENT_SECRET,
      grantedRoles: [{ role: BuiltInRole.OWNER, scope: `/subscriptions/${SUBSCRIPTION}` }],
    });
    expect(synth(scope)).toHaveLength(1);
    expect(external.reference.secretName).toBe('aso-credential');
    const scopes = CredentialScopes.of(scope);
    expect(scopes.resource(resource)).toMatchObject({
      verdict: 'sufficient',
      level: 'namespace',
      secret: 'team/aso-credential',
      subscriptionId: SUBSCRIPTION,
    });
    expect(scopes.identities[0]?.reach).toBe('secret-holders');
  });

  test.each([
    [{ secretName: 'A B' }, "secretName: 'A B' is no name in Kubernetes"],
    [{ clientId: '' }, "client id of .* '' is no UUID"],
  ])('is refused with %j', (props, message) => expect(() => new ExternalAsoCredential(chart(), 'c', props)).toThrow(new RegExp(message)));
});

describe('a role of your own', () => {
  test('is taken wherever a role is', () => {
    const scope = chart('team');
    const role = CustomRole.of({ id: '5C6F4F0E-7e6d-4f0a-9a8b-0d1e2f3a4b5c', name: 'Writer', actions: ['*'], notActions: ['*/delete'] });
    new RoleGrant(scope, 'grant', { on: group(scope), role, principalId: PRINCIPAL });
    expect(synth(scope).at(-1).spec.roleDefinitionReference).toEqual({ armId: '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5c' });
  });

  test.each([
    [{ id: 'writer', name: 'Writer', actions: ['*'] }, "'writer' is not the id of a role definition"],
    [{ id: CLIENT, name: '', actions: ['*'] }, "'' is not the name of a role"],
    [{ id: CLIENT, name: 'a; b', actions: ['*'] }, "without ';' and '@'"],
    [{ id: CLIENT, name: 'Writer', actions: ['Microsoft.ServiceBus queues'] }, "'Microsoft.ServiceBus queues' is no action"],
  ])('is refused with %j', (props, message) => expect(() => CustomRole.of(props)).toThrow(message));
});
