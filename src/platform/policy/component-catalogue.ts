import { CatalogueEntry, KindUse, type PropertyLimit } from './catalogue-entry';
import type { ComponentPolicy, ComponentPolicies } from './component-policies';
import type { SelfServicePolicyProps } from './self-service-options';
import { BuiltInRole } from '../../core';

type Component =
  | 'resourceGroups' | 'databases' | 'mysqlDatabases' | 'sqlDatabases' | 'cosmosDatabases' | 'eventHubs'
  | 'managedIdentities' | 'storageAccounts' | 'serviceBus' | 'roleAssignments' | 'frontDoor' | 'dnsRecords';

/** Kinds of one API group. */
interface Kinds {
  readonly group: string;
  readonly kinds: readonly string[];
  readonly locations?: string[];
  readonly properties?: Readonly<Record<string, PropertyLimit[]>>;
}

interface ComponentFacts {
  readonly own: Kinds;
  /** The kinds on which `own` is based. */
  readonly base?: Kinds;
  readonly selfService: boolean;
  readonly managesBaseComponent: boolean;
}

const COMPONENTS: Record<Component, ComponentFacts> = {
  resourceGroups: {
    own: { group: 'resources.azure.com', kinds: ['ResourceGroup'] },
    selfService: false,
    managesBaseComponent: false,
  },
  databases: {
    own: { group: 'dbforpostgresql.azure.com', kinds: ['FlexibleServersDatabase'] },
    base: { group: 'dbforpostgresql.azure.com', kinds: ['FlexibleServer', 'FlexibleServersConfiguration', 'FlexibleServersFirewallRule'] },
    selfService: true,
    managesBaseComponent: false,
  },
  mysqlDatabases: {
    own: { group: 'dbformysql.azure.com', kinds: ['FlexibleServersDatabase'] },
    base: { group: 'dbformysql.azure.com', kinds: ['FlexibleServer', 'FlexibleServersConfiguration', 'FlexibleServersFirewallRule'] },
    selfService: true,
    managesBaseComponent: false,
  },
  sqlDatabases: {
    own: {
      group: 'sql.azure.com',
      kinds: ['ServersDatabase', 'ServersDatabasesBackupShortTermRetentionPolicy', 'ServersDatabasesBackupLongTermRetentionPolicy'],
      // The other modes read a database of the server, which may be another team's.
      properties: { ServersDatabase: [{ property: 'createMode', allowed: ['Default'] }] },
    },
    base: { group: 'sql.azure.com', kinds: ['Server', 'ServersElasticPool', 'ServersFirewallRule'] },
    selfService: true,
    managesBaseComponent: false,
  },
  cosmosDatabases: {
    own: {
      group: 'documentdb.azure.com',
      kinds: ['SqlDatabase', 'SqlDatabaseThroughputSetting', 'SqlDatabaseContainer', 'SqlDatabaseContainerThroughputSetting'],
      properties: {
        SqlDatabase: [{ property: 'resource.createMode', allowed: ['Default'] }],
        SqlDatabaseContainer: [{ property: 'resource.createMode', allowed: ['Default'] }],
      },
    },
    base: { group: 'documentdb.azure.com', kinds: ['DatabaseAccount'] },
    selfService: true,
    managesBaseComponent: false,
  },
  eventHubs: {
    own: { group: 'eventhub.azure.com', kinds: ['NamespacesEventhub', 'NamespacesEventhubsConsumerGroup'] },
    base: { group: 'eventhub.azure.com', kinds: ['Namespace'] },
    selfService: true,
    managesBaseComponent: false,
  },
  managedIdentities: {
    own: { group: 'managedidentity.azure.com', kinds: ['UserAssignedIdentity', 'FederatedIdentityCredential'] },
    selfService: true,
    managesBaseComponent: false,
  },
  storageAccounts: {
    own: {
      group: 'storage.azure.com',
      kinds: [
        'StorageAccountsBlobService',
        'StorageAccountsBlobServicesContainer',
        'StorageAccountsFileService',
        'StorageAccountsFileServicesShare',
        'StorageAccountsTableService',
        'StorageAccountsTableServicesTable',
        'StorageAccountsQueueService',
        'StorageAccountsQueueServicesQueue',
        'StorageAccountsManagementPolicy',
      ],
    },
    base: { group: 'storage.azure.com', kinds: ['StorageAccount'] },
    selfService: true,
    managesBaseComponent: true,
  },
  serviceBus: {
    own: {
      group: 'servicebus.azure.com',
      kinds: ['NamespacesQueue', 'NamespacesTopic', 'NamespacesTopicsSubscription', 'NamespacesTopicsSubscriptionsRule'],
    },
    base: { group: 'servicebus.azure.com', kinds: ['Namespace'] },
    selfService: true,
    managesBaseComponent: false,
  },
  roleAssignments: {
    own: { group: 'authorization.azure.com', kinds: ['RoleAssignment'] },
    selfService: true,
    managesBaseComponent: false,
  },
  frontDoor: {
    own: { group: 'cdn.azure.com', kinds: ['AfdCustomDomain', 'Route', 'AfdOriginGroup', 'AfdOrigin'] },
    // Front Door is a global service.
    base: { group: 'cdn.azure.com', kinds: ['Profile', 'AfdEndpoint'], locations: ['global'] },
    selfService: true,
    managesBaseComponent: false,
  },
  dnsRecords: {
    own: {
      group: 'network.azure.com',
      kinds: ['DnsZonesARecord', 'DnsZonesAAAARecord', 'DnsZonesCNAMERecord', 'DnsZonesTXTRecord'],
    },
    // It needs a role on the zone, with which all records can be changed in Azure.
    selfService: false,
    managesBaseComponent: false,
  },
};

