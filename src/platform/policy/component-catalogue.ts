import { CatalogueEntry, KindUse } from './catalogue-entry';
import type { ComponentPolicy, ComponentPolicies } from './component-policies';
import type { SelfServicePolicyProps } from './self-service-options';
import { BuiltInRole } from '../../core';

type Component = 'resourceGroups' | 'databases' | 'managedIdentities' | 'storageAccounts' | 'serviceBus' | 'roleAssignments' | 'frontDoor';

/** Kinds of one API group. */
interface Kinds {
  readonly group: string;
  readonly kinds: readonly string[];
  readonly locations?: string[];
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
    own: { group: 'cdn.azure.com', kinds: ['AfdCustomDomain', 'Route'] },
    // Front Door is a global service.
    base: { group: 'cdn.azure.com', kinds: ['Profile', 'AfdEndpoint', 'AfdOriginGroup', 'AfdOrigin'], locations: ['global'] },
    selfService: true,
    managesBaseComponent: false,
  },
};

/** The roles that teams may grant unless the props have others: none of them changes resources or assigns roles. */
const ROLES = [
  BuiltInRole.SERVICE_BUS_DATA_SENDER, BuiltInRole.SERVICE_BUS_DATA_RECEIVER, BuiltInRole.KEY_VAULT_SECRETS_USER,
  BuiltInRole.STORAGE_BLOB_DATA_READER, BuiltInRole.STORAGE_BLOB_DATA_CONTRIBUTOR,
  BuiltInRole.STORAGE_TABLE_DATA_READER, BuiltInRole.STORAGE_TABLE_DATA_CONTRIBUTOR,
  BuiltInRole.STORAGE_QUEUE_DATA_READER, BuiltInRole.STORAGE_QUEUE_DATA_CONTRIBUTOR,
  BuiltInRole.STORAGE_FILE_DATA_SMB_SHARE_READER, BuiltInRole.STORAGE_FILE_DATA_SMB_SHARE_CONTRIBUTOR,
];

/** The policy of all components with the overrides of the props. */
export function componentCatalogue(props: ComponentPolicies): SelfServicePolicyProps {
  const { resourceGroups, databases, managedIdentities, storageAccounts, serviceBus, roleAssignments, frontDoor, ...options } = props;
  const asked: Record<Component, ComponentPolicy | undefined> = {
    resourceGroups, databases, managedIdentities, storageAccounts, serviceBus, roleAssignments, frontDoor,
  };
  const catalogue = (Object.keys(COMPONENTS) as Component[]).flatMap((component) =>
    entriesOf(COMPONENTS[component], asked[component] ?? {}),
  );
  return { roles: ROLES, ...options, catalogue };
}

function entriesOf(facts: ComponentFacts, asked: ComponentPolicy): CatalogueEntry[] {
  const { own, base } = facts;
  const { selfService = facts.selfService, managesBaseComponent = facts.managesBaseComponent } = asked;
  return [...entries(own, selfService), ...(base ? entries(base, managesBaseComponent) : [])];
}

function entries({ group, kinds, locations }: Kinds, creates: boolean): CatalogueEntry[] {
  return kinds.map((kind) => ({ group, kind, use: creates ? KindUse.CREATE : KindUse.REFERENCE, ...(locations && { locations }) }));
}
