import { between, addressRange, ipv4, noneOf, fits, onlyIf } from './finders';
import { LEARN, rule, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';

const SERVER = 'dbforpostgresql.azure.com/FlexibleServer';
const FIREWALL = 'dbforpostgresql.azure.com/FlexibleServersFirewallRule';
const BACKUP = [`${LEARN}/postgresql/flexible-server/concepts-backup-restore`, 'InvalidParameterValue'] as const;
const COMPUTE = [`${LEARN}/postgresql/flexible-server/concepts-compute`, 'InvalidParameterValue'] as const;
const STORAGE = [`${LEARN}/postgresql/flexible-server/concepts-storage`, 'InvalidParameterValue'] as const;
const CREATE = [`${LEARN}/postgresql/flexible-server/quickstart-create-server-portal`, 'InvalidParameterValue'] as const;
const HIGH_AVAILABILITY = [`${LEARN}/postgresql/flexible-server/concepts-high-availability`, 'InvalidParameterValue'] as const;
const MAINTENANCE = [`${LEARN}/postgresql/flexible-server/concepts-maintenance`, 'InvalidParameterValue'] as const;
const RULES = [`${LEARN}/postgresql/flexible-server/concepts-firewall-rules`, 'InvalidParameterValue'] as const;

/** Sizes of Premium SSD, in GiB. Premium SSD v2 takes any. */
const DISKS = [32, 64, 128, 256, 512, 1024, 2048, 4095, 4096, 8192, 16_384, 32_767];
const RESERVED = ['azure_superuser', 'azure_pg_admin', 'admin', 'administrator', 'root', 'guest', 'public'];
/** First letters of sizes of each tier. */
const SIZES: Readonly<Record<string, string>> = { burstable: 'b', generalpurpose: 'd', memoryoptimized: 'e' };

/** A size of another tier: `Standard_B1ms` in tier GeneralPurpose. */
export function sizeOfOtherTier({ spec }: AzureSubject) {
  const [name, tier] = [wordAt(spec, 'sku.name'), wordAt(spec, 'sku.tier')];
  const letter = name === undefined ? undefined : /^standard_([a-z])/.exec(name)?.[1];
  const own = Object.entries(SIZES).find(([, first]) => first === letter)?.[0];
  if (own === undefined || tier === undefined || SIZES[tier] === undefined || own === tier) return [];
  return [{
    field: 'sku.tier',
    message: `is ${String(valueAtPath(spec, 'sku.tier'))}, but ${String(valueAtPath(spec, 'sku.name'))} is a size of another tier`,
    fix: `write ${{ burstable: 'Burstable', generalpurpose: 'GeneralPurpose', memoryoptimized: 'MemoryOptimized' }[own]!}, or another size`,
  }];
}

export const POSTGRESQL_RULES: readonly AzureRule[] = [
  rule('postgresql-backup-days', SERVER, 'Backups are kept for 7 to 35 days.', BACKUP, between('backup.backupRetentionDays', 7, 35, 'days')),
  rule('postgresql-size', SERVER, 'The size belongs to the tier.', COMPUTE, sizeOfOtherTier),
  rule('postgresql-disk', SERVER, 'A disk of Premium SSD has one of the sizes of 32 GiB to 32 TiB.', STORAGE, ({ spec }) => {
    const [size, type] = [valueAtPath(spec, 'storage.storageSizeGB'), wordAt(spec, 'storage.type')];
    if (typeof size !== 'number' || type === 'premiumv2_lrs' || type === 'ultrassd_lrs' || DISKS.includes(size)) return [];
    return [{ field: 'storage.storageSizeGB', message: `is ${size}`, fix: `write one of ${DISKS.filter((disk) => disk !== 4095).join(', ')}` }];
  }),
  rule('postgresql-login', SERVER, 'The administrator has a name that PostgreSQL and Azure do not use themselves.', CREATE,
    noneOf('administratorLogin', RESERVED, 'take another name'),
    fits('administratorLogin', /^(?!pg_)/i, 'reserved: it begins with pg_', 'take another name')),
  rule('postgresql-burstable-ha', SERVER, 'Burstable servers have no high availability.', HIGH_AVAILABILITY, (subject) =>
    ['samezone', 'zoneredundant'].includes(wordAt(subject.spec, 'highAvailability.mode') ?? '')
      ? onlyIf(['highAvailability.mode'], ({ spec }) => wordAt(spec, 'sku.tier') !== 'burstable', 'does not exist in tier Burstable',
        'use tier GeneralPurpose or MemoryOptimized')(subject)
      : []),
  rule('postgresql-same-zone', SERVER, 'With mode SameZone the standby is in the zone of the server.', HIGH_AVAILABILITY, ({ spec }) => {
    const [zone, standby] = [valueAtPath(spec, 'availabilityZone'), valueAtPath(spec, 'highAvailability.standbyAvailabilityZone')];
    const mode = wordAt(spec, 'highAvailability.mode');
    if (zone === undefined || standby === undefined) return [];
    const wrong = (mode === 'samezone' && zone !== standby) || (mode === 'zoneredundant' && zone === standby);
    return wrong
      ? [{ field: 'highAvailability.standbyAvailabilityZone', message: `is ${String(standby)}, the server's zone is ${String(zone)}`, fix: 'correct the zone or the mode' }]
      : [];
  }),
  rule('postgresql-maintenance', SERVER, 'The maintenance window begins on day 0 to 6, at 0:00 to 23:59.', MAINTENANCE,
    between('maintenanceWindow.dayOfWeek', 0, 6), between('maintenanceWindow.startHour', 0, 23), between('maintenanceWindow.startMinute', 0, 59)),
  rule('postgresql-firewall', FIREWALL, 'A firewall rule has two IPv4 addresses, the lower one first.', RULES,
    ipv4('startIpAddress'), ipv4('endIpAddress'), addressRange('startIpAddress', 'endIpAddress')),
];
