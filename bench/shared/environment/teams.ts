import type { KubernetesObject } from '../../../engine/kubernetes';
import { Catalog } from '../../../src/catalog';
import { repeated } from '../repeated';

const LOCATION = 'uksouth';
const SECRET_KEY = { name: 'database-admin', key: 'password' };

/** One team: its namespace, the subscription that its credential is for, and its objects, owners before what they own. */
export interface Team {
  readonly namespace: string;
  readonly subscription: number;
  /** Of Kubernetes' core: the namespace, the credential, the password of its databases. */
  readonly core: readonly [KubernetesObject, ...KubernetesObject[]];
  readonly objects: readonly KubernetesObject[];
}

export interface Credential {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The subscriptions of all teams, one principal in each. */
export function subscriptionId(number: number): string {
  return `5b000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Teams of 27 to 39 objects until there are so many objects; the last team has as many as are left. */
export function teamsOf(count: number, subscriptions: number, credential: Credential): Team[] {
  const teams: Team[] = [];
  for (let number = 1, left = count; left > 0; number += 1) {
    const team = teamOf(number, subscriptions, credential);
    teams.push({ ...team, objects: team.objects.slice(0, left) });
    left -= team.objects.length;
  }
  return teams;
}

export function teamOf(number: number, subscriptions: number, credential: Credential): Team {
  const namespace = `team-${number}`;
  const subscription = number % subscriptions;
  return { namespace, subscription, core: coreOf(namespace, subscription, credential), objects: treeOf(`t${number}`, namespace, number) };
}

/** One namespace with so many objects. */
export function crowd(namespace: string, count: number, subscription: number, credential: Credential): Team {
  const objects: KubernetesObject[] = [];
  for (let number = 1; objects.length < count; number += 1) objects.push(...treeOf(`${namespace}${number}`, namespace, number));
  return { namespace, subscription, core: coreOf(namespace, subscription, credential), objects: objects.slice(0, count) };
}

/** A namespace with nothing in it but its credential. */
export function emptyTeam(namespace: string, subscription: number, credential: Credential): Team {
  return { namespace, subscription, core: coreOf(namespace, subscription, credential), objects: [] };
}

/** A group, and objects of several kinds in it that wait for nothing else. */
export function probesOf(
  namespace: string,
  count: number,
): { readonly group: KubernetesObject; readonly objects: readonly KubernetesObject[] } {
  const placed = { owner: { name: 'group' }, location: LOCATION };
  const make: ((name: string) => KubernetesObject)[] = [
    (name) => objectOf('resources', 'ResourceGroup', namespace, name, { location: LOCATION }),
    (name) => objectOf('managedidentity', 'UserAssignedIdentity', namespace, name, placed),
    (name) => objectOf('servicebus', 'Namespace', namespace, name, { ...placed, azureName: `sb-${name}-bench`, sku: { name: 'Standard' } }),
    (name) => objectOf('network', 'NetworkSecurityGroup', namespace, name, placed),
    (name) =>
      objectOf('storage', 'StorageAccount', namespace, name, {
        ...placed,
        azureName: `st${name.replace(/\W/g, '')}`,
        kind: 'StorageV2',
        sku: { name: 'Standard_LRS' },
      }),
  ];
  return {
    group: objectOf('resources', 'ResourceGroup', namespace, 'group', { location: LOCATION }),
    objects: repeated(make, count).map((makeOne, index) => makeOne(`${namespace}-${index}`)),
  };
}

function coreOf(namespace: string, subscription: number, { tenantId, clientId, clientSecret }: Credential): Team['core'] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aso-credential', namespace },
      stringData: {
        AZURE_SUBSCRIPTION_ID: subscriptionId(subscription),
        AZURE_TENANT_ID: tenantId,
        AZURE_CLIENT_ID: clientId,
        AZURE_CLIENT_SECRET: clientSecret,
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: SECRET_KEY.name, namespace },
      stringData: { [SECRET_KEY.key]: `Pa55-${namespace}-word` },
    },
  ];
}

function objectOf(group: string, kind: string, namespace: string, name: string, spec: Record<string, unknown>): KubernetesObject {
  const { apiVersion } = Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
  const object = { apiVersion, kind, metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': namespace } }, spec };
  // As `kubectl apply` does it: the object has its manifest with it.
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(object)}\n` };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

type Make = (group: string, kind: string, name: string, spec: Record<string, unknown>) => KubernetesObject;

/**
 * The objects of a team: identity, roles, storage, vault, messaging and network, and one sort of database or, every fourth team, all of
 * them.
 */
function treeOf(id: string, namespace: string, number: number): KubernetesObject[] {
  const make: Make = (group, kind, name, spec) => objectOf(group, kind, namespace, `${id}-${name}`, spec);
  const owner = (name: string) => ({ owner: { name: `${id}-${name}` } });
  const placed = { ...owner('group'), location: LOCATION, tags: { team: namespace, environment: 'dev', managedBy: 'platform' } };
  const all = number % 4 === 0;
  return [
    make('resources', 'ResourceGroup', 'group', { location: LOCATION, tags: placed.tags }),
    ...identityOf(make, id, placed, owner),
    ...storageOf(make, id, placed, owner),
    make('keyvault', 'Vault', 'vault', {
      ...placed,
      azureName: `kv-${id}-bench`,
      properties: {
        tenantId: '00000000-0000-0000-0000-000000000000',
        sku: { family: 'A', name: 'standard' },
        enableRbacAuthorization: true,
      },
    }),
    ...messagingOf(make, id, placed, owner),
    ...rolesOf(make, id, placed, owner),
    ...networkOf(make, id, placed, owner),
    ...(all || number % 3 === 0 ? postgresOf(make, id, placed, owner) : []),
    ...(all || number % 3 === 1 ? sqlOf(make, id, placed, owner) : []),
    ...(all || number % 3 === 2 ? cosmosOf(make, id, placed, owner) : []),
  ];
}

type Part = (
  make: Make,
  id: string,
  placed: Record<string, unknown>,
  owner: (name: string) => Record<string, unknown>,
) => KubernetesObject[];

const identityOf: Part = (make, id, placed, owner) => [
  make('managedidentity', 'UserAssignedIdentity', 'identity', {
    ...placed,
    operatorSpec: {
      configMaps: { principalId: { name: `${id}-identity`, key: 'principalId' }, clientId: { name: `${id}-identity`, key: 'clientId' } },
    },
  }),
  ...['web', 'worker'].map((name) =>
    make('managedidentity', 'FederatedIdentityCredential', name, {
      ...owner('identity'),
      issuer: 'https://issuer.example/',
      subject: `system:serviceaccount:${id}:${name}`,
      audiences: ['api://AzureADTokenExchange'],
    }),
  ),
];

const rolesOf: Part = (make, id) => {
  const role = (name: string, group: string, kind: string, of: string, wellKnownName: string) =>
    make('authorization', 'RoleAssignment', name, {
      owner: { group: `${group}.azure.com`, kind, name: `${id}-${of}` },
      principalType: 'ServicePrincipal',
      principalIdFromConfig: { name: `${id}-identity`, key: 'principalId' },
      roleDefinitionReference: { wellKnownName },
    });
  return [
    role('reads-blobs', 'storage', 'StorageAccount', 'store', 'Storage Blob Data Contributor'),
    role('reads-secrets', 'keyvault', 'Vault', 'vault', 'Key Vault Secrets User'),
    role('sends', 'servicebus', 'Namespace', 'bus', 'Azure Service Bus Data Owner'),
  ];
};

const storageOf: Part = (make, id, placed, owner) => [
  make('storage', 'StorageAccount', 'store', {
    ...placed,
    azureName: `st${id.replace(/\W/g, '')}bench`,
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    accessTier: 'Hot',
    minimumTlsVersion: 'TLS1_2',
    supportsHttpsTrafficOnly: true,
    allowBlobPublicAccess: false,
    networkAcls: { bypass: 'AzureServices', defaultAction: 'Deny', ipRules: [{ value: '203.0.113.7', action: 'Allow' }] },
    operatorSpec: { secrets: { key1: { name: `${id}-store`, key: 'key' }, blobEndpoint: { name: `${id}-store`, key: 'endpoint' } } },
  }),
  make('storage', 'StorageAccountsBlobService', 'blobs', { ...owner('store'), deleteRetentionPolicy: { enabled: true, days: 7 } }),
  make('storage', 'StorageAccountsQueueService', 'queues', owner('store')),
  ...['raw', 'done'].map((name) => make('storage', 'StorageAccountsBlobServicesContainer', name, owner('blobs'))),
  make('storage', 'StorageAccountsQueueServicesQueue', 'in', owner('queues')),
];

const messagingOf: Part = (make, id, placed, owner) => [
  make('servicebus', 'Namespace', 'bus', {
    ...placed,
    azureName: `sb-${id}-bench`,
    sku: { name: 'Standard', tier: 'Standard' },
    operatorSpec: { secrets: { primaryKey: { name: `${id}-bus`, key: 'key' } } },
  }),
  ...['orders', 'bills', 'mails', 'audit'].map((name) =>
    make('servicebus', 'NamespacesQueue', name, { ...owner('bus'), maxSizeInMegabytes: 1024, lockDuration: 'PT1M' }),
  ),
  make('servicebus', 'NamespacesTopic', 'topic', owner('bus')),
  ...['copy', 'index'].map((name) => make('servicebus', 'NamespacesTopicsSubscription', name, { ...owner('topic'), maxDeliveryCount: 5 })),
];

const networkOf: Part = (make, id, placed, owner) => [
  make('network', 'NetworkSecurityGroup', 'nsg', placed),
  make('network', 'VirtualNetwork', 'vnet', { ...placed, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }),
  ...['apps', 'data', 'edge'].map((name, at) => make('network', 'VirtualNetworksSubnet', `subnet-${name}`, {
    ...owner('vnet'),
    addressPrefix: `10.0.${at}.0/24`,
    networkSecurityGroup: { reference: { group: 'network.azure.com', kind: 'NetworkSecurityGroup', name: `${id}-nsg` } },
  })),
];

const postgresOf: Part = (make, id, placed, owner) => [
  make('dbforpostgresql', 'FlexibleServer', 'pg', {
    ...placed,
    azureName: `pg-${id}-bench`,
    version: '16',
    sku: { name: 'Standard_D4s_v3', tier: 'GeneralPurpose' },
    administratorLogin: 'platform',
    administratorLoginPassword: SECRET_KEY,
    storage: { storageSizeGB: 128 },
  }),
  ...['ledger', 'reports'].map((name) => make('dbforpostgresql', 'FlexibleServersDatabase', name, { ...owner('pg'), charset: 'utf8' })),
  make('dbforpostgresql', 'FlexibleServersConfiguration', 'pgaudit', {
    ...owner('pg'),
    azureName: 'pgaudit.log',
    source: 'user-override',
    value: 'READ',
  }),
];

const sqlOf: Part = (make, id, placed, owner) => [
  make('sql', 'Server', 'sql', {
    ...placed,
    azureName: `sql-${id}-bench`,
    administratorLogin: 'platform',
    administratorLoginPassword: SECRET_KEY,
  }),
  ...['shop', 'stock'].map((name) => make('sql', 'ServersDatabase', name, { ...owner('sql'), location: LOCATION })),
];

const cosmosOf: Part = (make, id, placed, owner) => [
  make('documentdb', 'DatabaseAccount', 'cosmos', {
    ...placed,
    azureName: `cosmos-${id}-bench`,
    kind: 'GlobalDocumentDB',
    databaseAccountOfferType: 'Standard',
    locations: [{ locationName: LOCATION, failoverPriority: 0 }],
  }),
  make('documentdb', 'SqlDatabase', 'documents', {
    ...owner('cosmos'), azureName: 'documents', location: LOCATION, resource: { id: 'documents' },
  }),
  ...['carts', 'users', 'events'].map((name) => make('documentdb', 'SqlDatabaseContainer', `container-${name}`, {
    ...owner('documents'), azureName: name, location: LOCATION, resource: { id: name, partitionKey: { paths: ['/id'], kind: 'Hash' } },
  })),
];
