import { between, durationBetween, fits, addressRange, ipv4, ipv6, noneOf, numberOf, onlyIf, wordOf } from './finders';
import { advice, LEARN, rule, unwise, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';

const SERVER = 'sql.azure.com/Server';
const DATABASE = 'sql.azure.com/ServersDatabase';
const POOL = 'sql.azure.com/ServersElasticPool';
const FIREWALL = 'sql.azure.com/ServersFirewallRule';
const FIREWALL_V6 = 'sql.azure.com/ServersIPV6FirewallRule';
const SHORT = 'sql.azure.com/ServersDatabasesBackupShortTermRetentionPolicy';
const LONG = 'sql.azure.com/ServersDatabasesBackupLongTermRetentionPolicy';
const GROUP = 'sql.azure.com/ServersFailoverGroup';
const LOGINS = [`${LEARN}/azure-sql/database/logins-create-manage`, 'InvalidParameterValue'] as const;
const SERVERLESS = [`${LEARN}/azure-sql/database/serverless-tier-overview`, 'InvalidParameterValue'] as const;
const FIREWALLS = [`${LEARN}/azure-sql/database/firewall-configure`, 'InvalidParameterValue'] as const;
const DTU = `${LEARN}/azure-sql/database/resource-limits-dtu-single-databases`;
const VCORE = [`${LEARN}/azure-sql/database/resource-limits-vcore-single-databases`, 'InvalidSku'] as const;
const POOLS = [`${LEARN}/azure-sql/database/resource-limits-dtu-elastic-pools`, 'InvalidSku'] as const;
const BACKUPS = `${LEARN}/azure-sql/database/automated-backups-overview`;
const SIZE = [`${LEARN}/azure-sql/database/resource-limits-dtu-single-databases`, 'InvalidMaxSizeTierCombination'] as const;
const ZONES = [`${LEARN}/azure-sql/database/high-availability-sla-local-zone-redundancy`, 'ProvisioningDisabled'] as const;
const MANUAL_FAILOVER = 'FailoverGroupCreateOrUpdateRequestInvalidReadWriteEndpointFieldsForManualPolicy';
const RESERVED = ['admin', 'administrator', 'sa', 'root', 'dbmanager', 'loginmanager', 'dbo', 'guest', 'public', 'sys', 'information_schema'];
const GB = 1024 ** 3;

/** Tier by the beginning of a SKU's name. */
const TIERS: readonly [RegExp, string][] = [
  [/^basic(pool)?$/, 'Basic'], [/^(standard(pool)?|s\d+)$/, 'Standard'], [/^(premium(pool)?|p\d+)$/, 'Premium'],
  [/^gp_/, 'GeneralPurpose'], [/^bc_/, 'BusinessCritical'], [/^hs_/, 'Hyperscale'],
];
const DTUS: Readonly<Record<string, readonly number[]>> = {
  basic: [5],
  standard: [10, 20, 50, 100, 200, 400, 800, 1600, 3000],
  premium: [125, 250, 500, 1000, 1750, 4000],
  basicpool: [50, 100, 200, 300, 400, 800, 1200, 1600],
  standardpool: [50, 100, 200, 300, 400, 800, 1200, 1600, 2000, 2500, 3000],
  premiumpool: [125, 250, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000],
};
const GEN5 = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 32, 40, 64, 80, 128, 160, 192];

const tierOf = ({ spec }: AzureSubject) => {
  const name = wordAt(spec, 'sku.name') ?? '';
  return wordAt(spec, 'sku.tier') ?? TIERS.find(([pattern]) => pattern.test(name))?.[1].toLowerCase();
};
const tierIs = (...tiers: readonly string[]) => (subject: AzureSubject) => {
  const tier = tierOf(subject);
  return tier === undefined ? undefined : tiers.includes(tier);
};
const isServerless = ({ spec }: AzureSubject) => {
  const name = wordAt(spec, 'sku.name');
  return name === undefined ? undefined : /^(gp|hs)_s_/.test(name);
};

