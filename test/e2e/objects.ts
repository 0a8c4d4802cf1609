/** A team's objects: two levels of owners, a ConfigMap in between, and a server whose creation takes its time. */
const NAMESPACE = 'team-a';

const object = (apiVersion: string, kind: string, name: string, spec: object): object =>
  ({ apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec });
const owner = { name: 'group' };

export const teamNamespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
export const SERVER = 'e2eserver1';
export const SERVER_PATH = `/apis/dbforpostgresql.azure.com/v20250801/namespaces/team-a/flexibleservers/${SERVER}`;

export const team = [
  teamNamespace,
  object('resources.azure.com/v1api20200601', 'ResourceGroup', 'group', { location: 'uksouth' }),
  object('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'identity', {
    owner, location: 'uksouth', operatorSpec: { configMaps: { principalId: { name: 'identity', key: 'principalId' } } },
  }),
  object('managedidentity.azure.com/v1api20230131', 'FederatedIdentityCredential', 'federation', {
    owner: { name: 'identity' },
    issuer: 'https://issuer.example',
    subject: 'system:serviceaccount:team-a:team-a',
    audiences: ['api://AzureADTokenExchange'],
  }),
  object('authorization.azure.com/v1api20220401', 'RoleAssignment', 'reader', {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' },
    principalIdFromConfig: { name: 'identity', key: 'principalId' },
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  }),
  object('dbforpostgresql.azure.com/v20250801', 'FlexibleServer', SERVER, {
    owner,
    location: 'uksouth',
    sku: { name: 'Standard_D2s_v3', tier: 'GeneralPurpose' },
    authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' },
  }),
];

/**
 * A namespace that is deleted as a whole, with a credential of its own; its subscription is not the controller's, so no other credential
 * would do.
 */
const OWN = { name: 'team-b', subscription: '5f0c2f6e-3f5e-4d5b-9a53-0d6c5b8b7f10' };
const ownObject = (apiVersion: string, kind: string, name: string, rest: object): object =>
  ({ apiVersion, kind, metadata: { name, namespace: OWN.name }, ...rest });

export const namespaceWithCredential = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OWN.name } },
  ownObject('v1', 'Secret', 'aso-credential', {
    stringData: {
      AZURE_SUBSCRIPTION_ID: OWN.subscription,
      AZURE_TENANT_ID: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
      AZURE_CLIENT_ID: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
    },
  }),
  ownObject('resources.azure.com/v1api20200601', 'ResourceGroup', 'own-group', { spec: { location: 'uksouth' } }),
  ownObject('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'own-identity', {
    spec: { location: 'uksouth', owner: { name: 'own-group' } },
  }),
];
