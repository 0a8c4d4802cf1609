import { fits, neededIf, onlyIf } from './finders';
import { advice, futile, LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const SERVER = 'sql.azure.com/Server';
const DATABASE = 'sql.azure.com/ServersDatabase';
const GROUP = 'sql.azure.com/ServersFailoverGroup';
const NETWORK_RULE = 'sql.azure.com/ServersVirtualNetworkRule';
const COLLATIONS = [`${LEARN}/azure-sql/database/single-database-create-quickstart`, 'InvalidCollation'] as const;
const POOLS = [`${LEARN}/azure-sql/database/elastic-pool-overview`, 'InvalidParameterValue'] as const;
const GROUPS = [`${LEARN}/azure-sql/database/failover-group-sql-db`, 'InvalidFailoverGroupRegion'] as const;
const COPIES = [`${LEARN}/azure-sql/database/database-copy`, 'InvalidParameterValue'] as const;
const FREE = [`${LEARN}/azure-sql/database/free-offer`, 'InvalidParameterValue'] as const;
const ENDPOINTS = [`${LEARN}/azure-sql/database/vnet-service-endpoint-rule-overview`, 'VirtualNetworkRuleBadRequest'] as const;
const RULES = ['sql.azure.com/ServersFirewallRule', 'sql.azure.com/ServersIPV6FirewallRule', NETWORK_RULE];
const ENTRA_ONLY = 'sql.azure.com/ServersAzureADOnlyAuthentication';
const ONLY = `${LEARN}/azure-sql/database/authentication-azure-ad-only-authentication`;
const ENTRA = [`${LEARN}/azure-sql/database/authentication-aad-configure`, 'InvalidParameterValue'] as const;

/** `SQL_Latin1_General_CP1_CI_AS`, `Latin1_General_100_BIN2_UTF8`: case and accents, or binary, and more. */
const COLLATION = /^(?=[a-z0-9_]+$).*[a-z0-9]_(c[is]_a[is]|bin2?)(_|$)/i;
const SOURCES = ['sourceDatabaseReference', 'sourceResourceReference'];

const regionOf = (subject: AzureSubject) => wordAt(subject.spec, 'location')?.replace(/ /g, '');
/** Whether two resources lie in servers of different names. */
const isOnOther = (one: AzureSubject | undefined, other: AzureSubject | undefined) =>
  one?.owner !== undefined && other?.owner !== undefined && one.owner.name.toLowerCase() !== other.owner.name.toLowerCase();

function source({ spec }: AzureSubject): readonly Violation[] {
  const mode = wordAt(spec, 'createMode') ?? '';
  if (!['copy', 'secondary', 'onlinesecondary', 'pointintimerestore'].includes(mode)) return [];
  if (SOURCES.every((path) => valueAtPath(spec, path) === undefined)) {
    return violation(SOURCES[0]!, `is missing, but createMode is ${String(valueAtPath(spec, 'createMode'))}`, 'name the database');
  }
  return mode === 'pointintimerestore' && valueAtPath(spec, 'restorePointInTime') === undefined
    ? violation('restorePointInTime', 'is missing, but createMode is PointInTimeRestore', 'give the time') : [];
}

export const SQL_RELATION_RULES: readonly AzureRule[] = [
  rule('sql-collation', DATABASE, 'A collation is one of SQL Server.', COLLATIONS,
    fits('collation', COLLATION, 'no collation of SQL Server', 'write it like SQL_Latin1_General_CP1_CI_AS')),
  rule('sql-pool-size', DATABASE, 'A database in an elastic pool has no size of its own.', [POOLS[0], 'ElasticPoolSkuCombinationInvalid'], ({ spec }) => {
    const [pool, name] = [valueAtPath(spec, 'elasticPoolReference'), wordAt(spec, 'sku.name')];
    return pool !== undefined && name !== undefined && name !== 'elasticpool'
      ? violation('sku.name', `is ${String(valueAtPath(spec, 'sku.name'))}, but the database is in an elastic pool`, 'write ElasticPool, or remove sku') : [];
  }),
  rule('sql-pool-server', DATABASE, 'A database and its elastic pool are on one server.', POOLS, (subject) => {
    const pool = subject.referenced(valueAtPath(subject.spec, 'elasticPoolReference'));
    return isOnOther(subject, pool) ? violation('elasticPoolReference', `'${pool!.name}' is on server '${pool!.owner!.name}'`, 'name a pool of the same server') : [];
  }),
  rule('sql-source', DATABASE, 'A copy, a replica or a restored database names its source, a restored one also the time.', COPIES, source),
  rule('sql-free', DATABASE, 'The free offer is for serverless databases of General Purpose.', FREE, ({ spec }) => {
    const name = wordAt(spec, 'sku.name');
    return valueAtPath(spec, 'useFreeLimit') === true && name !== undefined && !name.startsWith('gp_s_')
      ? violation('useFreeLimit', 'is for serverless databases', 'remove it, or use a SKU like GP_S_Gen5') : [];
  }),
  rule('sql-failover-partner', GROUP, 'The partner of a failover group is a server in another region.', GROUPS, (subject) =>
    valuesAt(subject.spec, 'partnerServers[].reference').flatMap(({ field, value }) => {
      const partner = subject.referenced(value);
      const region = subject.owner && regionOf(subject.owner);
      return partner && region !== undefined && regionOf(partner) === region
        ? violation(field, `'${partner.name}' is in ${region} too`, 'name a server in another region') : [];
    })),
  rule('sql-failover-database', GROUP, 'A failover group has databases of its own server.', [GROUPS[0], 'InvalidParameterValue'], (subject) =>
    valuesAt(subject.spec, 'databasesReferences[]').flatMap(({ field, value }) => {
      const database = subject.referenced(value);
      return isOnOther(subject, database) ? violation(field, `'${database!.name}' is on server '${database!.owner!.name}'`, 'name a database of the same server') : [];
    })),
  rule('sql-entra-administrator', SERVER, 'An administrator of Entra ID has a login and an object id.', ENTRA,
    ...['login', 'sid'].map((key) => neededIf(`administrators.${key}`, (spec) => valueAtPath(spec, 'administrators') !== undefined
      && valueAtPath(spec, `administrators.${key}FromConfig`) === undefined, 'is missing', 'give it'))),
  rule('sql-public-access', RULES, 'A server without public access has no rules of a firewall.',
    [`${LEARN}/azure-sql/database/connectivity-settings#deny-public-network-access`, 'DenyPublicEndpointEnabled'], ({ owner }) =>
      (owner && wordAt(owner.spec, 'publicNetworkAccess') === 'disabled'
        ? violation('owner', `is the server '${owner.name}', which has publicNetworkAccess: Disabled`, 'remove the rule and use a private endpoint, or write Enabled') : [])),
  advice('sql-password-unused', SERVER, 'A server for Entra ID alone has no password of an administrator.', ONLY,
    onlyIf(['administratorLoginPassword'], ({ spec }) => valueAtPath(spec, 'administrators.azureADOnlyAuthentication') !== true,
      'is given, but administrators.azureADOnlyAuthentication is true, so nobody signs in with it', 'remove it with administratorLogin')),
  futile('sql-entra-only-administrator', ENTRA_ONLY, 'A server for Entra ID alone has an administrator of Entra ID.',
    [ONLY, 'Azure refuses it until the server has an administrator of Entra ID'], (subject) => {
      const server = subject.owner;
      if (valueAtPath(subject.spec, 'azureADOnlyAuthentication') !== true || !server || server.exists) return [];
      return valueAtPath(server.spec, 'administrators') !== undefined || subject.beside('sql.azure.com/ServersAdministrator').length > 0 ? []
        : violation('azureADOnlyAuthentication', `is true, but the server '${server.name}' has no administrator of Entra ID`, 'give it administrators, or a ServersAdministrator');
    }),
  rule('sql-subnet-endpoint', NETWORK_RULE, 'The subnet of a rule has the service endpoint Microsoft.Sql.', ENDPOINTS, (subject) => {
    const subnet = subject.referenced(valueAtPath(subject.spec, 'virtualNetworkSubnetReference'));
    if (!subnet || valueAtPath(subject.spec, 'ignoreMissingVnetServiceEndpoint') === true) return [];
    const services = valuesAt(subnet.spec, 'serviceEndpoints[].service').map(({ value }) => String(value).toLowerCase());
    return services.includes('microsoft.sql') ? []
      : violation('virtualNetworkSubnetReference', `the subnet '${subnet.name}' lacks the service endpoint Microsoft.Sql`, 'add it to serviceEndpoints of the subnet');
  }),
];
