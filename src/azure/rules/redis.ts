import { between, durationBetween, eachText, addressRange, ipv4, onlyIf, wordOf } from './finders';
import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';

const REDIS = 'cache.azure.com/Redis';
const PATCH = 'cache.azure.com/RedisPatchSchedule';
const LINK = 'cache.azure.com/RedisLinkedServer';
const EVICTION = ['volatile-lru', 'allkeys-lru', 'volatile-random', 'allkeys-random', 'volatile-ttl', 'noeviction', 'volatile-lfu', 'allkeys-lfu'];
const FIREWALL = 'cache.azure.com/RedisFirewallRule';
const OVERVIEW = [`${LEARN}/azure-cache-for-redis/cache-overview#service-tiers`, 'InvalidRequestBody'] as const;
const CLUSTER = [`${LEARN}/azure-cache-for-redis/cache-how-to-premium-clustering`, 'InvalidRequestBody'] as const;
const REPLICAS = [`${LEARN}/azure-cache-for-redis/cache-how-to-multi-replicas`, 'InvalidRequestBody'] as const;
const PERSISTENCE = [`${LEARN}/azure-cache-for-redis/cache-how-to-premium-persistence`, 'InvalidRequestBody'] as const;
const NETWORK = [`${LEARN}/azure-cache-for-redis/cache-how-to-premium-vnet`, 'InvalidRequestBody'] as const;
const CONFIGURE = [`${LEARN}/azure-cache-for-redis/cache-configure`, 'InvalidRequestBody'] as const;

const isPremium = ({ spec }: AzureSubject) => {
  const name = wordAt(spec, 'sku.name');
  return name === undefined ? undefined : name === 'premium';
};
const premiumOnly = (...paths: readonly string[]) => onlyIf(paths, isPremium, 'needs sku.name Premium', 'remove it, or use Premium');
/** One is what every cache has. */
const moreThanOne = (...paths: readonly string[]): AzureRule['find'] => (subject) =>
  premiumOnly(...paths.filter((path) => Number(valueAtPath(subject.spec, path)) > 1))(subject);

export const REDIS_RULES: readonly AzureRule[] = [
  rule('redis-family', REDIS, 'Basic and Standard are of family C, Premium of family P.', OVERVIEW, ({ spec }) => {
    const [name, family] = [wordAt(spec, 'sku.name'), wordAt(spec, 'sku.family')];
    if (name === undefined || family === undefined || (name === 'premium') === (family === 'p')) return [];
    return [{ field: 'sku.family', message: `is ${family.toUpperCase()}, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, fix: `write ${name === 'premium' ? 'P' : 'C'}` }];
  }),
  rule('redis-capacity', REDIS, 'Family C has the sizes 0 to 6, family P 1 to 5.', OVERVIEW, (subject) =>
    wordAt(subject.spec, 'sku.family') === 'p' ? between('sku.capacity', 1, 5)(subject) : between('sku.capacity', 0, 6)(subject)),
  rule('redis-shards', REDIS, 'Shards are for Premium.', CLUSTER, moreThanOne('shardCount'), between('shardCount', 0, 30, 'shards')),
  rule('redis-replicas', REDIS, 'More replicas are for Premium: 1 to 3.', REPLICAS,
    moreThanOne('replicasPerMaster', 'replicasPerPrimary'), between('replicasPerMaster', 1, 3), between('replicasPerPrimary', 1, 3)),
  rule('redis-network', REDIS, 'A virtual network is for Premium.', NETWORK, premiumOnly('subnetReference', 'staticIP')),
  rule('redis-persistence', REDIS, 'Persistence is for Premium.', PERSISTENCE, (subject) =>
    ['rdb-backup-enabled', 'aof-backup-enabled'].flatMap((key) =>
      (wordAt(subject.spec, `redisConfiguration.${key}`) === 'true' ? premiumOnly(`redisConfiguration.${key}`)(subject) : []))),
  rule('redis-static-ip', REDIS, '`staticIP` needs a subnet.', NETWORK, ({ spec }) =>
    (valueAtPath(spec, 'staticIP') !== undefined && valueAtPath(spec, 'subnetReference') === undefined
      ? [{ field: 'staticIP', message: 'needs subnetReference', fix: 'give the subnet, or remove it' }] : [])),
  advice('redis-zones', REDIS, 'Zones are for Standard and Premium.', `${LEARN}/azure-cache-for-redis/cache-how-to-zone-redundancy`,
    onlyIf(['zones'], ({ spec }) => wordAt(spec, 'sku.name') !== 'basic', 'needs sku.name Standard or Premium', 'remove it, or use Standard or Premium')),
  rule('redis-replica-names', REDIS, '`replicasPerMaster` and `replicasPerPrimary` are one setting.', REPLICAS, ({ spec }) => {
    const [old, now] = [valueAtPath(spec, 'replicasPerMaster'), valueAtPath(spec, 'replicasPerPrimary')];
    return old !== undefined && now !== undefined && old !== now ? violation('replicasPerMaster', `is ${String(old)}, replicasPerPrimary is ${String(now)}`, 'remove it') : [];
  }),
  rule('redis-eviction', REDIS, 'An eviction policy is one of eight.', CONFIGURE, wordOf('redisConfiguration.maxmemory-policy', EVICTION)),
  rule('redis-backup-frequency', REDIS, 'Backups are made every 15, 30, 60, 360, 720 or 1440 minutes.', PERSISTENCE, wordOf('redisConfiguration.rdb-backup-frequency', ['15', '30', '60', '360', '720', '1440'])),
  rule('redis-one-persistence', REDIS, 'Persistence is by RDB or by AOF.', PERSISTENCE, ({ spec }) =>
    (['rdb-backup-enabled', 'aof-backup-enabled'].every((key) => wordAt(spec, `redisConfiguration.${key}`) === 'true')
      ? violation('redisConfiguration.aof-backup-enabled', 'is true, and so is rdb-backup-enabled', 'choose one of them') : [])),
  rule('redis-version', REDIS, 'A cache has Redis 4 or 6.', [`${LEARN}/azure-cache-for-redis/cache-how-to-version`, 'InvalidRequestBody'], eachText('redisVersion', (value) =>
    (/^([46](\.\d+)*|latest)$/.test(value) ? undefined : [`'${value}' is no version that there is`, "write '6'"]))),
  rule('redis-patch-window', PATCH, 'A window for updates has 5 hours at least, and begins at an hour of 0 to 23.', [`${LEARN}/azure-cache-for-redis/cache-administration#schedule-updates`, 'InvalidRequestBody'],
    durationBetween('scheduleEntries[].maintenanceWindow', 'PT5H', 'PT24H'), between('scheduleEntries[].startHourUtc', 0, 23)),
  rule('redis-link', LINK, 'Geo-replication is for Premium.', [`${LEARN}/azure-cache-for-redis/cache-how-to-geo-replication`, 'InvalidRequestBody'],
    onlyIf(['linkedRedisCacheReference'], ({ owner }) => owner && isPremium(owner), 'is for caches of sku.name Premium', 'use Premium')),
  rule('redis-firewall', FIREWALL, 'A firewall rule has two IPv4 addresses, the lower one first.', CONFIGURE,
    ipv4('startIP'), ipv4('endIP'), addressRange('startIP', 'endIP')),
];
