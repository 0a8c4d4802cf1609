import type { Catalog } from './catalog';
import type { Kind } from './kind';
import { removedIn } from './removed-versions';
import { isPreviewVersion } from './version-order';

/** The group and version of an object in the CRDs that serve its kind today, for one that Azure Service Operator has dropped. */
export interface Successor {
  /** `storage.azure.com/v20250601` */
  readonly apiVersion: string;
  readonly kind: string;
  /** The reason why the old one is gone, as a clause: `v2.4.0 removed it`. */
  readonly why: string;
}

const OPERATOR_V1 = 'azure.microsoft.com';
const WHY_V1 = 'it is a kind of Azure Service Operator v1, which is no longer maintained';
const ALPHA_GROUP = /^microsoft\.(.+\.azure\.com)$/;
/** `v1beta20210401`, `v1alpha1api20210401preview`, `v1api20210501` */
const DATED = /^v(1alpha1api|1beta|1api)?(\d{8})(preview\w*)?$/;

/** The successor of an API version of a group that the operator no longer has; undefined where none is known. */
export function successorOf(group: string, kind: string, version: string, catalog: Catalog): Successor | undefined {
  if (group === OPERATOR_V1) return ofOperatorV1(kind, catalog);
  const current = ALPHA_GROUP.exec(group)?.[1];
  if (current !== undefined) {
    const found = catalog.kind(current, kind);
    return found && { ...named(found, nearestVersion(found, version)), why: 'groups that begin with microsoft. were renamed before v2.0.0' };
  }
  const found = catalog.kind(group, kind);
  if (!found || !DATED.test(version) || found.version(version)) return undefined;
  const release = removedIn(group, kind, version);
  return release === undefined ? undefined : { ...named(found, nearestVersion(found, version)), why: `${release} removed it` };
}

/**
 * The version of the same date; else the first later one; else the newest. Stable versions come before previews.
 * @param names of these versions, newest first; default: all of the kind
 */
export function nearestVersion(kind: Kind, version: string, names: readonly string[] = kind.versionNames): string {
  const date = DATED.exec(version)?.[2];
  if (date === undefined) return newestOf(kind, names);
  const dated = names.flatMap((name) => {
    const own = DATED.exec(name)?.[2];
    return own === undefined ? [] : [{ name, date: own, preview: isPreviewVersion(name) }];
  });
  // Newest first, and `v…` before `v1api…` of the same date: the last that fits is the nearest.
  const same = dated.find((each) => each.date === date);
  const later = dated.filter((each) => each.date > date && !each.preview).at(-1);
  return same?.name ?? later?.name ?? newestOf(kind, names);
}

function newestOf({ latest }: Kind, names: readonly string[]): string {
  return names.includes(latest.name) ? latest.name : names[0] ?? latest.name;
}

function ofOperatorV1(kind: string, catalog: Catalog): Successor | undefined {
  const successor = Object.hasOwn(KINDS_OF_V1, kind) ? KINDS_OF_V1[kind] : undefined;
  const [service = '', name = ''] = successor?.split('/') ?? [];
  const found = catalog.kind(`${service}.azure.com`, name);
  return found && { ...named(found, found.latest.name), why: WHY_V1 };
}

function named({ group, kind }: Kind, version: string): Pick<Successor, 'apiVersion' | 'kind'> {
  return { apiVersion: `${group}/${version}`, kind };
}

/** Whether the group is that of Azure Service Operator v1, or of the first alpha versions of v2. */
export function isDroppedGroup(group: string): boolean {
  return group === OPERATOR_V1 || ALPHA_GROUP.test(group);
}

/** The problem of an API version that the operator dropped, and its fix; undefined for other versions. */
export function droppedVersion(
  group: string, kind: string, version: string, catalog: Catalog,
): { readonly message: string; readonly fix: string } | undefined {
  const successor = successorOf(group, kind, version, catalog);
  const message = (why: string) => `Azure Service Operator does not serve ${group}/${version} of ${kind} any more: ${why}`;
  if (successor) {
    const { apiVersion, kind: current, why } = successor;
    return { message: message(why), fix: `write ${apiVersion}${current === kind ? '' : `, kind ${current}`}; its properties may differ` };
  }
  if (!isDroppedGroup(group)) return undefined;
  return { message: message(WHY_V1), fix: 'find the kind of v2 in docs/api; there is none of that name' };
}

/** Kind of `azure.microsoft.com` → service and kind of v2: https://github.com/Azure/azure-service-operator/tree/v1.0.59840/api */
const KINDS_OF_V1: Readonly<Record<string, string>> = {
  APIMgmtAPI: 'apimanagement/Api',
  ApimService: 'apimanagement/Service',
  AppInsights: 'insights/Component',
  AzureLoadBalancer: 'network/LoadBalancer',
  AzureNetworkInterface: 'network/NetworkInterface',
  AzurePublicIPAddress: 'network/PublicIPAddress',
  AzureSqlDatabase: 'sql/ServersDatabase',
  AzureSqlFailoverGroup: 'sql/ServersFailoverGroup',
  AzureSqlFirewallRule: 'sql/ServersFirewallRule',
  AzureSqlManagedUser: 'sql/User',
  AzureSqlServer: 'sql/Server',
  AzureSqlUser: 'sql/User',
  AzureSqlVNetRule: 'sql/ServersVirtualNetworkRule',
  AzureVMScaleSet: 'compute/VirtualMachineScaleSet',
  AzureVirtualMachine: 'compute/VirtualMachine',
  AzureVirtualMachineExtension: 'compute/VirtualMachinesExtension',
  BlobContainer: 'storage/StorageAccountsBlobServicesContainer',
  ConsumerGroup: 'eventhub/NamespacesEventhubsConsumerGroup',
  CosmosDB: 'documentdb/DatabaseAccount',
  CosmosDBSQLDatabase: 'documentdb/SqlDatabase',
  Eventhub: 'eventhub/NamespacesEventhub',
  EventhubNamespace: 'eventhub/Namespace',
  KeyVault: 'keyvault/Vault',
  MySQLAADUser: 'dbformysql/User',
  MySQLDatabase: 'dbformysql/FlexibleServersDatabase',
  MySQLFirewallRule: 'dbformysql/FlexibleServersFirewallRule',
  MySQLServer: 'dbformysql/FlexibleServer',
  MySQLUser: 'dbformysql/User',
  PostgreSQLDatabase: 'dbforpostgresql/FlexibleServersDatabase',
  PostgreSQLFirewallRule: 'dbforpostgresql/FlexibleServersFirewallRule',
  PostgreSQLServer: 'dbforpostgresql/FlexibleServer',
  PostgreSQLUser: 'dbforpostgresql/User',
  RedisCache: 'cache/Redis',
  RedisCacheFirewallRule: 'cache/RedisFirewallRule',
  ResourceGroup: 'resources/ResourceGroup',
  StorageAccount: 'storage/StorageAccount',
  VirtualNetwork: 'network/VirtualNetwork',
};
