/** A property of a kind that takes the tenant, as a path in the props. The parent has to be there, unless the kind requires it. */
export const TENANT_PATHS: Readonly<Record<string, readonly string[]>> = {
  'dbformysql.azure.com/FlexibleServersAdministrator': ['tenantId'],
  'dbforpostgresql.azure.com/FlexibleServer': ['authConfig', 'tenantId'],
  'dbforpostgresql.azure.com/FlexibleServersAdministrator': ['tenantId'],
  'keyvault.azure.com/Vault': ['properties', 'tenantId'],
  'sql.azure.com/Server': ['administrators', 'tenantId'],
  'sql.azure.com/ServersAdministrator': ['tenantId'],
};

/** The SKU of a kind, whose tiers have the names that Azure's price lists have. */
export interface TieredSku {
  /** The property that has the SKU, as a path in the props. */
  readonly path: readonly string[];
  /** The value of the property for each tier, by the name in lower case. */
  readonly tiers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name.toLowerCase(), { name }]));
const tiered = (...names: string[]) => Object.fromEntries(names.map((name) => [name.toLowerCase(), { name, tier: name }]));

/** The kinds whose SKU is a tier alone. For others a tier leaves more to choose: redundancy, size, hardware. */
export const TIERED_SKUS: Readonly<Record<string, TieredSku>> = {
  'containerregistry.azure.com/Registry': { path: ['sku'], tiers: named('Basic', 'Standard', 'Premium') },
  'containerservice.azure.com/ManagedCluster': {
    path: ['sku'],
    tiers: Object.fromEntries(['Free', 'Standard', 'Premium'].map((tier) => [tier.toLowerCase(), { name: 'Base', tier }])),
  },
  'eventhub.azure.com/Namespace': { path: ['sku'], tiers: tiered('Basic', 'Standard', 'Premium') },
  'keyvault.azure.com/Vault': {
    path: ['properties', 'sku'],
    tiers: { standard: { family: 'A', name: 'standard' }, premium: { family: 'A', name: 'premium' } },
  },
  'notificationhubs.azure.com/Namespace': { path: ['sku'], tiers: named('Free', 'Basic', 'Standard') },
  'servicebus.azure.com/Namespace': { path: ['sku'], tiers: tiered('Basic', 'Standard', 'Premium') },
};

/** Whether a scope may give a value that the schema requires, so that the props need not have it. */
export function isGivenByScope(group: string, kind: string, path: readonly string[]): boolean {
  if (path.length === 1 && path[0] === 'location') return true;
  return TIERED_SKUS[`${group}/${kind}`]?.path.join('.') === path.join('.');
}
