import { shortHash } from '../../src/azure/names/fit-name';
import { AzureReference, BuiltInRole, ReconcilePolicy } from 'cdk8s-aso';
import { Environment, SelfServicePolicy, SharedService, Team } from 'cdk8s-aso/platform';

export const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
export const SHARED_GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shared`;
export const SERVICE_BUS = `${SHARED_GROUP}/providers/Microsoft.ServiceBus/namespaces/sb-shared`;
export const POSTGRES = `${SHARED_GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/psql-shared`;
export const FRONT_DOOR = `${SHARED_GROUP}/providers/Microsoft.Cdn/profiles/afd-shared`;
export const ZONE = `${SHARED_GROUP}/providers/Microsoft.Network/dnsZones/example.com`;
export const ORDERS_BUS = `${SHARED_GROUP}/providers/Microsoft.ServiceBus/namespaces/sb-orders`;
export const EVENT_HUBS = `${SHARED_GROUP}/providers/Microsoft.EventHub/namespaces/evh-shared`;
export const MYSQL = `${SHARED_GROUP}/providers/Microsoft.DBforMySQL/flexibleServers/mysql-shared`;
export const SQL = `${SHARED_GROUP}/providers/Microsoft.Sql/servers/sql-shared`;
export const COSMOS = `${SHARED_GROUP}/providers/Microsoft.DocumentDB/databaseAccounts/cosmos-shared`;
export const STORAGE = `${SHARED_GROUP}/providers/Microsoft.Storage/storageAccounts/stshared`;
export const KUSTO = `${SHARED_GROUP}/providers/Microsoft.Kusto/clusters/dec-shared`;
/** A Service Bus namespace that the environment shares, and the teams do not use. */
export const UNUSED_BUS = `${SHARED_GROUP}/providers/Microsoft.ServiceBus/namespaces/sb-unused`;
/** The beginning of a team's names where Azure takes no two hyphens in a row. */
export const FIN_CONTAINERS = `fin-${shortHash('fin')}-`;
export const ISSUER = 'https://uksouth.oic.prod-aks.azure.com/one/';
export const TEAM_GROUP = 'entra-fin';
export const PLATFORM_GROUP = 'entra-platform';
/** The second resource group of team `fin`. */
export const WEST = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-fin-west`;
export const ARCHIVE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-fin-archive`;
export const CUSTOM_ROLE = '007f9e36-e36a-5a8a-ae5f-4b3b290fd666';

const role = BuiltInRole.custom(CUSTOM_ROLE);
const environment = new Environment({
  name: 'dev',
  subscriptionId: SUBSCRIPTION,
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  location: 'uksouth',
  clusters: [{ name: 'one', oidcIssuerUrl: ISSUER }],
  platform: { namespace: 'platform', groups: [PLATFORM_GROUP], serviceAccounts: ['flux-system:kustomize-controller'] },
  shared: {
    services: [
      SharedService.serviceBus({ resource: AzureReference.fromArmId(SERVICE_BUS), role }),
      SharedService.postgresServer({ resource: AzureReference.fromArmId(POSTGRES), role }),
      SharedService.serviceBus({ name: 'orders-bus', resource: AzureReference.fromArmId(ORDERS_BUS), role }),
      SharedService.serviceBus({ name: 'unused-bus', resource: AzureReference.fromArmId(UNUSED_BUS), role }),
      SharedService.eventHubs({ resource: AzureReference.fromArmId(EVENT_HUBS), role }),
      SharedService.mysqlServer({ resource: AzureReference.fromArmId(MYSQL), role }),
      SharedService.sqlServer({ resource: AzureReference.fromArmId(SQL) }),
      SharedService.cosmosDb({ resource: AzureReference.fromArmId(COSMOS), role }),
      SharedService.storageAccount({ resource: AzureReference.fromArmId(STORAGE), role }),
      SharedService.frontDoorEndpoint({ resource: AzureReference.fromArmId(`${FRONT_DOOR}/afdEndpoints/edge`), role }),
      SharedService.frontDoorEndpoint({
        name: 'apps', resource: AzureReference.fromArmId(`${FRONT_DOOR}/afdEndpoints/apps`), role, hostName: 'apps-a1b2c3.z01.azurefd.net',
      }),
      SharedService.dnsZone({ resource: AzureReference.fromArmId(ZONE) }),
      SharedService.custom({
        name: 'kusto',
        resource: AzureReference.fromArmId(KUSTO),
        role,
        resources: [{ group: 'kusto.azure.com', kind: 'Database' }],
      }),
    ],
  },
});

const USES = environment.shared.services!.map(({ name }) => name).filter((name) => name !== 'unused-bus');

/** Team `fin` in `dev`: namespace `fin`, groups `rg-fin-dev` and `rg-fin-West`. */
export const FIN = new Team({
  name: 'fin',
  groups: [TEAM_GROUP],
  resourceGroup: 'rg-fin-dev',
  resourceGroups: [{ name: 'rg-fin-West', location: 'ukwest' }],
  uses: USES,
  hostNames: ['shop.example.com', '*.fin.example.com', 'apps-a1b2c3.z01.azurefd.net'],
}).in(environment);

/** Another team of the same environment. */
export const HR = new Team({ name: 'hr', groups: ['entra-hr'], resourceGroup: 'rg-hr-dev', uses: USES, hostNames: ['*.hr.example.com'] }).in(environment);

/** A policy with a value in every option. */
export const POLICY = SelfServicePolicy.ofComponents({
  locations: ['uksouth', 'ukwest'],
  skus: { StorageAccount: ['Standard_LRS', 'Standard_RAGRS'] },
  grantedScopes: [{ armId: ARCHIVE }],
  credentials: ['archive-credential'],
  reconcilePolicies: [ReconcilePolicy.MANAGE, ReconcilePolicy.DETACH_ON_DELETE],
  roles: [BuiltInRole.SERVICE_BUS_DATA_SENDER, BuiltInRole.STORAGE_BLOB_DATA_READER, BuiltInRole.custom(CUSTOM_ROLE)],
  principals: ['11111111-2222-4333-8444-555555555555'],
  platformObjects: ['trusted-certificates'],
  federatedSubjects: ['repo:fin/ledger:ref:refs/heads/main'],
  federatedIssuers: ['https://token.actions.githubusercontent.com'],
  resourceGroups: { selfService: true },
  dnsRecords: { selfService: true },
  otherNamePrefixes: ['fin--ledger--'],
  sharedReferences: [`${FRONT_DOOR}/originGroups/web`, `${FRONT_DOOR}/ruleSets/Platform`],
  catalogue: [{ group: 'kusto.azure.com', kind: 'Database' }],
  deputies: [
    { group: 'example.com', kind: 'Copy', secrets: ['spec.to[]'], serviceAccount: 'spec.as', searched: [] },
    { group: 'argoproj.io', kind: 'ApplicationSet', searched: [] },
  ],
});

/** Kinds that are no kinds of the catalogue, but that the operator could make. */
export const STRANGERS: readonly (readonly [group: string, kind: string])[] = [
  ['keyvault.azure.com', 'Vault'],
  ['compute.azure.com', 'Disk'],
  ['authorization.azure.com', 'RoleDefinition'],
  ['network.azure.com', 'PrivateEndpoint'],
];
