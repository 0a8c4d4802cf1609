import { companyName } from './naming';
import { AzureReference } from 'cdk8s-aso';

/** All ids and addresses are made up. */
export const tenantId = '3d9b1c52-6f0a-4e87-9a34-c1e5b7d80f26';
/** The subscription of the hub: network, private and public DNS zones. Only the platform team has rights there. */
export const hubSubscription = '8e4f2a6c-0b1d-4c73-95e8-2f7a9c3d1b60';
/** The subscription of the spokes: clusters, shared services, and the groups of product and data teams. */
export const spokeSubscription = '1c7e5d3b-9a42-4f08-b6d1-e0852f4a7c93';
export const location = 'norwayeast';
/** The public DNS zone of the company. */
export const domain = 'aurland.example.com';

const prd = { name: 'prd' };
export const hubGroup = companyName(prd, 'hub', 'rg');
export const spokeGroup = companyName(prd, 'spokes', 'rg');
export const sharedGroup = companyName(prd, 'shared', 'rg');

export interface NetworkPlan {
  readonly name: string;
  readonly addresses: string;
  readonly subnets: Readonly<Record<string, string>>;
}

export const hub: NetworkPlan = {
  name: companyName(prd, 'hub', 'vnet'),
  addresses: '10.10.0.0/16',
  subnets: { 'shared-endpoints': '10.10.8.0/24' },
};

export const apps: NetworkPlan = {
  name: companyName(prd, 'apps', 'vnet'),
  addresses: '10.20.0.0/16',
  subnets: { 'nodes': '10.20.0.0/18', 'endpoints': '10.20.64.0/22', 'partner-endpoints': '10.20.68.0/24' },
};

export const data: NetworkPlan = {
  name: companyName(prd, 'data', 'vnet'),
  addresses: '10.30.0.0/16',
  subnets: { endpoints: '10.30.64.0/22' },
};

/** The zones of all private endpoints: in the hub, once, so that a name has one address in all networks. */
export const privateZones = [
  'privatelink.blob.core.windows.net',
  'privatelink.dfs.core.windows.net',
  'privatelink.postgres.database.azure.com',
  'privatelink.servicebus.windows.net',
  'privatelink.vaultcore.azure.net',
];

/** A subnet of a spoke. */
export function subnet({ name }: NetworkPlan, part: string): AzureReference {
  return AzureReference.fromArmId(
    `/subscriptions/${spokeSubscription}/resourceGroups/${spokeGroup}/providers/Microsoft.Network/virtualNetworks/${name}/subnets/${part}`,
  );
}
