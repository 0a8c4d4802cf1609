import { secretText } from './azure-model';
import type { KubernetesObject, ResourceType } from '../../controller/kubernetes/types';

const azure = (group: string, version: string, plural: string, kind: string): ResourceType => ({ group: `${group}.azure.com`, version, plural, kind, namespaced: true });
const core = (plural: string, kind: string, namespaced = true): ResourceType => ({ group: '', version: 'v1', plural, kind, namespaced });

export const GROUPS = azure('resources', 'v1api20200601', 'resourcegroups', 'ResourceGroup');
export const IDENTITIES = azure('managedidentity', 'v1api20230131', 'userassignedidentities', 'UserAssignedIdentity');
export const FEDERATIONS = azure('managedidentity', 'v1api20230131', 'federatedidentitycredentials', 'FederatedIdentityCredential');
export const ROLES = azure('authorization', 'v1api20220401', 'roleassignments', 'RoleAssignment');
export const ACCOUNTS = azure('storage', 'v1api20230101', 'storageaccounts', 'StorageAccount');
export const SERVERS = azure('dbforpostgresql', 'v20250801', 'flexibleservers', 'FlexibleServer');
export const SECRETS = core('secrets', 'Secret');
export const CONFIG_MAPS = core('configmaps', 'ConfigMap');
export const NAMESPACES = core('namespaces', 'Namespace', false);

export const AZURE_TYPES = [GROUPS, IDENTITIES, FEDERATIONS, ROLES, ACCOUNTS, SERVERS];
export const TYPES = [...AZURE_TYPES, SECRETS, CONFIG_MAPS, NAMESPACES];

/** An object that a user has in the files: what is applied when it is created, and again after it was deleted. */
export interface Wanted {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly spec: Record<string, unknown>;
}

const ROLE = '/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7';

/** What a team has; names begin with the namespace, because Azure has only one world for all of them. */
export function teamOf(namespace: string, number: number): readonly Wanted[] {
  const named = (name: string) => `${namespace}${name}`;
  const wanted = (type: ResourceType, name: string, spec: Record<string, unknown>): Wanted => ({ type, namespace, name: named(name), spec });
  const owner = { name: named('rg') };
  return [
    wanted(GROUPS, 'rg', { location: 'westeurope', tags: { step: '0' } }),
    wanted(IDENTITIES, 'id', {
      location: 'westeurope', owner, tags: { step: '0' }, operatorSpec: { configMaps: { principalId: { name: named('out'), key: 'principal' } } },
    }),
    // Of one identity Azure takes one write of these at a time.
    ...['trust', 'faith', 'hope'].map((name) => wanted(FEDERATIONS, name, {
      owner: { name: named('id') }, audiences: ['api://AzureADTokenExchange'], issuer: 'https://issuer.test', subject: `system:serviceaccount:x:${name}`,
    })),
    wanted(ROLES, 'role', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: named('rg') },
      azureName: `00000000-0000-0000-0000-00000000000${number}`,
      principalIdFromConfig: { name: named('out'), key: 'principal' },
      roleDefinitionReference: { armId: ROLE },
    }),
    wanted(ACCOUNTS, 'store', {
      location: 'westeurope',
      owner,
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      accessTier: 'Hot',
      minimumTlsVersion: 'TLS1_2',
      tags: { step: '0' },
      operatorSpec: { secrets: { key1: { name: named('keys'), key: 'key1' } } },
    }),
    wanted(SERVERS, 'db', {
      location: 'westeurope',
      owner,
      version: '16',
      sku: { name: 'Standard_B1ms', tier: 'Burstable' },
      storage: { storageSizeGB: 32 },
      tags: { step: '0' },
      administratorLogin: 'admin1',
      administratorLoginPassword: { name: named('password'), key: 'password' },
    }),
    // A mistake of its author: Azure refuses it for good.
    wanted(IDENTITIES, 'bad', { location: 'nowhere', owner }),
    // The owner is in nobody's files. One such object is enough: waiting is most of what happens to it.
    ...(number === 1 ? [wanted(IDENTITIES, 'lonely', { location: 'westeurope', owner: { name: 'nobody' } })] : []),
  ];
}

export function objectOf({ type, namespace, name, spec }: Wanted): KubernetesObject {
  return { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name, namespace }, spec };
}

export function secretOf(namespace: string, name: string, values: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: { ...values } };
}

export const passwordOf = (namespace: string, number: number) => secretText(namespace, `password-${number}`);
export const credentialText = (namespace: string, number: number) => secretText(namespace, `credential-${number}`);

export function typeOf({ apiVersion, kind }: KubernetesObject): ResourceType {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return TYPES.find((type) => type.group === group && type.kind === kind)!;
}
