/** A team's objects: two levels of owners, a ConfigMap in between, and a server whose creation takes its time. */
const NAMESPACE = 'team-a';

const object = (apiVersion: string, kind: string, name: string, spec: object): object =>
  ({ apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec });
const owner = { name: 'group' };

export const teamNamespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
export const SERVER = 'e2eserver1';

export const team = [
  teamNamespace,
  object('resources.azure.com/v1api20200601', 'ResourceGroup', 'group', { location: 'uksouth' }),
  object('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'identity', {
    owner, location: 'uksouth', operatorSpec: { configMaps: { principalId: { name: 'identity', key: 'principalId' } } },
  }),
  object('managedidentity.azure.com/v1api20230131', 'FederatedIdentityCredential', 'federation', {
    owner: { name: 'identity' }, issuer: 'https://issuer.example', subject: 'system:serviceaccount:team-a:team-a', audiences: ['api://AzureADTokenExchange'],
  }),
  object('authorization.azure.com/v1api20220401', 'RoleAssignment', 'reader', {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' },
    principalIdFromConfig: { name: 'identity', key: 'principalId' },
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  }),
  object('dbforpostgresql.azure.com/v20250801', 'FlexibleServer', SERVER, { owner, location: 'uksouth', sku: { name: 'Standard_D2s_v3', tier: 'GeneralPurpose' } }),
];
