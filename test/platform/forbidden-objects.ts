import { FORBIDDEN_DEPUTIES } from './deputy-objects';
import {
  ARCHIVE, COSMOS, EVENT_HUBS, FIN, FIN_CONTAINERS, FRONT_DOOR, HR, KUSTO, MYSQL, ORDERS_BUS, POSTGRES, SERVICE_BUS, SHARED_GROUP,
  SQL, STORAGE, SUBSCRIPTION, UNUSED_BUS, WEST, ZONE,
} from './guarded-team';
import { account, azure, core, federation, grant, GROUP, identity, own, queue, TeamObject, without } from './objects-of-team';

/** A forbidden object, and the limit that rejects it. */
export interface ForbiddenObject {
  readonly why: string;
  readonly limit: string;
  readonly object: TeamObject;
}

const forbidden = (limit: string, why: string, object: TeamObject): ForbiddenObject => ({ limit: `self-service-${limit}`, why, object });
const annotated = (key: string, value: string): TeamObject => account({}, { annotations: { [key]: value } });
const role = (id: string): string => `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
const domain = (hostName: string): TeamObject => azure('cdn', 'AfdCustomDomain', { azureName: 'fin--web', hostName, owner: { armId: FRONT_DOOR } });
const record = (azureName: string, type = 'A'): TeamObject => azure('network', `DnsZones${type}Record`, { azureName, owner: { armId: ZONE } });
const route = (customDomain: string): TeamObject => azure('cdn', 'Route', {
  azureName: 'fin--web',
  owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` },
  customDomains: [{ reference: { armId: `${FRONT_DOOR}/customDomains/fin--web` } }, { reference: { armId: customDomain } }],
});
/** A route of the team with references of its own. */
const routeTo = (spec: object): TeamObject => azure('cdn', 'Route', {
  azureName: 'fin--web', owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` }, ...spec,
});
const originGroup = (armId: string): TeamObject => routeTo({ originGroup: { reference: { armId } } });
const database = (spec: object): TeamObject => azure('sql', 'ServersDatabase', {
  azureName: 'fin--ledger', owner: { armId: SQL }, location: 'uksouth', ...spec,
});
const capture = (blobContainer: string): TeamObject => azure('eventhub', 'NamespacesEventhub', {
  azureName: 'fin--clicks',
  owner: { armId: EVENT_HUBS },
  captureDescription: { enabled: true, destination: { storageAccountResourceReference: { armId: STORAGE }, blobContainer } },
});
const operator = 'serviceoperator.azure.com';
const POD_IDENTITY = `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin-dev-workload`;
const SERVICE_IDENTITY = `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin--postings-dev`;
const OPERATOR_IDENTITY = `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin-dev`;

/** Each breaks one limit. */
export const FORBIDDEN: readonly ForbiddenObject[] = [
  forbidden(
    'kind',
    'a key vault is not in the catalogue',
    azure('keyvault', 'Vault', {
      owner: GROUP,
      location: 'uksouth',
      properties: { sku: { family: 'A', name: 'standard' }, tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11' },
    }),
  ),
  forbidden(
    'kind',
    'a disk is not in the catalogue',
    azure('compute', 'Disk', { owner: GROUP, location: 'uksouth', creationData: { createOption: 'Empty' }, diskSizeGB: 32 }),
  ),
  forbidden(
    'kind',
    'a role of its own',
    azure('authorization', 'RoleDefinition', { owner: GROUP, permissions: [{ actions: ['*'] }], roleName: 'everything' }),
  ),
  forbidden(
    'kind',
    'access to the database of another team',
    own('DatabaseAccess', {
      owner: { armId: `${POSTGRES}/databases/hr--people` },
      azureName: 'id-fin',
      administrator: 'platform-db-admin',
      level: 'Owner',
      principalType: 'ServicePrincipal',
      principalId: '0f8fad5b-d9cb-469f-a165-70867728950e',
    }),
  ),
  forbidden('kind', 'a private endpoint', azure('network', 'PrivateEndpoint', { owner: GROUP, location: 'uksouth' })),
  forbidden(
    'reference-only',
    'the Service Bus namespace itself',
    azure('servicebus', 'Namespace', { azureName: 'sb-fin-own', owner: GROUP, location: 'uksouth' }),
  ),
  forbidden(
    'reference-only',
    'the database server itself',
    azure('dbforpostgresql', 'FlexibleServer', { owner: GROUP, location: 'uksouth' }),
  ),
  forbidden(
    'reference-only',
    'the Front Door profile itself',
    azure('cdn', 'Profile', { owner: GROUP, location: 'global', sku: { name: 'Standard_AzureFrontDoor' } }),
  ),

  forbidden('owner', "another team's resource group", account({ owner: { armId: HR.resourceGroupId } })),
  forbidden('owner', "a group whose name begins like the team's", account({ owner: { armId: `${FIN.resourceGroupId}-not` } })),
  forbidden('owner', "a group whose name begins like the team's second one", account({ owner: { armId: `${WEST}ern` } })),
  forbidden('owner', 'the whole subscription, for a role', grant({ owner: { armId: `/subscriptions/${SUBSCRIPTION}` } })),
  forbidden('owner', 'the group of the shared services', identity({ owner: { armId: SHARED_GROUP } })),
  forbidden(
    'owner',
    "another team's topic",
    azure('servicebus', 'NamespacesTopicsSubscription', { azureName: 'fin--audit', owner: { armId: `${SERVICE_BUS}/topics/hr-people` } }),
  ),
  forbidden('owner', 'a role in the whole Service Bus namespace', grant({ owner: { armId: SERVICE_BUS } })),
  forbidden('owner', 'a role on the queue of another team', grant({ owner: { armId: `${SERVICE_BUS}/queues/hr-people` } })),
  forbidden(
    'owner',
    'a database on a server that was not granted',
    azure('dbforpostgresql', 'FlexibleServersDatabase', { azureName: 'fin--ledger', owner: { armId: `${POSTGRES}-other` } }),
  ),
  forbidden(
    'owner',
    'a domain below an endpoint that is not the shared one',
    azure('cdn', 'Route', {
      azureName: 'fin--web',
      owner: { armId: `${FRONT_DOOR}-other/afdEndpoints/edge` },
      originGroup: { reference: { armId: `${FRONT_DOOR}/originGroups/web` } },
    }),
  ),
  forbidden(
    'owner',
    'an id that leads out of the group again',
    identity({ owner: { armId: `${FIN.resourceGroupId}/providers/Microsoft.Storage/storageAccounts/../../../../rg-hr-dev/x/y` } }),
  ),
  forbidden(
    'owner',
    'an id with a query',
    identity({ owner: { armId: `${FIN.resourceGroupId}/providers/Microsoft.Storage/storageAccounts/a?x=` } }),
  ),
  forbidden(
    'owner-kind',
    'a role on the Service Bus namespace by name',
    grant({ owner: { group: 'servicebus.azure.com', kind: 'Namespace', name: 'shared' } }),
  ),
  forbidden(
    'owner-kind',
    'a role on a kind outside of the catalogue',
    grant({ owner: { group: 'keyvault.azure.com', kind: 'Vault', name: 'shared' } }),
  ),
  forbidden(
    'resource-group',
    "another team's resource group by name",
    azure('resources', 'ResourceGroup', { azureName: HR.resourceGroup, location: 'uksouth' }),
  ),
  forbidden(
    'resource-group',
    'a resource group named by its object',
    azure('resources', 'ResourceGroup', { location: 'uksouth' }, { name: 'rg-hr-dev' }),
  ),
  forbidden('name', 'a name that is a path', identity({ azureName: 'one/providers/x' })),
  forbidden('name-prefix', 'a queue that is called like another team\'s', queue({ azureName: 'hr-people' })),
  forbidden('name-prefix', "a queue of a team whose prefix begins with this one's", queue({ azureName: 'fin--ledger--orders' })),
  forbidden(
    'owner',
    "a topic of a team whose prefix begins with this one's",
    azure('servicebus', 'NamespacesTopicsSubscription', {
      azureName: 'audit',
      owner: { armId: `${SERVICE_BUS}/topics/fin--ledger--orders` },
    }),
  ),
  forbidden('name-prefix', 'a queue that is called like its object', without(queue(), 'azureName')),
  forbidden('name-prefix', 'a queue of the shared namespace by name', queue({ azureName: 'hr-people', owner: { name: 'shared' } })),
  forbidden(
    'name-prefix',
    "a database that is called like another team's",
    azure('dbforpostgresql', 'FlexibleServersDatabase', { azureName: 'hr-people', owner: { armId: POSTGRES } }),
  ),
  forbidden('forwarding', "a queue that forwards to another team's", queue({ forwardTo: 'hr--people' })),
  forbidden('forwarding', "a queue whose dead letters go to another team's", queue({ forwardDeadLetteredMessagesTo: 'HR--people' })),
  forbidden('forwarding', "a queue that forwards to a team whose prefix begins with this one's", queue({ forwardTo: 'fin--ledger--orders' })),
  forbidden('forwarding', 'a queue that forwards by a path', queue({ forwardTo: '/hr--people' })),
  forbidden('forwarding', 'a queue that forwards by a path from its own name', queue({ forwardTo: 'fin--a/../hr--people' })),
  forbidden('forwarding', 'the same in another spelling', queue({ forwardDeadLetteredMessagesTo: 'fin--a%2f..%2fhr--people' })),
  forbidden('reference', 'events into a container by a path from its own name', capture(`${FIN_CONTAINERS}a/../hr-people`)),
  forbidden(
    'forwarding',
    "a subscription that forwards to another team's topic",
    azure('servicebus', 'NamespacesTopicsSubscription', {
      azureName: 'audit', owner: { armId: `${SERVICE_BUS}/topics/fin--orders` }, forwardTo: 'hr--people',
    }),
  ),
  forbidden(
    'forwarding',
    "a subscription of a topic by name that forwards to another team's queue",
    azure('servicebus', 'NamespacesTopicsSubscription', { azureName: 'audit', owner: { name: 'orders' }, forwardDeadLetteredMessagesTo: 'hr--people' }),
  ),
  forbidden('name-prefix', 'a queue of another team in the other namespace', queue({ azureName: 'hr--people', owner: { armId: ORDERS_BUS } })),
  forbidden('owner', 'a queue in a shared namespace that the team does not use', queue({ owner: { armId: UNUSED_BUS } })),
  forbidden(
    'name-prefix',
    "another team's event hub",
    azure('eventhub', 'NamespacesEventhub', { azureName: 'hr--people', owner: { armId: EVENT_HUBS } }),
  ),
  forbidden(
    'owner',
    "a consumer group of another team's event hub, which reads all its events",
    azure('eventhub', 'NamespacesEventhubsConsumerGroup', { azureName: 'fin--spy', owner: { armId: `${EVENT_HUBS}/eventhubs/hr--people` } }),
  ),
  forbidden(
    'name-prefix',
    "another team's MySQL database",
    azure('dbformysql', 'FlexibleServersDatabase', { azureName: 'hr--people', owner: { armId: MYSQL } }),
  ),
  forbidden(
    'name-prefix',
    "another team's SQL database",
    azure('sql', 'ServersDatabase', { azureName: 'hr--people', owner: { armId: SQL }, location: 'uksouth' }),
  ),
  forbidden(
    'property',
    'a SQL database in another mode than Default',
    database({ createMode: 'Copy', sourceDatabaseReference: { armId: `${SQL}/databases/fin--people` } }),
  ),
  forbidden(
    'name-prefix',
    "another team's Cosmos DB database",
    azure('documentdb', 'SqlDatabase', { azureName: 'hr--people', owner: { armId: COSMOS }, resource: { id: 'hr--people' } }),
  ),
  forbidden(
    'property',
    "another team's Cosmos DB database from a backup",
    azure('documentdb', 'SqlDatabase', {
      azureName: 'fin--people',
      owner: { armId: COSMOS },
      resource: { id: 'fin--people', createMode: 'Restore' },
    }),
  ),
  forbidden(
    'owner',
    "a container in another team's Cosmos DB database",
    azure('documentdb', 'SqlDatabaseContainer', {
      azureName: 'fin--spy', owner: { armId: `${COSMOS}/sqlDatabases/hr--people` }, resource: { id: 'fin--spy' },
    }),
  ),
  forbidden(
    'kind',
    'a role on the data of Cosmos DB',
    azure('documentdb', 'SqlRoleAssignment', {
      owner: { armId: COSMOS },
      roleDefinitionId: `${COSMOS}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002`,
      scope: COSMOS,
      principalId: '11111111-2222-4333-8444-555555555555',
    }),
  ),
  forbidden(
    'owner',
    'the blob service of the shared account, whose name is the same for all teams',
    azure('storage', 'StorageAccountsBlobService', { owner: { armId: STORAGE } }, { name: 'fin--blobs' }),
  ),
  forbidden(
    'name-prefix',
    "another team's container in the shared account",
    azure('storage', 'StorageAccountsBlobServicesContainer', { azureName: 'hr-people', owner: { armId: `${STORAGE}/blobServices/default` } }),
  ),
  forbidden(
    'name-prefix',
    "another team's database in the platform's own kind of shared service",
    azure('kusto', 'Database', { azureName: 'hr--people', owner: { armId: KUSTO }, readWriteDatabase: { kind: 'ReadWrite', location: 'uksouth' } }),
  ),
  forbidden(
    'name-prefix',
    'a domain of another team',
    azure('cdn', 'AfdCustomDomain', { azureName: 'hr-web', hostName: 'web.fin.example.com', owner: { armId: FRONT_DOOR } }),
  ),

  forbidden('host-name', "another team's domain", domain('web.hr.example.com')),
  forbidden('host-name', 'a domain that ends as its own', domain('notfin.example.com')),
  forbidden('host-name', 'a domain that ends as its own, with more labels', domain('web.notfin.example.com')),
  forbidden('host-name', 'a domain that begins as its own', domain('shop.example.com.evil.net')),
  forbidden('host-name', 'the domain above its names', domain('fin.example.com')),
  forbidden('host-name', 'a name below the one that it may have', domain('api.shop.example.com')),
  forbidden('host-name', "another team's domain in upper case", domain('WEB.HR.EXAMPLE.COM')),
  forbidden('host-name', 'its own domain with a dot at the end', domain('shop.example.com.')),
  forbidden('host-name', 'a name below its own with a dot at the end', domain('web.fin.example.com.')),
  forbidden('host-name', 'a wildcard over all teams', domain('*.example.com')),
  forbidden('host-name', 'a wildcard for all names', domain('*')),
  forbidden('host-name', 'a wildcard below the one name that it may have', domain('*.shop.example.com')),
  forbidden('host-name', 'a wildcard that is not the first label', domain('web.*.fin.example.com')),
  forbidden('host-name', 'a wildcard as part of a label', domain('web*.fin.example.com')),
  forbidden('host-name', 'a Cyrillic letter in its own domain', domain('sh\u043ep.example.com')),
  forbidden('host-name', 'its own domain with a Cyrillic letter, as DNS writes it', domain('xn--shp-fmc.example.com')),
  forbidden('host-name', 'a full stop of another script', domain('web\u3002fin.example.com')),
  forbidden('host-name', 'a Kelvin sign, whose lower case is k', domain('\u212aey.fin.example.com')),
  forbidden('host-name', 'a path before its own domain', domain('evil.net/.fin.example.com')),
  forbidden('host-name', 'an empty label', domain('.fin.example.com')),
  forbidden('host-name', 'a line break', domain('evil.net\n.fin.example.com')),
  forbidden('host-name', 'no host name', domain('')),
  forbidden('host-name', "a route for another team's domain", route(`${FRONT_DOOR}/customDomains/hr--web`)),
  forbidden('host-name', 'the same in another case', route(`${FRONT_DOOR.toUpperCase()}/CUSTOMDOMAINS/HR--WEB`)),
  forbidden('host-name', "a route for the domain of a team whose prefix begins as the team's", route(`${FRONT_DOOR}/customDomains/fin--ledger--web`)),
  forbidden('host-name', 'a route for a domain of another profile', route(`${FRONT_DOOR}-other/customDomains/fin--web`)),
  forbidden('host-name', 'the host name of the endpoint, which all teams share', azure('cdn', 'Route', {
    azureName: 'fin--web', owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` }, linkToDefaultDomain: 'Enabled',
  })),
  forbidden('reference', "a route to another team's origin group", originGroup(`${FRONT_DOOR}/originGroups/hr--web`)),
  forbidden('reference', 'the same in another case', originGroup(`${FRONT_DOOR.toUpperCase()}/ORIGINGROUPS/HR--WEB`)),
  forbidden(
    'reference', "a route to the origin group of a team whose prefix begins as the team's", originGroup(`${FRONT_DOOR}/originGroups/fin--ledger--web`),
  ),
  forbidden('operator-identity', 'a route to an origin group by a path', originGroup(`${FRONT_DOOR}/originGroups/fin--web/../hr--web`)),
  forbidden('reference', 'an account to restore from, by an id without its first slash', azure('documentdb', 'SqlDatabase', {
    azureName: 'fin--ledger',
    owner: { armId: COSMOS },
    resource: { id: 'fin--ledger', restoreParameters: { restoreSource: `${COSMOS.slice(1)}/sqlDatabases/hr--people` } },
  })),
  forbidden('reference', 'a route to an origin group of the platform that is not for teams', originGroup(`${FRONT_DOOR}/originGroups/web-other`)),
  forbidden(
    'reference', "a route with another team's rule set",
    routeTo({ ruleSets: [{ reference: { armId: `${FRONT_DOOR}/ruleSets/fin--all` } }, { reference: { armId: `${FRONT_DOOR}/ruleSets/hrrules` } }] }),
  ),
  forbidden('reference', "a domain with another team's certificate", azure('cdn', 'AfdCustomDomain', {
    azureName: 'fin--web',
    hostName: 'shop.example.com',
    owner: { armId: FRONT_DOOR },
    tlsSettings: { certificateType: 'CustomerCertificate', secret: { reference: { armId: `${FRONT_DOOR}/secrets/hr--certificate` } } },
  })),
  forbidden('reference', "a domain that another team's domain has validated", azure('cdn', 'AfdCustomDomain', {
    azureName: 'fin--web',
    hostName: 'shop.example.com',
    owner: { armId: FRONT_DOOR },
    preValidatedCustomDomainResourceId: { reference: { armId: `${FRONT_DOOR}/customDomains/hr--web` } },
  })),
  forbidden('reference', "an origin that is another team's", azure('cdn', 'AfdOrigin', {
    azureName: 'origin',
    hostName: 'web.example.net',
    owner: { name: 'one' },
    azureOrigin: { reference: { armId: `${FRONT_DOOR}/customDomains/hr--web` } },
  })),
  forbidden('reference', 'a record for an endpoint that the team does not use', azure('network', 'DnsZonesARecord', {
    azureName: 'web.fin', owner: { armId: ZONE }, targetResource: { reference: { armId: `${FRONT_DOOR}/afdEndpoints/hr` } },
  })),
  forbidden('reference', 'a domain in a zone that is no DNS zone of the team', azure('cdn', 'AfdCustomDomain', {
    azureName: 'fin--web', hostName: 'shop.example.com', owner: { armId: FRONT_DOOR }, azureDnsZone: { reference: { armId: UNUSED_BUS } },
  })),
  forbidden('reference', "a copy of another team's database", database({ sourceDatabaseReference: { armId: `${SQL}/databases/hr--people` } })),
  forbidden('reference', 'an elastic pool that is not for teams', database({ elasticPoolReference: { armId: `${SQL}/elasticPools/hr` } })),
  forbidden('reference', "events into another team's container", capture('hr-people')),
  forbidden('reference', 'events into a shared account without a container', capture('')),
  forbidden('reference', 'an account that lets another service of the platform in', account({
    networkAcls: { defaultAction: 'Deny', resourceAccessRules: [{ tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11', resourceReference: { armId: UNUSED_BUS } }] },
  })),
  forbidden('host-name', "another team's record", record('web.hr')),
  forbidden('host-name', "another team's record in upper case", record('WEB.HR', 'CNAME')),
  forbidden('host-name', 'a record that ends as its own', record('notfin')),
  forbidden('host-name', 'a record that ends as its own, with more labels', record('web.notfin')),
  forbidden('host-name', 'the record above its names', record('fin')),
  forbidden('host-name', 'the record of the zone itself', record('@', 'TXT')),
  forbidden('host-name', 'a wildcard for the whole zone', record('*')),
  forbidden('host-name', 'a wildcard below the one name that it may have', record('*.shop', 'CNAME')),
  forbidden('host-name', "the validation of another team's domain", record('_dnsauth.web.hr', 'TXT')),
  forbidden('host-name', 'the validation of the domain above its names', record('_dnsauth.fin', 'TXT')),
  forbidden('host-name', 'a key for mail of the domain above its names', record('key._domainkey.fin', 'TXT')),
  forbidden('host-name', 'the validation of the zone itself', record('_dnsauth', 'TXT')),
  forbidden('host-name', 'a record with a dot at the end', record('web.fin.')),
  forbidden('host-name', 'a record with the full name of another zone in it', record('shop.example.com')),
  forbidden('host-name', 'a record with an empty label', record('web..fin')),
  forbidden('owner', 'a record of a zone that is not shared', azure('network', 'DnsZonesARecord', { azureName: 'web.fin', owner: { armId: `${ZONE}.net` } })),
  forbidden('owner-kind', 'a record of a zone by name', azure('network', 'DnsZonesARecord', { azureName: 'web.fin', owner: { name: 'example.com' } })),

  forbidden('operator-identity', "a federated credential on the operator's identity", federation({ owner: { armId: OPERATOR_IDENTITY } })),
  forbidden('operator-identity', 'the same in another case', federation({ owner: { armId: OPERATOR_IDENTITY.toUpperCase() } })),
  forbidden('operator-identity', "an object for the operator's identity, for its name", identity({ azureName: 'ID-Fin-Dev' })),
  forbidden('operator-identity', "an object that is called like the operator's identity", identity({}, { name: 'id-fin-dev' })),
  forbidden(
    'operator-identity',
    "an account that runs with the operator's identity",
    account({ identity: { type: 'UserAssigned', userAssignedIdentities: [{ reference: { armId: OPERATOR_IDENTITY } }] } }),
  ),
  forbidden(
    'operator-identity',
    'the same by another spelling',
    account({
      identity: {
        type: 'UserAssigned',
        userAssignedIdentities: [{ reference: { armId: OPERATOR_IDENTITY.replace('id-fin-dev', 'id%2Dfin%2Ddev') } }],
      },
    }),
  ),
  forbidden('platform-identity', "an object for the identity of the team's pods", identity({ azureName: 'id-fin-dev-workload' })),
  forbidden('platform-identity', "an object for the identity of the team's pods in another case", identity({ azureName: 'ID-FIN-DEV-Workload' })),
  forbidden('platform-identity', 'the same by the name of the object', identity({}, { name: 'id-fin-dev-workload' })),
  forbidden('platform-identity', 'the same by the name of its group', identity({ azureName: 'id-fin-dev-workload', owner: { name: 'rg-fin-dev' } })),
  forbidden('platform-identity', 'an object for the identity of a service', identity({ azureName: 'id-fin--postings-dev' })),
  forbidden(
    'platform-identity', "the trust of the team's service account, on the identity of its pods",
    federation({ owner: { armId: POD_IDENTITY }, azureName: 'id-fin-dev-workload-one-team' }),
  ),
  forbidden(
    'platform-identity', "the trust of the team's service account in another case",
    federation({ owner: { armId: POD_IDENTITY.toUpperCase() }, azureName: 'ID-fin-dev-workload-one-TEAM' }),
  ),
  forbidden(
    'platform-identity', 'the trust of the administrator of databases, on the identity of its pods',
    federation({ owner: { armId: POD_IDENTITY }, azureName: 'id-fin-dev-workload-one-database-administrator' }),
  ),
  forbidden(
    'platform-identity', "the trust of a service's pods",
    federation({ owner: { armId: SERVICE_IDENTITY }, azureName: 'id-fin--postings-dev-one-fin-postings' }),
  ),
  forbidden('location', 'a region that is not allowed', account({ location: 'westeurope' })),
  forbidden(
    'location',
    'a region that is not allowed, in the granted group',
    identity({ location: 'North Europe', owner: { armId: ARCHIVE } }),
  ),
  forbidden('sku', 'premium storage', account({ sku: { name: 'Premium_LRS' } })),
  forbidden('sku', 'storage in zones', account({ sku: { name: 'Standard_ZRS' } })),

  forbidden(
    'role',
    'Owner of its own account',
    grant({ roleDefinitionReference: { armId: role('8e3af657-a8ff-443c-a75c-2fe8c4bcb635') } }),
  ),
  forbidden('role', 'Contributor by name', grant({ roleDefinitionReference: { wellKnownName: 'Contributor' } })),
  forbidden(
    'role',
    'a role whose object is in the namespace',
    grant({ roleDefinitionReference: { group: 'authorization.azure.com', kind: 'RoleDefinition', name: 'everything' } }),
  ),
  forbidden(
    'role',
    'an allowed UUID in an id that is none of a role',
    grant({
      roleDefinitionReference: {
        armId: `${FIN.resourceGroupId}/providers/Microsoft.Storage/storageAccounts/69a216fc-b8fb-44d8-bc22-1f3c2cd27a39`,
      },
    }),
  ),
  forbidden('principal', 'somebody', without(grant({ principalId: '99999999-8888-4777-8666-555555555555' }), 'principalIdFromConfig')),
  forbidden('principal', 'a value under another key', grant({ principalIdFromConfig: { name: 'mine', key: 'somebody' } })),
  forbidden('subject', "another team's service account", federation({ subject: 'system:serviceaccount:hr:people' })),
  forbidden(
    'subject',
    'a subject that is read from a ConfigMap',
    without(federation({ subjectFromConfig: { name: 'mine', key: 'subject' } }), 'subject'),
  ),
  forbidden('issuer', 'an issuer of its own', federation({ issuer: 'https://issuer.example.com/' })),

  forbidden('credential', "the platform's credential", annotated(`${operator}/credential-from`, 'platform-credential')),
  forbidden('reconcile-policy', 'watching only', annotated(`${operator}/reconcile-policy`, 'skip')),
  forbidden(
    'annotation',
    'another ARM id',
    annotated(`${operator}/resource-id`, `${HR.resourceGroupId}/providers/Microsoft.Storage/storageAccounts/sthr`),
  ),
  forbidden('annotation', 'another place for its children', annotated(`${operator}/child-resource-id-override`, HR.resourceGroupId)),
  forbidden('annotation', "another operator's object", annotated(`${operator}/operator-namespace`, 'elsewhere')),
  forbidden(
    'annotation',
    'feeding a credential to another namespace',
    identity({}, { annotations: { 'aso.cdk8s.io/propagate-credentials-to': 'Secret/hr/aso-credential' } }),
  ),

  forbidden(
    'export',
    'the credential as an export',
    identity({ operatorSpec: { secrets: { clientId: { name: 'aso-credential', key: 'AZURE_CLIENT_ID' } } } }),
  ),
  forbidden(
    'export',
    'the credential as an expression',
    account({
      operatorSpec: {
        secretExpressions: [{ name: 'aso-credential', key: 'AZURE_CLIENT_ID', value: '"11111111-2222-4333-8444-555555555555"' }],
      },
    }),
  ),
  forbidden(
    'export',
    "the platform's certificates as an export",
    identity({ operatorSpec: { configMaps: { clientId: { name: 'trusted-certificates', key: 'ca.crt' } } } }),
  ),
  forbidden(
    'export-principal',
    'a principal by expression',
    account({
      operatorSpec: { configMapExpressions: [{ name: 'mine', key: 'principalId', value: '"99999999-8888-4777-8666-555555555555"' }] },
    }),
  ),
  forbidden(
    'export-principal',
    'a map that may have a principal',
    account({ operatorSpec: { configMapExpressions: [{ name: 'mine', value: '{"principalId": "x"}' }] } }),
  ),
  forbidden(
    'secret',
    'the credential by hand',
    core('Secret', 'aso-credential', { stringData: { AZURE_CLIENT_ID: '11111111-2222-4333-8444-555555555555' } }),
  ),
  forbidden(
    'secret',
    'a further credential by hand',
    core('Secret', 'archive-credential', { stringData: { AZURE_CLIENT_ID: '11111111-2222-4333-8444-555555555555' } }),
  ),
  forbidden('config-map', "the platform's certificates by hand", core('ConfigMap', 'trusted-certificates', { data: { 'ca.crt': 'mine' } })),
  forbidden(
    'config-map-principal',
    'a principal by hand',
    core('ConfigMap', 'mine', { data: { principalId: '99999999-8888-4777-8666-555555555555' } }),
  ),
  forbidden('platform-object', 'a quota of its own', core('ResourceQuota', 'more', { spec: { hard: { pods: '1000' } } })),
  forbidden(
    'platform-object',
    'limits of its own',
    core('LimitRange', 'more', { spec: { limits: [{ type: 'Container', max: { cpu: '64' } }] } }),
  ),

  ...FORBIDDEN_DEPUTIES.map(([why, object]) => forbidden('deputy', why, object)),
];