/** The roles that teams may grant unless the props have others: none of them changes resources or assigns roles. */
const ROLES = [
  BuiltInRole.SERVICE_BUS_DATA_SENDER, BuiltInRole.SERVICE_BUS_DATA_RECEIVER,
  BuiltInRole.fromName('Azure Event Hubs Data Sender'), BuiltInRole.fromName('Azure Event Hubs Data Receiver'), BuiltInRole.KEY_VAULT_SECRETS_USER,
  BuiltInRole.STORAGE_BLOB_DATA_READER, BuiltInRole.STORAGE_BLOB_DATA_CONTRIBUTOR,
  BuiltInRole.STORAGE_TABLE_DATA_READER, BuiltInRole.STORAGE_TABLE_DATA_CONTRIBUTOR,
  BuiltInRole.STORAGE_QUEUE_DATA_READER, BuiltInRole.STORAGE_QUEUE_DATA_CONTRIBUTOR,
  BuiltInRole.STORAGE_FILE_DATA_SMB_SHARE_READER, BuiltInRole.STORAGE_FILE_DATA_SMB_SHARE_CONTRIBUTOR,
];

/** The policy of all components with the overrides of the props. */
export function componentCatalogue(props: ComponentPolicies): SelfServicePolicyProps {
  const {
    resourceGroups, databases, mysqlDatabases, sqlDatabases, cosmosDatabases, eventHubs,
    managedIdentities, storageAccounts, serviceBus, roleAssignments, frontDoor, dnsRecords,
    catalogue: further = [], ...options
  } = props;
  const asked: Record<Component, ComponentPolicy | undefined> = {
    resourceGroups,
    databases,
    mysqlDatabases,
    sqlDatabases,
    cosmosDatabases,
    eventHubs,
    managedIdentities,
    storageAccounts,
    serviceBus,
    roleAssignments,
    frontDoor,
    dnsRecords,
  };
  const catalogue = (Object.keys(COMPONENTS) as Component[]).flatMap((component) =>
    entriesOf(COMPONENTS[component], asked[component] ?? {}),
  );
  return { roles: ROLES, ...options, catalogue: [...catalogue, ...further] };
}

function entriesOf(facts: ComponentFacts, asked: ComponentPolicy): CatalogueEntry[] {
  const { own, base } = facts;
  const { selfService = facts.selfService, managesBaseComponent = facts.managesBaseComponent } = asked;
  return [...entries(own, selfService), ...(base ? entries(base, managesBaseComponent) : [])];
}

function entries({ group, kinds, locations, properties }: Kinds, creates: boolean): CatalogueEntry[] {
  return kinds.map((kind) => ({
    group,
    kind,
    use: creates ? KindUse.CREATE : KindUse.REFERENCE,
    ...(locations && { locations }),
    ...(properties?.[kind] && { properties: properties[kind] }),
  }));
}
