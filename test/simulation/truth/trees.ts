import type { Stored } from './policy';

/** Kinds whose owners are not resource groups. */
const OWNERS: Readonly<Record<string, string>> = {
  FederatedIdentityCredential: 'UserAssignedIdentity.managedidentity.azure.com',
  VirtualNetworksSubnet: 'VirtualNetwork.network.azure.com',
  RouteTablesRoute: 'RouteTable.network.azure.com',
  LoadBalancersInboundNatRule: 'LoadBalancer.network.azure.com',
};
const GROUP = 'ResourceGroup.resources.azure.com';

export const SPLIT_BY = 'aso.cdk8s.io/shard-by';

/** An object as a root names it: `ResourceGroup.resources.azure.com/shop`. */
export function nameInTree({ apiVersion, kind, metadata }: Stored): string {
  return `${kind}.${apiVersion.split('/')[0]}/${metadata.name}`;
}

/**
 * The furthest owner that the specs name, whether it exists or not (docs/sharding.md). No owner here is named by an ARM id, and none is in
 * a cycle.
 * @param find an object of the namespace by its name in a tree
 */
export function rootOf(object: Stored, find: (name: string) => Stored | undefined): string {
  const owner = object.spec?.owner as { readonly name: string; readonly group?: string; readonly kind?: string } | undefined;
  if (!owner) return nameInTree(object);
  const kind = owner.kind === undefined ? (OWNERS[object.kind] ?? GROUP) : `${owner.kind}.${owner.group}`;
  const name = `${kind}/${owner.name}`;
  const found = find(name);
  return found ? rootOf(found, find) : name;
}
