import { between, eachText, exclusive, multipleOf, onlyIf, unique } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { parseAddress, parseCidr } from '../../util/cidr';

const ACCOUNT = 'documentdb.azure.com/DatabaseAccount';
const CONTAINER = 'documentdb.azure.com/SqlDatabaseContainer';
const THROUGHPUT_KINDS = ['documentdb.azure.com/SqlDatabase', CONTAINER, 'documentdb.azure.com/MongodbDatabase', 'documentdb.azure.com/MongodbDatabaseCollection'];
const FAILOVER = [`${LEARN}/cosmos-db/how-to-manage-database-account`, 'BadRequest'] as const;
const CONSISTENCY = [`${LEARN}/cosmos-db/consistency-levels`, 'BadRequest'] as const;
const BACKUP = [`${LEARN}/cosmos-db/periodic-backup-modify-interval-retention`, 'BadRequest'] as const;
const LIMITS = [`${LEARN}/cosmos-db/concepts-limits`, 'BadRequest'] as const;
const SERVERLESS = [`${LEARN}/cosmos-db/serverless`, 'BadRequest'] as const;
const KEYS = [`${LEARN}/cosmos-db/partitioning-overview`, 'BadRequest'] as const;
const TTL = [`${LEARN}/cosmos-db/nosql/time-to-live`, 'BadRequest'] as const;

const SQL_CHILDREN = ['documentdb.azure.com/SqlDatabase'];
const MONGO_CHILDREN = ['documentdb.azure.com/MongodbDatabase'];
/** Names of the capabilities of an account, in lower case. */
const namesOf = (spec: AzureSubject['spec']) => valuesAt(spec, 'capabilities[].name').map(({ value }) => String(value).toLowerCase());