export const SQL_RULES: readonly AzureRule[] = [
  rule('sql-login', SERVER, 'The administrator has a name that SQL Server and Azure do not use themselves.', [LOGINS[0], 'InvalidLoginName'],
    noneOf('administratorLogin', RESERVED, 'take another name'),
    fits('administratorLogin', /^[^0-9@$+\s'"]/, 'no login: it begins with a digit or a sign', 'begin with a letter')),
  rule('sql-administrator', SERVER, 'A server has an administrator of SQL Server or of Entra ID.', [LOGINS[0], 'InvalidParameterValue'], ({ spec }) =>
    (valueAtPath(spec, 'administratorLogin') === undefined && valueAtPath(spec, 'administrators') === undefined
      ? violation('administratorLogin', 'is missing, and so is administrators', 'give one of them') : [])),
  rule('sql-version', SERVER, 'The version of a server is 12.0.', [`${LEARN}/azure-sql/database/single-database-create-arm-template-quickstart`, 'InvalidParameterValue'], wordOf('version', ['12.0', '2.0'])),
  rule('sql-database-name', DATABASE, 'A database has a name that SQL Server does not use itself.', [`${LEARN}/azure-sql/database/single-database-create-quickstart`, 'CannotUseReservedDatabaseName'], ({ name }) =>
    (['master', 'tempdb', 'model', 'msdb'].includes(name.toLowerCase()) ? violation('azureName', `'${name}' is reserved`, 'take another name') : [])),
  rule('sql-tier', [DATABASE, POOL], 'Name and tier of a SKU belong together.', [DTU, 'InvalidTierSkuCombination'], ({ spec }) => {
    const [name, tier] = [wordAt(spec, 'sku.name'), wordAt(spec, 'sku.tier')];
    const own = TIERS.find(([pattern]) => pattern.test(name ?? ''))?.[1];
    return own !== undefined && tier !== undefined && own.toLowerCase() !== tier
      ? violation('sku.tier', `is ${String(valueAtPath(spec, 'sku.tier'))}, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, `write ${own}`) : [];
  }),
  rule('sql-capacity', [DATABASE, POOL], 'The capacity is one that the SKU has: DTUs or virtual cores.', VCORE, (subject) => {
    const name = wordAt(subject.spec, 'sku.name') ?? '';
    const dtus = Object.hasOwn(DTUS, name) ? DTUS[name] : undefined;
    if (dtus) return numberOf('sku.capacity', dtus)(subject);
    return /^(gp|bc|hs)_(s_)?gen5$/.test(name) ? numberOf('sku.capacity', isServerless(subject) ? [1, ...GEN5] : GEN5)(subject) : [];
  }),
  rule('sql-auto-pause', DATABASE, 'A serverless database pauses after 15 minutes to 7 days; -1 is never.', SERVERLESS, (subject) =>
    between('autoPauseDelay', 15, 10_080, 'minutes, or -1')(subject).filter(({ message }) => message !== 'is -1')),
  advice('sql-serverless', DATABASE, 'Automatic pause and a minimum capacity are for serverless databases.', SERVERLESS[0], (subject) => [
    ...(valueAtPath(subject.spec, 'autoPauseDelay') === -1 ? [] : onlyIf(['autoPauseDelay'], isServerless, 'is for serverless databases', 'remove it, or use a SKU like GP_S_Gen5')(subject)),
    ...onlyIf(['minCapacity'], ({ spec }) => isServerless(subject) !== false || valueAtPath(spec, 'minCapacity') === 0, 'is for serverless databases', 'remove it, or use a SKU like GP_S_Gen5')(subject),
  ]),
  rule('sql-minimum-capacity', DATABASE, 'The minimum capacity is not above the capacity.', SERVERLESS, ({ spec }) => {
    const [least, most] = [valueAtPath(spec, 'minCapacity'), valueAtPath(spec, 'sku.capacity')];
    return typeof least === 'number' && typeof most === 'number' && least > most ? violation('minCapacity', `is ${least}, sku.capacity is ${most}`, 'write less') : [];
  }),
  rule('sql-size', DATABASE, 'A database of tier Basic has 2 GiB at most, of Standard and Premium (to P6) 1 TiB, of P11 and P15 4 TiB.', SIZE, (subject) => {
    const size = valueAtPath(subject.spec, 'maxSizeBytes');
    const most = { basic: 2 * GB, standard: 1024 * GB, premium: 4096 * GB }[tierOf(subject) ?? ''];
    return typeof size === 'number' && most !== undefined && size > most ? violation('maxSizeBytes', `is ${size}, more than the tier has`, `write ${most} at most`) : [];
  }),
  rule('sql-zone-redundant', [DATABASE, POOL], 'Basic and Standard are not zone redundant.', ZONES,
    onlyIf(['zoneRedundant'], (subject) => { const is = tierIs('basic', 'standard')(subject); return is === undefined ? undefined : !is; },
      'does not exist in tiers Basic and Standard', 'remove it, or use another tier')),
  rule('sql-read-scale', DATABASE, 'Reading from replicas is for Premium, BusinessCritical and Hyperscale.', [`${LEARN}/azure-sql/database/read-scale-out`, 'InvalidReadScaleEdition'], (subject) =>
    (wordAt(subject.spec, 'readScale') === 'enabled'
      ? onlyIf(['readScale'], tierIs('premium', 'businesscritical', 'hyperscale'), 'does not exist in this tier', 'remove it, or use another tier')(subject) : [])),
  rule('sql-replicas', DATABASE, 'Up to four replicas, of Hyperscale databases.', [`${LEARN}/azure-sql/database/service-tier-hyperscale-replicas`, 'InvalidReadScaleUnits'],
    between('highAvailabilityReplicaCount', 0, 4, 'replicas'), (subject) => (Number(valueAtPath(subject.spec, 'highAvailabilityReplicaCount') ?? 0) > 0
      ? onlyIf(['highAvailabilityReplicaCount'], tierIs('hyperscale'), 'is for tier Hyperscale', 'remove it')(subject) : [])),
  rule('sql-pool-databases', POOL, 'What a database of a pool may use is not more than the pool has.', POOLS, ({ spec }) => {
    const [least, most, all] = ['perDatabaseSettings.minCapacity', 'perDatabaseSettings.maxCapacity', 'sku.capacity'].map((path) => valueAtPath(spec, path));
    if (typeof least === 'number' && typeof most === 'number' && least > most) return violation('perDatabaseSettings.minCapacity', `is ${least}, maxCapacity is ${most}`, 'write less');
    return typeof most === 'number' && typeof all === 'number' && most > all ? violation('perDatabaseSettings.maxCapacity', `is ${most}, sku.capacity is ${all}`, 'write less') : [];
  }),
  rule('sql-backup-days', SHORT, 'Backups are kept for 1 to 35 days, in tier Basic for 7.', [BACKUPS, 'InvalidBackupRetentionPeriod'], (subject) =>
    between('retentionDays', 1, subject.owner && tierOf(subject.owner) === 'basic' ? 7 : 35, 'days')(subject), numberOf('diffBackupIntervalInHours', [12, 24])),
  rule('sql-long-backups', LONG, 'Backups are kept for a week to ten years; weeks of a year are 1 to 52.', [`${LEARN}/azure-sql/database/long-term-retention-overview`, 'LongTermRetentionPolicyInvalid'],
    between('weekOfYear', 0, 52), ...['weeklyRetention', 'monthlyRetention', 'yearlyRetention'].map((path) => durationBetween(path, 'PT0S', 'P10Y'))),
  rule('sql-failover', GROUP, 'Automatic failover waits for an hour at least; manual failover has no such time.', [`${LEARN}/azure-sql/database/failover-group-sql-db`, MANUAL_FAILOVER], (subject) => {
    const path = 'readWriteEndpoint.failoverWithDataLossGracePeriodMinutes';
    return wordAt(subject.spec, 'readWriteEndpoint.failoverPolicy') === 'manual' && valueAtPath(subject.spec, path) !== undefined
      ? violation(path, 'is for failoverPolicy Automatic', 'remove it') : unwise(between(path, 60, 2_147_483_647, 'minutes'))(subject);
  }),
  rule('sql-firewall', [FIREWALL, FIREWALL_V6], 'A firewall rule has two addresses, the lower one first.', FIREWALLS,
    ipv4('startIpAddress'), ipv4('endIpAddress'), addressRange('startIpAddress', 'endIpAddress'),
    ipv6('startIPv6Address'), ipv6('endIPv6Address'), addressRange('startIPv6Address', 'endIPv6Address')),
];
