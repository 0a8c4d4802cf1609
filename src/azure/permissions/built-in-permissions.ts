import type { Permission } from './action-match';

/** Actions that nearly every built-in role for a service has. */
const COMMON = [
  'Microsoft.Authorization/*/read', 'Microsoft.Insights/alertRules/*', 'Microsoft.ResourceHealth/availabilityStatuses/read',
  'Microsoft.Resources/deployments/*', 'Microsoft.Resources/subscriptions/resourceGroups/read', 'Microsoft.Support/*',
];

const CONTAINERS = 'Microsoft.Storage/storageAccounts/blobServices/containers';
const QUEUES = 'Microsoft.Storage/storageAccounts/queueServices/queues';
const TABLES = 'Microsoft.Storage/storageAccounts/tableServices/tables';
const DELEGATION_KEY = 'Microsoft.Storage/storageAccounts/blobServices/generateUserDelegationKey/action';
const SERVICE_BUS_READS = [
  'Microsoft.ServiceBus/*/queues/read',
  'Microsoft.ServiceBus/*/topics/read',
  'Microsoft.ServiceBus/*/topics/subscriptions/read',
];

/**
 * Actions of built-in roles by the id of the role definition: roles to manage resources, and the most common data roles. Azure sometimes
 * adds actions to roles and hardly ever removes any; a role that is not listed counts as unknown.
 * @see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  // Owner
  '8e3af657-a8ff-443c-a75c-2fe8c4bcb635': { actions: ['*'] },
  // Contributor
  'b24988ac-6180-42a0-ab88-20f7382dd24c': {
    actions: ['*'],
    notActions: [
      'Microsoft.Authorization/*/Delete',
      'Microsoft.Authorization/*/Write',
      'Microsoft.Authorization/elevateAccess/Action',
      'Microsoft.Blueprint/blueprintAssignments/write',
      'Microsoft.Blueprint/blueprintAssignments/delete',
      'Microsoft.Compute/galleries/share/action',
      'Microsoft.Purview/consents/write',
      'Microsoft.Purview/consents/delete',
      'Microsoft.Resources/deploymentStacks/manageDenySetting/action',
      'Microsoft.Subscription/cancel/action',
      'Microsoft.Subscription/enable/action',
    ],
  },
  // Reader
  'acdd72a7-3385-48ef-bd42-f606fba81ae7': { actions: ['*/read'] },
  // User Access Administrator
  '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9': { actions: ['*/read', 'Microsoft.Authorization/*', 'Microsoft.Support/*'] },
  // Role Based Access Control Administrator
  'f58310d9-a9f6-439a-9e8d-f62e7b41a168': {
    actions: [
      'Microsoft.Authorization/roleAssignments/write',
      'Microsoft.Authorization/roleAssignments/delete',
      '*/read',
      'Microsoft.Support/*',
    ],
  },
  // Managed Identity Contributor
  'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59': {
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/write',
      'Microsoft.ManagedIdentity/userAssignedIdentities/delete',
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write',
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/delete',
      'Microsoft.ManagedIdentity/userAssignedIdentities/revokeTokens/action', ...COMMON,
    ],
  },
  // Managed Identity Operator
  'f1a07417-d97a-45cb-824c-7a7467783830': {
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
      ...COMMON,
    ],
  },
  // Network Contributor
  '4d97b98b-1d4f-4787-a291-c67834d212e7': { actions: ['Microsoft.Network/*', ...COMMON] },
  // DNS Zone Contributor
  'befefa01-2a29-4197-83a8-272ff33ce314': { actions: ['Microsoft.Network/dnsZones/*', ...COMMON] },
  // Private DNS Zone Contributor
  'b12aa53e-6015-4669-85d0-8515ebb3ae7f': {
    actions: [
      'Microsoft.Network/privateDnsZones/*',
      'Microsoft.Network/privateDnsOperationResults/*',
      'Microsoft.Network/privateDnsOperationStatuses/*',
      'Microsoft.Network/virtualNetworks/read',
      'Microsoft.Network/virtualNetworks/join/action',
      ...COMMON,
    ],
  },
  // Traffic Manager Contributor
  'a4b10055-b0c7-44c2-b00f-c7b5b3550cf7': { actions: ['Microsoft.Network/trafficManagerProfiles/*', ...COMMON] },
  // CDN Profile Contributor
  'ec156ff8-a8d1-4d15-830c-5b80698ca432': {
    actions: ['Microsoft.Cdn/edgenodes/read', 'Microsoft.Cdn/operationresults/*', 'Microsoft.Cdn/profiles/*', ...COMMON],
  },
  // Storage Account Contributor
  '17d1049b-9a84-46fb-8f53-869881c3d3ab': {
    actions: [
      'Microsoft.Storage/storageAccounts/*',
      'Microsoft.Insights/diagnosticSettings/*',
      'Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action',
      ...COMMON,
    ],
  },
  // Storage Account Key Operator Service Role
  '81a9662b-bebf-436f-a333-f67b29880f12': {
    actions: ['Microsoft.Storage/storageAccounts/listkeys/action', 'Microsoft.Storage/storageAccounts/regeneratekey/action'],
  },
  // Storage Blob Data Owner
  'b7e6dc6d-f1e8-4753-8033-0f276bb0955b': { actions: [`${CONTAINERS}/*`, DELEGATION_KEY] },
  // Storage Blob Data Contributor
  'ba92f5b4-2d11-453d-a403-e96b0029c9fe': {
    actions: [`${CONTAINERS}/delete`, `${CONTAINERS}/read`, `${CONTAINERS}/write`, DELEGATION_KEY],
  },
  // Storage Blob Data Reader
  '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1': { actions: [`${CONTAINERS}/read`, DELEGATION_KEY] },
  // Storage Queue Data Contributor
  '974c5e8b-45b9-4653-ba55-5f855dd0fb88': { actions: [`${QUEUES}/delete`, `${QUEUES}/read`, `${QUEUES}/write`] },
  // Storage Queue Data Reader
  '19e7f393-937e-4f77-808e-94535e297925': { actions: [`${QUEUES}/read`] },
  // Storage Table Data Contributor
  '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3': { actions: [`${TABLES}/read`, `${TABLES}/write`, `${TABLES}/delete`] },
  // Storage Table Data Reader
  '76199698-9eea-4c19-bc75-cec21354c6b6': { actions: [`${TABLES}/read`] },
  // Azure Service Bus Data Owner, which also covers the namespace and its children
  '090c5cfd-751d-490a-894a-3ce6f1109419': { actions: ['Microsoft.ServiceBus/*'] },
  // Azure Service Bus Data Receiver
  '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0': { actions: SERVICE_BUS_READS },
  // Azure Service Bus Data Sender
  '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39': { actions: SERVICE_BUS_READS },
  // Azure Event Hubs Data Owner
  'f526a384-b230-433a-b45c-95f59c4a2dec': { actions: ['Microsoft.EventHub/*'] },
  // Azure Relay Owner
  '2787bf04-f1f5-4bfe-8383-c8a24483ee38': { actions: ['Microsoft.Relay/*'] },
  // EventGrid Contributor
  '1e241071-0855-49ea-94dc-649edcd759de': { actions: ['Microsoft.EventGrid/*', ...COMMON] },
  // EventGrid Data Sender
  'd5a91429-5739-47e2-a06b-3470a27159e7': {
    actions: [
      'Microsoft.Authorization/*/read',
      'Microsoft.EventGrid/topics/read',
      'Microsoft.EventGrid/domains/read',
      'Microsoft.EventGrid/partnerNamespaces/read',
      'Microsoft.Resources/subscriptions/resourceGroups/read',
      'Microsoft.EventGrid/namespaces/read',
    ],
  },
  // Key Vault Contributor
  'f25e0fa2-a7c8-4377-a976-54943a77a395': {
    actions: ['Microsoft.KeyVault/*', ...COMMON],
    notActions: [
      'Microsoft.KeyVault/locations/deletedVaults/purge/action',
      'Microsoft.KeyVault/hsmPools/*',
      'Microsoft.KeyVault/managedHsms/*',
    ],
  },
  // Key Vault Secrets User
  '4633458b-17de-408a-b874-0445c86b69e6': { actions: [] },
  // DocumentDB Account Contributor
  '5bd9cd88-fe45-4216-938b-f97437e15450': {
    actions: [
      'Microsoft.DocumentDb/databaseAccounts/*',
      'Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action',
      ...COMMON,
    ],
  },
  // Redis Cache Contributor
  'e0f68234-74aa-48ed-b826-c38b57376e17': { actions: ['Microsoft.Cache/register/action', 'Microsoft.Cache/redis/*', ...COMMON] },
  // Search Service Contributor
  '7ca78c08-252a-4471-8644-bb5ff32d4ba0': { actions: ['Microsoft.Search/searchServices/*', ...COMMON] },
  // API Management Service Contributor
  '312a565d-c81f-4fd8-895a-4e21e48d571c': { actions: ['Microsoft.ApiManagement/service/*', ...COMMON] },
  // Website Contributor
  'de139f84-1756-47ae-9be6-808fbbe84772': {
    actions: [
      'Microsoft.Insights/components/*', 'Microsoft.Web/certificates/*', 'Microsoft.Web/listSitesAssignedToHostName/read',
      'Microsoft.Web/serverFarms/join/action', 'Microsoft.Web/serverFarms/read', 'Microsoft.Web/sites/*', ...COMMON,
    ],
  },
  // AcrPull
  '7f951dda-4ed3-4680-a7ca-43fe172d538d': { actions: ['Microsoft.ContainerRegistry/registries/pull/read'] },
  // AcrPush
  '8311e382-0749-4cb8-b61a-304f252e45ec': {
    actions: ['Microsoft.ContainerRegistry/registries/pull/read', 'Microsoft.ContainerRegistry/registries/push/write'],
  },
};

/** Ids of the role definitions whose actions are known. */
export const KNOWN_ROLE_IDS: readonly string[] = Object.keys(PERMISSIONS);

/** The control-plane permissions of a built-in role; undefined if they are not known here. */
export function builtInPermission(roleDefinitionId: string): Permission | undefined {
  const id = roleDefinitionId.toLowerCase();
  return Object.hasOwn(PERMISSIONS, id) ? PERMISSIONS[id] : undefined;
}