export const COSMOS_DB_RULES: readonly AzureRule[] = [
  rule('cosmos-failover-unique', ACCOUNT, 'Each location has its own failover priority.', FAILOVER, unique('locations[].failoverPriority', 'priority')),
  rule('cosmos-failover-order', ACCOUNT, 'Failover priorities count from 0 (the write region).', FAILOVER, ({ spec }) => {
    const priorities = valuesAt(spec, 'locations[].failoverPriority');
    if (new Set(priorities.map(({ value }) => value)).size < priorities.length) return [];
    return priorities
      .filter(({ value }) => typeof value === 'number' && (value < 0 || value >= priorities.length))
      .map(({ field, value }) => ({ field, message: `is ${String(value)} of ${priorities.length} locations`, fix: `number them from 0 to ${priorities.length - 1}` }));
  }),
  rule('cosmos-location-unique', ACCOUNT, 'A region stands in `locations` once.', FAILOVER, unique('locations[].locationName', 'region')),
  rule('cosmos-staleness', ACCOUNT, 'Bounded staleness: 5 seconds to a day, 10 requests at least; with several regions 300 seconds and 100000.', CONSISTENCY, (subject) => {
    if (wordAt(subject.spec, 'consistencyPolicy.defaultConsistencyLevel') !== 'boundedstaleness') return [];
    const isSpread = valuesAt(subject.spec, 'locations[]').length > 1;
    return [
      ...between('consistencyPolicy.maxIntervalInSeconds', isSpread ? 300 : 5, 86_400, 'seconds')(subject),
      ...between('consistencyPolicy.maxStalenessPrefix', isSpread ? 100_000 : 10, 2_147_483_647, 'requests')(subject),
    ];
  }),
  rule('cosmos-backup', ACCOUNT, 'Periodic backups: every hour to every day, kept for 8 hours to 30 days.', BACKUP,
    between('backupPolicy.periodic.periodicModeProperties.backupIntervalInMinutes', 60, 1440, 'minutes'),
    between('backupPolicy.periodic.periodicModeProperties.backupRetentionIntervalInHours', 8, 720, 'hours')),
  rule('cosmos-serverless-regions', ACCOUNT, 'A serverless account has one region.', SERVERLESS, ({ spec }) =>
    (namesOf(spec).includes('enableserverless') && valuesAt(spec, 'locations[]').length > 1 ? violation('locations', 'has several regions, but the account is serverless', 'give one region') : [])),
  rule('cosmos-capabilities', ACCOUNT, 'An account has one API.', [`${LEARN}/cosmos-db/choose-api`, 'BadRequest'], ({ spec }) => {
    const apis = namesOf(spec).filter((name) => ['enablecassandra', 'enabletable', 'enablegremlin', 'enablemongo'].includes(name));
    return apis.length > 1 ? violation('capabilities', `has ${apis.join(' and ')}`, 'choose one') : [];
  }),
  rule('cosmos-strong-writes', ACCOUNT, 'With strong consistency one region is written to.', CONSISTENCY, ({ spec }) =>
    (wordAt(spec, 'consistencyPolicy.defaultConsistencyLevel') === 'strong' && valueAtPath(spec, 'enableMultipleWriteLocations') === true && valuesAt(spec, 'locations[]').length > 1
      ? violation('consistencyPolicy.defaultConsistencyLevel', 'is Strong, but enableMultipleWriteLocations is true', 'choose another level, or one region to write to') : [])),
  rule('cosmos-ip-rules', ACCOUNT, 'A rule of the firewall is an IPv4 address or range.', [`${LEARN}/cosmos-db/how-to-configure-firewall`, 'BadRequest'], eachText('ipRules[].ipAddressOrRange', (value) =>
    (parseCidr(value)?.version === 4 || parseAddress(value)?.bits === 32 ? undefined : [`'${value}' is no IPv4 address or range`, 'write it like 20.50.0.0/16 or 20.50.1.2']))),
  rule('cosmos-api', [...SQL_CHILDREN, ...MONGO_CHILDREN], 'Databases are of the API of their account.', [`${LEARN}/cosmos-db/choose-api`, 'BadRequest'], ({ kind, owner }) => {
    const api = owner?.kind === ACCOUNT ? wordAt(owner.spec, 'kind') : undefined;
    return api !== undefined && (api === 'mongodb') !== MONGO_CHILDREN.includes(kind)
      ? violation('owner', `is an account of kind ${String(valueAtPath(owner!.spec, 'kind'))}`, 'use an account of the other kind') : [];
  }),
  rule('cosmos-index-root', CONTAINER, 'An indexing policy includes or excludes the root path `/*`.', [`${LEARN}/cosmos-db/index-policy`, 'BadRequest'], ({ spec }) => {
    const paths = ['included', 'excluded'].flatMap((list) => valuesAt(spec, `resource.indexingPolicy.${list}Paths[].path`)).map(({ value }) => value);
    return paths.length > 0 && wordAt(spec, 'resource.indexingPolicy.indexingMode') !== 'none' && !paths.includes('/*')
      ? violation('resource.indexingPolicy', 'has no root path /* among includedPaths and excludedPaths', 'include or exclude /*') : [];
  }),
  rule('cosmos-throughput', THROUGHPUT_KINDS, 'Throughput is 400 request units at least, in steps of 100.', LIMITS,
    between('options.throughput', 400, 2_147_483_600, 'request units a second'), multipleOf('options.throughput', 100)),
  rule('cosmos-autoscale', THROUGHPUT_KINDS, 'The maximum of autoscale is 1000 request units at least, in steps of 1000.', LIMITS,
    between('options.autoscaleSettings.maxThroughput', 1000, 2_147_483_000, 'request units a second'), multipleOf('options.autoscaleSettings.maxThroughput', 1000)),
  rule('cosmos-throughput-mode', THROUGHPUT_KINDS, 'Throughput is either fixed or scales by itself.', LIMITS,
    exclusive('options.throughput', 'options.autoscaleSettings.maxThroughput')),
  rule('cosmos-serverless', THROUGHPUT_KINDS, 'A serverless account has no throughput.', SERVERLESS,
    onlyIf(['options.throughput', 'options.autoscaleSettings.maxThroughput'], ({ owner }) => {
      const account = owner?.kind === ACCOUNT ? owner : owner?.owner;
      if (account?.kind !== ACCOUNT) return undefined;
      return !namesOf(account.spec).includes('enableserverless');
    }, 'is not for a serverless account', 'remove it')),
  rule('cosmos-partition-key', CONTAINER, 'A partition key has one path, up to three if it is hierarchical; paths begin with `/`.', KEYS,
    eachText('resource.partitionKey.paths[]', (value) => (value.startsWith('/') ? undefined : [`'${value}' does not begin with /`, `write /${value}`])),
    ({ spec }) => {
      const paths = valuesAt(spec, 'resource.partitionKey.paths[]').length;
      const isHierarchical = wordAt(spec, 'resource.partitionKey.kind') === 'multihash';
      if (paths <= (isHierarchical ? 3 : 1)) return [];
      const fix = isHierarchical ? 'give three at most' : 'give one, or write kind: MultiHash and version: 2';
      return [{ field: 'resource.partitionKey.paths', message: `has ${paths} paths`, fix }];
    }),
  rule('cosmos-time-to-live', CONTAINER, '`defaultTtl` is -1 (items do not expire by themselves) or a number of seconds.', TTL, ({ spec }) => {
    const value = valueAtPath(spec, 'resource.defaultTtl');
    return typeof value === 'number' && (value === 0 || value < -1 || value > 2_147_483_647)
      ? [{ field: 'resource.defaultTtl', message: `is ${value}`, fix: 'write -1, or 1 to 2147483647 seconds' }] : [];
  }),
];
