import type { Permission } from './action-match';

/** What nearly every role that Azure makes for a service has besides. */
const COMMON = [
  'Microsoft.Authorization/*/read', 'Microsoft.Insights/alertRules/*', 'Microsoft.ResourceHealth/availabilityStatuses/read',
  'Microsoft.Resources/deployments/*', 'Microsoft.Resources/subscriptions/resourceGroups/read', 'Microsoft.Support/*',
];

/**
 * Actions of built-in roles by the id of the role definition: of those with which resources are managed, and of the roles for data that are
 * given most often. Azure adds actions to roles now and then and takes hardly any away; a role that is not here counts as not known.
 * @see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  // Owner
  '8e3af657-a8ff-443c-a75c-2fe8c4bcb635': { actions: ['*'] },
  // Contributor
  'b24988ac-6180-42a0-ab88-20f7382dd24c': {
    actions: ['*'],
    notActions: [
      'Microsoft.Authorization/*/Delete', 'Microsoft.Authorization/*/Write', 'Microsoft.Authorization/elevateAccess/Action',
      'Microsoft.Blueprint/blueprintAssignments/write', 'Microsoft.Blueprint/blueprintAssignments/delete', 'Microsoft.Compute/galleries/share/action',
      'Microsoft.Purview/consents/write', 'Microsoft.Purview/consents/delete', 'Microsoft.Resources/deploymentStacks/manageDenySetting/action',
      'Microsoft.Subscription/cancel/action', 'Microsoft.Subscription/enable/action',
    ],
  },
  // Reader
  'acdd72a7-3385-48ef-bd42-f606fba81ae7': { actions: ['*/read'] },
  // User Access Administrator
  '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9': { actions: ['*/read', 'Microsoft.Authorization/*', 'Microsoft.Support/*'] },
  // Role Based Access Control Administrator
  'f58310d9-a9f6-439a-9e8d-f62e7b41a168': {
    actions: ['Microsoft.Authorization/roleAssignments/write', 'Microsoft.Authorization/roleAssignments/delete', '*/read', 'Microsoft.Support/*'],
  },
  // Managed Identity Contributor
  'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59': {
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/read', 'Microsoft.ManagedIdentity/userAssignedIdentities/write',
      'Microsoft.ManagedIdentity/userAssignedIdentities/delete', 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write',
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/delete',
      'Microsoft.ManagedIdentity/userAssignedIdentities/revokeTokens/action', ...COMMON,
    ],
  },
  // Managed Identity Operator
  'f1a07417-d97a-45cb-824c-7a7467783830': {
    actions: ['Microsoft.ManagedIdentity/userAssignedIdentities/*/read', 'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action', ...COMMON],
  },
  // Network Contributor
  '4d97b98b-1d4f-4787-a291-c67834d212e7': { actions: ['Microsoft.Network/*', ...COMMON] },
  // DNS Zone Contributor
  'befefa01-2a29-4197-83a8-272ff33ce314': { actions: ['Microsoft.Network/dnsZones/*', ...COMMON] },
  // Private DNS Zone Contributor
  'b12aa53e-6015-4669-85d0-8515ebb3ae7f': {
    actions: [
      'Microsoft.Network/privateDnsZones/*', 'Microsoft.Network/privateDnsOperationResults/*', 'Microsoft.Network/privateDnsOperationStatuses/*',
      'Microsoft.Network/virtualNetworks/read', 'Microsoft.Network/virtualNetworks/join/action', ...COMMON,
    ],
  },
  // Traffic Manager Contributor
  'a4b10055-b0c7-44c2-b00f-c7b5b3550cf7': { actions: ['Microsoft.Network/trafficManagerProfiles/*', ...COMMON] },
  // CDN Profile Contributor
  'ec156ff8-a8d1-4d15-830c-5b80698ca432': { actions: ['Microsoft.Cdn/edgenodes/read', 'Microsoft.Cdn/operationresults/*', 'Microsoft.Cdn/profiles/*', ...COMMON] },
};

/** What a built-in role allows on the control plane; undefined where it is not known here. */
export function builtInPermission(roleDefinitionId: string): Permission | undefined {
  const id = roleDefinitionId.toLowerCase();
  return Object.hasOwn(PERMISSIONS, id) ? PERMISSIONS[id] : undefined;
}
