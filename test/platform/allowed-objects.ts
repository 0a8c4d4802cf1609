import { ALLOWED_DEPUTIES } from './deputy-objects';
import {
  ARCHIVE, COSMOS, CUSTOM_ROLE, EVENT_HUBS, FIN, FIN_CONTAINERS, FRONT_DOOR, KUSTO, MYSQL, ORDERS_BUS, POSTGRES, SERVICE_BUS, SQL, STORAGE,
  WEST, ZONE,
} from './guarded-team';
import { account, azure, core, federation, grant, GROUP, identity, queue, TeamObject, without } from './objects-of-team';

/** An allowed object that resembles a forbidden one. */
export interface AllowedObject {
  readonly what: string;
  readonly object: TeamObject;
}

const allowed = (what: string, object: TeamObject): AllowedObject => ({ what, object });
const operator = 'serviceoperator.azure.com';
const rule = { owner: { name: 'audit' }, sqlFilter: { sqlExpression: '1=1' } };

export const ALLOWED: readonly AllowedObject[] = [
  allowed('an account in its group', account()),
  allowed('ids of another case', account({ owner: { armId: FIN.resourceGroupId.toUpperCase() } })),
  allowed('the other region, as people write it', account({ location: 'UK West' })),
  allowed('an account in the group that was granted', account({ owner: { armId: ARCHIVE } })),
  allowed('a blob service of its account', azure('storage', 'StorageAccountsBlobService', { owner: { name: 'one' } })),
  allowed(
    'a container by ARM id',
    azure('storage', 'StorageAccountsBlobServicesContainer', {
      owner: { armId: `${FIN.resourceGroupId}/providers/Microsoft.Storage/storageAccounts/stfin/blobServices/default` },
    }),
  ),
  allowed('its resource group', azure('resources', 'ResourceGroup', { azureName: FIN.resourceGroup, location: 'uksouth' })),
  allowed('its other resource group', azure('resources', 'ResourceGroup', { azureName: 'rg-fin-west', location: 'ukwest' })),
  allowed('an account in its other group', account({ owner: { armId: WEST }, location: 'ukwest' })),
  allowed('a resource in its group, by the name of the object', account({ owner: { name: FIN.resourceGroup } })),
  allowed('a queue in the shared namespace', queue()),
  allowed('a queue that forwards to one of its own', queue({ forwardTo: 'fin--archive', forwardDeadLetteredMessagesTo: 'FIN--dead' })),
  allowed(
    'a queue in a Service Bus namespace of its own group, that forwards to any of it',
    queue({ owner: { armId: `${GROUP.armId}/providers/Microsoft.ServiceBus/namespaces/own` }, azureName: 'intake', forwardTo: 'archive' }),
  ),
  allowed('a queue whose object has the name', without(queue({}, { name: 'fin--orders' }), 'azureName')),
  allowed(
    'a topic in the shared namespace',
    azure('servicebus', 'NamespacesTopic', { azureName: 'FIN--orders', owner: { armId: SERVICE_BUS } }),
  ),
  allowed(
    'a subscription of its topic, by ARM id',
    azure('servicebus', 'NamespacesTopicsSubscription', { azureName: 'audit', owner: { armId: `${SERVICE_BUS}/topics/fin--orders` } }),
  ),
  allowed('a rule', azure('servicebus', 'NamespacesTopicsSubscriptionsRule', rule)),
  allowed(
    'a database on the shared server',
    azure('dbforpostgresql', 'FlexibleServersDatabase', { azureName: 'fin--ledger', owner: { armId: POSTGRES }, charset: 'UTF8' }),
  ),
  allowed('a queue in the other shared namespace', queue({ owner: { armId: ORDERS_BUS } })),
  allowed('an event hub', azure('eventhub', 'NamespacesEventhub', { azureName: 'fin--clicks', owner: { armId: EVENT_HUBS } })),
  allowed(
    'a consumer group of its event hub',
    azure('eventhub', 'NamespacesEventhubsConsumerGroup', { azureName: 'reports', owner: { armId: `${EVENT_HUBS}/eventhubs/fin--clicks` } }),
  ),
  allowed('a MySQL database', azure('dbformysql', 'FlexibleServersDatabase', { azureName: 'fin--ledger', owner: { armId: MYSQL } })),
  allowed(
    'a new SQL database',
    azure('sql', 'ServersDatabase', { azureName: 'fin--ledger', owner: { armId: SQL }, location: 'uksouth', createMode: 'Default' }),
  ),
  allowed(
    'a Cosmos DB database',
    azure('documentdb', 'SqlDatabase', { azureName: 'fin--ledger', owner: { armId: COSMOS }, resource: { id: 'fin--ledger' } }),
  ),
  allowed(
    'a container of its Cosmos DB database',
    azure('documentdb', 'SqlDatabaseContainer', {
      azureName: 'accounts',
      owner: { armId: `${COSMOS}/sqlDatabases/fin--ledger` },
      resource: { id: 'accounts' },
    }),
  ),
  allowed(
    'a container in the shared account',
    azure('storage', 'StorageAccountsBlobServicesContainer', {
      azureName: `${FIN_CONTAINERS}letters`,
      owner: { armId: `${STORAGE}/blobServices/default` },
    }),
  ),
  allowed(
    "a database of the platform's own kind of shared service",
    azure('kusto', 'Database', { azureName: 'fin--ledger', owner: { armId: KUSTO }, readWriteDatabase: { kind: 'ReadWrite', location: 'uksouth' } }),
  ),
  allowed(
    'a domain of Front Door',
    azure('cdn', 'AfdCustomDomain', { azureName: 'fin--web', hostName: 'shop.example.com', owner: { armId: FRONT_DOOR } }),
  ),
  ...['web.fin.example.com', 'a.b.fin.example.com', 'Web.Fin.example.com', '*.fin.example.com', '*.a.fin.example.com', 'xn--bcher-kva.fin.example.com'].map((hostName) => allowed(
    `the domain ${hostName}`,
    azure('cdn', 'AfdCustomDomain', { azureName: 'fin--web', hostName, owner: { armId: FRONT_DOOR } }),
  )),
  ...['shop', 'web.fin', 'a.b.fin', '*.fin', '_dnsauth.shop', '_dnsauth.web.fin', 'key._domainkey.shop'].map((azureName) => allowed(
    `the record ${azureName}`,
    azure('network', 'DnsZonesTXTRecord', { azureName, owner: { armId: ZONE } }),
  )),
  allowed('an origin group of Front Door', azure('cdn', 'AfdOriginGroup', { azureName: 'fin--web', owner: { armId: FRONT_DOOR } })),
  allowed('an origin of Front Door', azure('cdn', 'AfdOrigin', { azureName: 'origin', hostName: 'ingress.example.net', owner: { name: 'one' } })),
  allowed(
    'a route of Front Door for the host name of the endpoint that the team has',
    azure('cdn', 'Route', { azureName: 'fin--web', owner: { armId: `${FRONT_DOOR}/afdEndpoints/apps` }, linkToDefaultDomain: 'Enabled' }),
  ),
  allowed(
    'a route of Front Door for its own domains',
    azure('cdn', 'Route', {
      azureName: 'fin--web',
      owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` },
      customDomains: [
        { reference: { armId: `${FRONT_DOOR}/customDomains/fin--web` } },
        { reference: { group: 'cdn.azure.com', kind: 'AfdCustomDomain', name: 'shop' } },
      ],
    }),
  ),
  allowed(
    'a route of Front Door to an origin group of its own',
    azure('cdn', 'Route', {
      azureName: 'fin--web',
      owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` },
      originGroup: { reference: { armId: `${FRONT_DOOR.toUpperCase()}/originGroups/FIN--web` } },
      ruleSets: [{ reference: { armId: `${FRONT_DOOR}/ruleSets/platform` } }],
    }),
  ),
  allowed(
    'a record for the shared endpoint',
    azure('network', 'DnsZonesARecord', {
      azureName: 'web.fin', owner: { armId: ZONE }, targetResource: { reference: { armId: `${FRONT_DOOR}/afdEndpoints/edge` } },
    }),
  ),
  allowed('events into a container of its own in the shared account', azure('eventhub', 'NamespacesEventhub', {
    azureName: 'fin--clicks',
    owner: { armId: EVENT_HUBS },
    captureDescription: {
      enabled: true, destination: { storageAccountResourceReference: { armId: STORAGE }, blobContainer: `${FIN_CONTAINERS}clicks` },
    },
  })),
  allowed('an account for a subnet that is not shared', account({
    networkAcls: {
      defaultAction: 'Deny',
      virtualNetworkRules: [{ reference: { armId: `${WEST}/providers/Microsoft.Network/virtualNetworks/vnet-fin/subnets/apps` } }],
    },
  })),
  allowed(
    'a route of Front Door to an origin group that the platform has for teams',
    azure('cdn', 'Route', {
      azureName: 'fin--web',
      owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` },
      originGroup: { reference: { armId: `${FRONT_DOOR}/originGroups/web` } },
    }),
  ),
  allowed(
    'an identity that exports its ids',
    identity({
      operatorSpec: {
        configMaps: { principalId: { name: 'one-outputs', key: 'principalId' }, clientId: { name: 'one-outputs', key: 'clientId' } },
      },
    }),
  ),
  allowed('a service account of its namespace', federation()),
  allowed(
    'a service account on the identity of its pods',
    federation({
      owner: { armId: `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin-dev-workload` },
    }),
  ),
  allowed(
    'a service account on the identity of a service, under a name of its own',
    federation({
      owner: { armId: `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin--postings-dev` },
      azureName: 'deployer',
    }),
  ),
  allowed('an identity that begins nearly as the platform\'s', identity({ azureName: 'id-fin-dev-workload2' })),
  allowed(
    'a federated credential of its own identity with a name that the platform uses on others',
    federation({ azureName: 'id-fin-dev-workload-one-team' }),
  ),
  allowed(
    'an account that runs with the identity of its pods',
    account({
      identity: {
        type: 'UserAssigned',
        userAssignedIdentities: [
          { reference: { armId: `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin-dev-workload` } },
        ],
      },
    }),
  ),
  allowed(
    'an account that runs with an identity of its own',
    account({
      identity: {
        type: 'UserAssigned',
        userAssignedIdentities: [
          { reference: { armId: `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/fin-dev` } },
        ],
      },
    }),
  ),
  allowed(
    'a subject that the platform knows',
    federation({ issuer: 'https://token.actions.githubusercontent.com', subject: 'repo:fin/ledger:ref:refs/heads/main' }),
  ),
  allowed('a role on its queue', grant()),
  allowed('a role on its queue, by ARM id', grant({ owner: { armId: `${SERVICE_BUS}/queues/fin--orders` } })),
  allowed('a role in its group, by name', grant({ owner: GROUP, roleDefinitionReference: { wellKnownName: 'Storage Blob Data Reader' } })),
  allowed(
    'a custom role',
    grant({
      roleDefinitionReference: {
        armId: `/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/${CUSTOM_ROLE}`,
      },
    }),
  ),
  allowed(
    'a principal that the platform knows',
    without(grant({ principalId: '11111111-2222-4333-8444-555555555555' }), 'principalIdFromConfig'),
  ),
  allowed('keeping what is deleted', account({}, { annotations: { [`${operator}/reconcile-policy`]: 'detach-on-delete' } })),
  allowed('the credential that was granted', account({}, { annotations: { [`${operator}/credential-from`]: 'archive-credential' } })),
  allowed(
    'annotations of other tools, and harmless ones',
    account({}, { annotations: { 'example.com/owner': 'fin', 'aso.cdk8s.io/ignore-rules': 'role-scope: known' } }),
  ),
  allowed(
    'an expression with a key',
    account({
      operatorSpec: {
        configMapExpressions: [{ name: 'mine', key: 'id', value: 'self.status.id' }],
        secrets: { key1: { name: 'mine', key: 'key1' } },
      },
    }),
  ),
  allowed('a Secret of its own', core('Secret', 'mine', { stringData: { password: 'x' } })),
  allowed('a ConfigMap of its own', core('ConfigMap', 'mine', { data: { colour: 'blue' } })),
  ...ALLOWED_DEPUTIES.map(([what, object]) => allowed(what, object)),
];
