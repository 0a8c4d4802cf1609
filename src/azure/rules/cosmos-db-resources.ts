import { between, eachText, fits, multipleOf } from './finders';
import { LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { UUID } from '../uuid';

const CONTAINER = 'documentdb.azure.com/SqlDatabaseContainer';
const kinds = (...names: readonly string[]) => names.map((name) => `documentdb.azure.com/${name}`);
const WITH_ID = kinds('SqlDatabase', 'SqlDatabaseContainer', 'SqlDatabaseContainerStoredProcedure', 'SqlDatabaseContainerTrigger',
  'SqlDatabaseContainerUserDefinedFunction', 'MongodbDatabase', 'MongodbDatabaseCollection');
const THROUGHPUT = kinds('SqlDatabaseThroughputSetting', 'SqlDatabaseContainerThroughputSetting', 'MongodbDatabaseThroughputSetting',
  'MongodbDatabaseCollectionThroughputSetting');
const REST = ['https://learn.microsoft.com/rest/api/cosmos-db-resource-provider/sql-resources/create-update-sql-database', 'BadRequest'] as const;
const LIMITS = [`${LEARN}/cosmos-db/concepts-limits`, 'BadRequest'] as const;
const UNIQUE = [`${LEARN}/cosmos-db/unique-keys`, 'BadRequest'] as const;
const INDEXES = [`${LEARN}/cosmos-db/index-policy`, 'BadRequest'] as const;

export const COSMOS_DB_RESOURCE_RULES: readonly AzureRule[] = [
  rule('cosmos-id', WITH_ID, 'The id in `resource` is the name of the resource.', REST, ({ name, spec }) => {
    const id = valueAtPath(spec, 'resource.id');
    return typeof id === 'string' && id !== name ? violation('resource.id', `is '${id}', but the name in Azure is '${name}'`, 'write the same name in azureName') : [];
  }),
  rule('cosmos-throughput-setting', THROUGHPUT, 'Throughput is 400 request units at least, in steps of 100; the maximum of autoscale 1000, in steps of 1000.', LIMITS,
    between('resource.throughput', 400, 2_147_483_600, 'request units a second'), multipleOf('resource.throughput', 100),
    between('resource.autoscaleSettings.maxThroughput', 1000, 2_147_483_000, 'request units a second'), multipleOf('resource.autoscaleSettings.maxThroughput', 1000)),
  rule('cosmos-unique-keys', CONTAINER, 'Up to 10 unique keys of up to 16 paths, which begin with `/`.', UNIQUE,
    eachText('resource.uniqueKeyPolicy.uniqueKeys[].paths[]', (value) => (value.startsWith('/') ? undefined : [`'${value}' does not begin with /`, `write /${value}`])),
    ({ spec }) => {
      const keys = valuesAt(spec, 'resource.uniqueKeyPolicy.uniqueKeys[]').length;
      if (keys > 10) return violation('resource.uniqueKeyPolicy.uniqueKeys', `has ${keys} keys`, 'give 10 at most');
      return valuesAt(spec, 'resource.uniqueKeyPolicy.uniqueKeys[].paths').flatMap(({ field, value }) =>
        (Array.isArray(value) && value.length > 16 ? violation(field, `has ${value.length} paths`, 'give 16 at most') : []));
    }),
  rule('cosmos-index-path', CONTAINER, 'A path of an indexing policy begins with `/` and ends with `/?` or `/*`.', INDEXES,
    ...['included', 'excluded'].map((list) => eachText(`resource.indexingPolicy.${list}Paths[].path`, (value) =>
      (/^\/(.*\/)?[?*]$/.test(value) || value === '/"_etag"/?' ? undefined : [`'${value}' is no path of a policy`, `write it like ${value.startsWith('/') ? '' : '/'}${value.replace(/\/$/, '')}/?`])))),
  rule('cosmos-partition-version', CONTAINER, 'A hierarchical partition key has version 2.', [`${LEARN}/cosmos-db/hierarchical-partition-keys`, 'BadRequest'], ({ spec }) =>
    (wordAt(spec, 'resource.partitionKey.kind') === 'multihash' && valueAtPath(spec, 'resource.partitionKey.version') === 1
      ? violation('resource.partitionKey.version', 'is 1, but kind is MultiHash', 'write 2') : [])),
  rule('cosmos-analytical-store', kinds('SqlDatabaseContainer', 'MongodbDatabaseCollection'), 'Analytical storage is -1 (without end), 0 (none) or a number of seconds.',
    [`${LEARN}/cosmos-db/analytical-store-introduction`, 'BadRequest'], between('resource.analyticalStorageTtl', -1, 2_147_483_647, 'seconds')),
  rule('cosmos-shard-key', kinds('MongodbDatabaseCollection'), 'A shard key is one member, of kind Hash.', ['https://learn.microsoft.com/rest/api/cosmos-db-resource-provider/mongo-db-resources/create-update-mongo-db-collection', 'BadRequest'], ({ spec }) => {
    const key = valueAtPath(spec, 'resource.shardKey');
    const members = Object.entries(key ?? {});
    if (members.length > 1) return violation('resource.shardKey', `has ${members.length} members`, 'give one');
    return members.flatMap(([name, kind]) => (String(kind).toLowerCase() === 'hash' ? [] : violation('resource.shardKey', `'${name}' is ${String(kind)}`, 'write Hash')));
  }),
  rule('cosmos-role-principal', kinds('SqlRoleAssignment'), 'A principal is an object id, a UUID.', [`${LEARN}/cosmos-db/how-to-setup-rbac`, 'BadRequest'],
    fits('principalId', UUID, 'no object id', 'write the principal id of the identity')),
];
