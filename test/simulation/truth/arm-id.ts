import type { Stored } from './policy';

/** Types of resources, by kind; below the kind that owns them. */
const TYPES: Readonly<Record<string, string>> = {
  UserAssignedIdentity: 'Microsoft.ManagedIdentity/userAssignedIdentities',
  FederatedIdentityCredential: 'federatedIdentityCredentials',
  RoleAssignment: 'Microsoft.Authorization/roleAssignments',
  StorageAccount: 'Microsoft.Storage/storageAccounts',
  FlexibleServer: 'Microsoft.DBforPostgreSQL/flexibleServers',
  VirtualNetwork: 'Microsoft.Network/virtualNetworks',
  VirtualNetworksSubnet: 'subnets',
  RouteTable: 'Microsoft.Network/routeTables',
  RouteTablesRoute: 'routes',
  LoadBalancer: 'Microsoft.Network/loadBalancers',
  LoadBalancersInboundNatRule: 'inboundNatRules',
};

/** Characters that Azure allows in the names of all simulated resources: others could redirect a request to another resource. */
const NAME = /^[\w()-](?:[\w().-]*[\w()-])?$/;

/**
 * The id that an object's resource has to have, from its spec alone; undefined where its name is none, or its owner not known. `ownerId`:
 * of the object that it names as its owner.
 */
export function expectedArmId(
  { kind, metadata, spec = {} }: Stored,
  subscription: string,
  ownerId: string | undefined,
): string | undefined {
  const name = typeof spec.azureName === 'string' && spec.azureName !== '' ? spec.azureName : metadata.name;
  if (!NAME.test(name)) return undefined;
  if (kind === 'ResourceGroup') return `/subscriptions/${subscription}/resourceGroups/${name}`;
  const type = TYPES[kind];
  if (ownerId === undefined || type === undefined) return undefined;
  return type.includes('/') ? `${ownerId}/providers/${type}/${name}` : `${ownerId}/${type}/${name}`;
}
