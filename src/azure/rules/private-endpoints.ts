import { LEARN, rule, subjectAlone, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const ENDPOINT = 'network.azure.com/PrivateEndpoint';
const LINKS = ['privateLinkServiceConnections', 'manualPrivateLinkServiceConnections'];
const OVERVIEW = [`${LEARN}/private-link/private-endpoint-overview#private-link-resource`, 'IncorrectPrivateLinkServiceConnectionGroupId'] as const;
const TIER = [`${LEARN}/private-link/availability`, 'BadRequest'] as const;

const STORAGE = ['blob', 'table', 'queue', 'file', 'web', 'dfs'].flatMap((name) => [name, `${name}_secondary`]);
/** Target sub-resources by kind, in lower case. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'storage.azure.com/StorageAccount': STORAGE,
  'keyvault.azure.com/Vault': ['vault'],
  'containerregistry.azure.com/Registry': ['registry'],
  'dbforpostgresql.azure.com/FlexibleServer': ['postgresqlServer'],
  'dbformysql.azure.com/FlexibleServer': ['mysqlServer'],
  'sql.azure.com/Server': ['sqlServer'],
  'servicebus.azure.com/Namespace': ['namespace'],
  'eventhub.azure.com/Namespace': ['namespace'],
  'documentdb.azure.com/DatabaseAccount': ['Sql', 'SqlDedicated', 'MongoDB', 'Cassandra', 'Gremlin', 'Table', 'Analytical'],
  'cache.azure.com/Redis': ['redisCache'],
  'cache.azure.com/RedisEnterprise': ['redisEnterprise'],
  'containerservice.azure.com/ManagedCluster': ['management'],
  'appconfiguration.azure.com/ConfigurationStore': ['configurationStores'],
  'search.azure.com/SearchService': ['searchService'],
  'eventgrid.azure.com/Topic': ['topic'],
  'eventgrid.azure.com/Domain': ['domain'],
  'app.azure.com/ManagedEnvironment': ['managedEnvironments'],
  'signalrservice.azure.com/SignalR': ['signalr'],
};
/** Kinds by their type in ARM ids, in lower case. */
const TYPES: Readonly<Record<string, string>> = {
  'microsoft.storage/storageaccounts': 'storage.azure.com/StorageAccount',
  'microsoft.keyvault/vaults': 'keyvault.azure.com/Vault',
  'microsoft.containerregistry/registries': 'containerregistry.azure.com/Registry',
  'microsoft.dbforpostgresql/flexibleservers': 'dbforpostgresql.azure.com/FlexibleServer',
  'microsoft.dbformysql/flexibleservers': 'dbformysql.azure.com/FlexibleServer',
  'microsoft.sql/servers': 'sql.azure.com/Server',
  'microsoft.servicebus/namespaces': 'servicebus.azure.com/Namespace',
  'microsoft.eventhub/namespaces': 'eventhub.azure.com/Namespace',
  'microsoft.documentdb/databaseaccounts': 'documentdb.azure.com/DatabaseAccount',
  'microsoft.cache/redis': 'cache.azure.com/Redis',
  'microsoft.cache/redisenterprise': 'cache.azure.com/RedisEnterprise',
};
/** A target that is known by its ARM id alone. */
function targetOfId(reference: unknown): AzureSubject | undefined {
  const armId = isRecord(reference) && typeof reference.armId === 'string' ? reference.armId : '';
  const [, type, name] = /\/providers\/([^/]+\/[^/]+)\/([^/]+)$/.exec(armId) ?? [];
  const kind = type === undefined ? undefined : TYPES[type.toLowerCase()];
  return kind === undefined ? undefined : subjectAlone(kind, name!, {});
}
/** Tiers that have no private endpoints. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'containerregistry.azure.com/Registry': ['basic', 'standard'],
  'servicebus.azure.com/Namespace': ['basic', 'standard'],
  'eventhub.azure.com/Namespace': ['basic'],
  'appconfiguration.azure.com/ConfigurationStore': ['free'],
  'search.azure.com/SearchService': ['free'],
};

const eachLink = (find: (target: AzureSubject, field: string, link: unknown) => readonly Violation[]): AzureRule['find'] => (subject) =>
  LINKS.flatMap((list) => valuesAt(subject.spec, `${list}[]`)).flatMap(({ field, value }) => {
    const reference = isRecord(value) ? value.privateLinkServiceReference : undefined;
    const target = subject.referenced(reference) ?? targetOfId(reference);
    return target ? find(target, field, value) : [];
  });

export const PRIVATE_ENDPOINT_RULES: readonly AzureRule[] = [
  rule('private-endpoint-group', ENDPOINT, 'A group id is a sub-resource that the target has.', OVERVIEW, eachLink((target, field, link) => {
    const groups = GROUPS[target.kind];
    if (!groups || !isRecord(link)) return [];
    const known = groups.map((group) => group.toLowerCase());
    return valuesAt(link, 'groupIds[]').filter(({ value }) => typeof value === 'string' && !known.includes(value.toLowerCase()))
      .map((at) => ({ field: `${field}.${at.field}`, message: `'${String(at.value)}' is no group of a ${target.kind.split('/')[1]!}`, fix: `write ${groups.join(' or ')}` }));
  })),
  rule('private-endpoint-tier', ENDPOINT, 'Some tiers of a service have no private endpoints.', TIER, eachLink((target, field) => {
    const tier = wordAt(target.spec, 'sku.name');
    return tier !== undefined && WITHOUT[target.kind]?.includes(tier)
      ? violation(`${field}.privateLinkServiceReference`, `'${target.name}' is of sku.name ${String(valueAtPath(target.spec, 'sku.name'))}, which has no private endpoints`, 'use a higher tier') : [];
  })),
  rule('private-endpoint-connection', ENDPOINT, 'A private endpoint has one connection, automatic or manual.',
    [OVERVIEW[0], 'InvalidRequestFormat'], ({ spec }) => {
      const all = LINKS.flatMap((list) => valuesAt(spec, `${list}[]`));
      return all.length > 1 ? violation(all[1]!.field, `is one of ${all.length} connections`, 'make an endpoint for each') : [];
    }),
];
