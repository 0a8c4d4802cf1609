import { AzureReference, BuiltInRole, ReconcilePolicy } from '../../src/core';
import { Environment } from '../../src/platform/model/environment';
import { Team } from '../../src/platform/model/team';
import { SelfServicePolicy } from '../../src/platform/policy/self-service-policy';

export const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
export const SHARED_GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shared`;
export const SERVICE_BUS = `${SHARED_GROUP}/providers/Microsoft.ServiceBus/namespaces/sb-shared`;
export const POSTGRES = `${SHARED_GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/psql-shared`;
export const FRONT_DOOR = `${SHARED_GROUP}/providers/Microsoft.Cdn/profiles/afd-shared`;
export const ISSUER = 'https://uksouth.oic.prod-aks.azure.com/one/';
export const TEAM_GROUP = 'entra-fin';
export const PLATFORM_GROUP = 'entra-platform';
export const ARCHIVE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-fin-archive`;
export const CUSTOM_ROLE = '007f9e36-e36a-5a8a-ae5f-4b3b290fd666';

const environment = new Environment({
  name: 'dev',
  subscriptionId: SUBSCRIPTION,
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  location: 'uksouth',
  clusters: [{ name: 'one', oidcIssuerUrl: ISSUER }],
  platform: { namespace: 'platform', groups: [PLATFORM_GROUP], serviceAccounts: ['flux-system:kustomize-controller'] },
  shared: {
    serviceBus: AzureReference.fromArmId(SERVICE_BUS),
    postgresServer: AzureReference.fromArmId(POSTGRES),
    frontDoorEndpoint: AzureReference.fromArmId(`${FRONT_DOOR}/afdEndpoints/edge`),
  },
});

/** Team `fin` in `dev`: namespace `fin`, group `rg-fin-dev`. */
export const FIN = new Team({ name: 'fin', groups: [TEAM_GROUP], resourceGroup: 'rg-fin-dev' }).in(environment);

/** Another team of the same environment. */
export const HR = new Team({ name: 'hr', groups: ['entra-hr'], resourceGroup: 'rg-hr-dev' }).in(environment);

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
  otherNamePrefixes: ['fin--ledger--'],
});

/** Kinds that are no kinds of the catalogue, but that the operator could make. */
export const STRANGERS: readonly (readonly [group: string, kind: string])[] = [
  ['keyvault.azure.com', 'Vault'],
  ['compute.azure.com', 'Disk'],
  ['authorization.azure.com', 'RoleDefinition'],
  ['network.azure.com', 'PrivateEndpoint'],
];
