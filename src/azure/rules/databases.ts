import { between, addressRange, ipv4, noneOf, onlyIf } from './finders';
import { sizeOfOtherTier } from './postgresql';
import { LEARN, rule, type AzureRule } from './rule';
import { wordAt } from './values';

const MYSQL = 'dbformysql.azure.com/FlexibleServer';
const MYSQL_FIREWALL = 'dbformysql.azure.com/FlexibleServersFirewallRule';
const MYSQL_BACKUP = [`${LEARN}/mysql/flexible-server/concepts-backup-restore`, 'InvalidParameterValue'] as const;
const MYSQL_SIZES = [`${LEARN}/mysql/flexible-server/concepts-service-tiers-storage`, 'InvalidParameterValue'] as const;
const MYSQL_CREATE = [`${LEARN}/mysql/flexible-server/quickstart-create-server-portal`, 'InvalidParameterValue'] as const;
const MYSQL_HA = [`${LEARN}/mysql/flexible-server/concepts-high-availability`, 'InvalidParameterValue'] as const;
const MYSQL_RULES_PAGE = [`${LEARN}/mysql/flexible-server/concepts-networking-public`, 'InvalidParameterValue'] as const;
const RESERVED_IN_MYSQL = ['azure_superuser', 'admin', 'administrator', 'root', 'guest', 'public'];

export const DATABASE_RULES: readonly AzureRule[] = [
  rule('mysql-backup-days', MYSQL, 'Backups are kept for 1 to 35 days.', MYSQL_BACKUP, between('backup.backupRetentionDays', 1, 35, 'days')),
  rule('mysql-disk', MYSQL, 'Storage is 20 GiB to 32 TiB.', MYSQL_SIZES, between('storage.storageSizeGB', 20, 32_768, 'GiB')),
  rule('mysql-size', MYSQL, 'The size belongs to the tier.', MYSQL_SIZES, sizeOfOtherTier),
  rule('mysql-login', MYSQL, 'The administrator has a name that Azure does not use itself.', MYSQL_CREATE,
    noneOf('administratorLogin', RESERVED_IN_MYSQL, 'take another name')),
  rule('mysql-burstable-ha', MYSQL, 'Burstable servers have no high availability.', MYSQL_HA, (subject) =>
    ['samezone', 'zoneredundant'].includes(wordAt(subject.spec, 'highAvailability.mode') ?? '')
      ? onlyIf(['highAvailability.mode'], ({ spec }) => wordAt(spec, 'sku.tier') !== 'burstable', 'does not exist in tier Burstable',
        'use tier GeneralPurpose or MemoryOptimized')(subject)
      : []),
  rule('mysql-maintenance', MYSQL, 'The maintenance window begins on day 0 to 6, at 0:00 to 23:59.', MYSQL_CREATE,
    between('maintenanceWindow.dayOfWeek', 0, 6), between('maintenanceWindow.startHour', 0, 23), between('maintenanceWindow.startMinute', 0, 59)),
  rule('mysql-firewall', MYSQL_FIREWALL, 'A firewall rule has two IPv4 addresses, the lower one first.', MYSQL_RULES_PAGE,
    ipv4('startIpAddress'), ipv4('endIpAddress'), addressRange('startIpAddress', 'endIpAddress')),
];
