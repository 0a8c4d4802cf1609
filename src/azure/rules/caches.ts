import { betweenOr, fits } from './finders';
import { advice, LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const DATABASE = 'cache.azure.com/RedisEnterpriseDatabase';
const CLUSTER = 'cache.azure.com/RedisEnterprise';
const MODULES = [`${LEARN}/redis/redis-modules`, 'BadRequest'] as const;
const PERSISTENCE = [`${LEARN}/redis/how-to-persistence`, 'BadRequest'] as const;
const GEO = [`${LEARN}/redis/how-to-active-geo-replication`, 'BadRequest'] as const;

const namesOf = (spec: Parameters<typeof valuesAt>[0]) => valuesAt(spec, 'modules[].name').map(({ value }) => String(value).toLowerCase());

export const CACHE_RULES: readonly AzureRule[] = [
  rule('redis-enterprise-database-name', DATABASE, 'The one database of a cluster is called `default`.', [`${LEARN}/redis/architecture`, 'BadRequest'], ({ name }) =>
    (name === 'default' ? [] : violation('azureName', `is '${name}'`, 'write azureName: default'))),
  advice('redis-enterprise-port', DATABASE, 'A database has port 10000.', `${LEARN}/redis/architecture`, betweenOr([10_000], 'port', 10_000, 10_000)),
  rule('redis-enterprise-search', DATABASE, 'RediSearch needs the policies EnterpriseCluster and NoEviction.', MODULES, ({ spec }) => {
    if (!namesOf(spec).includes('redisearch')) return [];
    const [clustering, eviction] = [wordAt(spec, 'clusteringPolicy'), wordAt(spec, 'evictionPolicy')];
    if (clustering === 'osscluster') return violation('clusteringPolicy', 'is OSSCluster, but the database has RediSearch', 'write EnterpriseCluster');
    return eviction !== undefined && eviction !== 'noeviction'
      ? violation('evictionPolicy', `is ${String(valueAtPath(spec, 'evictionPolicy'))}, but the database has RediSearch`, 'write NoEviction') : [];
  }),
  rule('redis-enterprise-persistence', DATABASE, 'Persistence is by RDB or by AOF, and not for databases with geo-replication.', PERSISTENCE, ({ spec }) => {
    const [aof, rdb] = ['persistence.aofEnabled', 'persistence.rdbEnabled'].map((path) => valueAtPath(spec, path) === true);
    if (aof && rdb) return violation('persistence.rdbEnabled', 'is true, and so is aofEnabled', 'choose one of them');
    return (aof || rdb) && valueAtPath(spec, 'geoReplication') !== undefined
      ? violation('persistence', 'is not for a database with geoReplication', 'remove one of them') : [];
  }),
  rule('redis-enterprise-geo-modules', DATABASE, 'With geo-replication a database has RediSearch and RedisJSON alone.', GEO, ({ spec }) =>
    (valueAtPath(spec, 'geoReplication') === undefined ? []
      : valuesAt(spec, 'modules[].name').filter(({ value }) => ['redisbloom', 'redistimeseries'].includes(String(value).toLowerCase()))
        .flatMap(({ field, value }) => violation(field, `is ${String(value)}, but the database has geoReplication`, 'remove the module')))),
  rule('redis-enterprise-geo-group', DATABASE, 'The nickname of a group of databases has letters, digits, `-` and `_`.', GEO,
    fits('geoReplication.groupNickname', /^[\w-]+$/, 'no nickname', 'write letters, digits, - and _')),
  rule('redis-enterprise-capacity', CLUSTER, 'A capacity is for sizes of Enterprise (even numbers) and EnterpriseFlash (3, 9, 15 and so on).',
    ['https://learn.microsoft.com/rest/api/redis/redisenterprisecache/redis-enterprise/create', 'BadRequest'], ({ spec }) => {
      const [name, capacity] = [wordAt(spec, 'sku.name'), valueAtPath(spec, 'sku.capacity')];
      if (name === undefined || typeof capacity !== 'number') return [];
      if (name.startsWith('enterprise_') && (capacity % 2 !== 0 || capacity < 2)) return violation('sku.capacity', `is ${capacity}`, 'write 2, 4, 6 and so on');
      return name.startsWith('enterpriseflash_') && capacity % 6 !== 3 ? violation('sku.capacity', `is ${capacity}`, 'write 3, 9, 15 and so on') : [];
    }),
];
