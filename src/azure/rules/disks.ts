import { neededIf, numberOf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const DISK = 'compute.azure.com/Disk';
const TYPES = [`${LEARN}/virtual-machines/disks-types`, 'InvalidParameter'] as const;
const CREATE = ['https://learn.microsoft.com/rest/api/compute/disks/create-or-update', 'InvalidParameter'] as const;
const TIERS = [`${LEARN}/virtual-machines/disks-change-performance`, 'InvalidParameter'] as const;
const BURSTS = [`${LEARN}/virtual-machines/disk-bursting`, 'InvalidParameter'] as const;
const SHARES = [`${LEARN}/virtual-machines/disks-shared`, 'InvalidParameter'] as const;
const ACCESS = [`${LEARN}/virtual-machines/disks-restrict-import-export-overview`, 'InvalidParameter'] as const;
const KEYS = [`${LEARN}/virtual-machines/disk-encryption`, 'InvalidParameter'] as const;

interface PremiumTier {
  readonly name: string;
  /** The largest disk whose own tier it is, in GiB. */
  readonly size: number;
  /** Operations in a second, and bandwidth in MB/s. */
  readonly performance: readonly [operations: number, bandwidth: number];
}

/** Performance tiers of Premium SSD, lowest first. */
const PREMIUM_TIERS: readonly PremiumTier[] = ([
  ['P1', 4, 120, 25], ['P2', 8, 120, 25], ['P3', 16, 120, 25], ['P4', 32, 120, 25], ['P6', 64, 240, 50], ['P10', 128, 500, 100],
  ['P15', 256, 1100, 125], ['P20', 512, 2300, 150], ['P30', 1024, 5000, 200], ['P40', 2048, 7500, 250], ['P50', 4096, 7500, 250],
  ['P60', 8192, 16_000, 500], ['P70', 16_384, 18_000, 750], ['P80', 32_767, 20_000, 900],
] as const).map(([name, size, ...performance]) => ({ name, size, performance }));
/** Operations and bandwidth of Standard SSD and hard disks. */
const STANDARD_PERFORMANCE = [[500, 1300, 2000, 4000, 6000], [60, 100, 300, 400, 500, 600, 750]] as const;
const LARGEST = 32_767;
const LARGEST_ULTRA = 65_536;
const LARGEST_WITHOUT_BURSTS = 512;

/** Without a SKU Azure makes a hard disk, or in a copy a disk like the source. */
function skuOf({ spec }: AzureSubject): string | undefined {
  const isEmpty = wordAt(spec, 'creationData.createOption') === 'empty';
  return wordAt(spec, 'sku.name') ?? (isEmpty && valueAtPath(spec, 'sku') === undefined ? 'standard_lrs' : undefined);
}

const hasSku = (pattern: RegExp) => (subject: AzureSubject) => {
  const sku = skuOf(subject);
  return sku === undefined ? undefined : pattern.test(sku);
};
const isUltra = hasSku(/^(ultrassd|premiumv2)_/);
const isPremium = hasSku(/^premium_/);
const sizeOf = ({ spec }: AzureSubject) => {
  const size = valueAtPath(spec, 'diskSizeGB');
  return typeof size === 'number' ? size : undefined;
};
const creates = (...options: readonly string[]) => ({ spec }: Pick<AzureSubject, 'spec'>) =>
  options.includes(wordAt(spec, 'creationData.createOption') ?? '');
const needs = (path: string, ...options: readonly string[]) =>
  neededIf(path, (spec) => creates(...options)({ spec }), 'is missing, but creationData.createOption needs it', 'give it');

const tierOfSize = (size: number) => PREMIUM_TIERS.find(({ size: largest }) => size <= largest);

/** Operations (0) or bandwidth (1) that a disk has without being asked. */
function ownPerformance(subject: AzureSubject, index: number): readonly number[] {
  if (!isPremium(subject)) return STANDARD_PERFORMANCE[index === 0 ? 0 : 1];
  const [size, tier] = [sizeOf(subject), wordAt(subject.spec, 'tier')];
  const own = PREMIUM_TIERS.filter((one) => size === undefined || one === tierOfSize(size) || one.name.toLowerCase() === tier);
  return own.map(({ performance }) => performance[index === 0 ? 0 : 1]);
}

function mostShares(subject: AzureSubject): number {
  if (hasSku(/^standard_/)(subject)) return 1;
  const size = sizeOf(subject);
  // A higher performance tier allows more than the size alone.
  if (!isPremium(subject) || size === undefined || valueAtPath(subject.spec, 'tier') !== undefined) return 15;
  if (size > 4096) return 10;
  return size > 512 ? 5 : 3;
}

export const DISK_RULES: readonly AzureRule[] = [
  rule('disk-size', DISK, 'A disk has 1 GiB to 32767 GiB; Ultra and Premium SSD v2 have up to 64 TiB.', TYPES, (subject) => {
    const size = sizeOf(subject);
    const most = isUltra(subject) === false ? LARGEST : LARGEST_ULTRA;
    return size !== undefined && (size < 1 || size > most) ? violation('diskSizeGB', `is ${size}`, `write 1 to ${most}`) : [];
  }),
  rule('disk-source', DISK, 'A disk has the source that its option to create it needs: a size, a disk or snapshot, a blob or an image.', CREATE,
    needs('diskSizeGB', 'empty'), needs('creationData.sourceResourceReference', 'copy', 'copystart', 'restore'),
    needs('creationData.sourceUri', 'import', 'importsecure'), needs('creationData.uploadSizeBytes', 'upload', 'uploadpreparedsecure'),
    ({ spec }) => (creates('fromimage')({ spec })
      && ['imageReference', 'galleryImageReference'].every((path) => valueAtPath(spec, `creationData.${path}`) === undefined)
      ? violation('creationData.imageReference', 'is missing, and so is galleryImageReference', 'give one of them') : [])),
  rule('disk-zone', DISK, 'A disk lies in one zone, or in none; one of a ZRS SKU spans all and has none.', TYPES, (subject) => {
    const zones = valuesAt(subject.spec, 'zones[]').length;
    if (zones > 0 && hasSku(/_zrs$/)(subject)) return violation('zones', 'is given, but the SKU spans the zones', 'remove it');
    return zones > 1 ? violation('zones', `has ${zones} zones`, 'write one') : [];
  }),
  rule('disk-performance', DISK, 'Operations and bandwidth are set for Ultra disks and Premium SSD v2; others have those of their size.', TYPES, (subject) =>
    (['diskIOPSReadWrite', 'diskMBpsReadWrite'] as const).flatMap((path, index) => {
      const value = valueAtPath(subject.spec, path);
      // The values that Azure answers for a disk may be sent back to it. Performance plus raises them.
      if (typeof value !== 'number' || valueAtPath(subject.spec, 'creationData.performancePlus') === true || isUltra(subject) !== false || ownPerformance(subject, index).includes(value)) return [];
      return violation(path, 'is for SKU UltraSSD_LRS or PremiumV2_LRS', 'remove it, or use such a SKU');
    })),
  rule('disk-sector', DISK, 'Logical sectors of Ultra disks and Premium SSD v2 have 512 or 4096 bytes.', TYPES,
    numberOf('creationData.logicalSectorSize', [512, 4096])),
  rule('disk-tier', DISK, 'A performance tier is for Premium SSD, and not below the tier of the size.', TIERS, (subject) => {
    const [tier, size] = [wordAt(subject.spec, 'tier'), sizeOf(subject)];
    if (tier === undefined) return [];
    if (isPremium(subject) === false) return violation('tier', 'is for SKU Premium_LRS or Premium_ZRS', 'remove it, or use such a SKU');
    const [index, own] = [PREMIUM_TIERS.findIndex(({ name }) => name.toLowerCase() === tier), tierOfSize(size ?? 0)];
    return isPremium(subject) && own && index >= 0 && index < PREMIUM_TIERS.indexOf(own)
      ? violation('tier', `is below ${own.name}, the tier of ${size} GiB`, `write ${own.name} or a higher one`) : [];
  }),
  rule('disk-bursting', DISK, 'Bursting on demand is for Premium SSD of more than 512 GiB.', BURSTS, (subject) => {
    if (valueAtPath(subject.spec, 'burstingEnabled') !== true) return [];
    if (isPremium(subject) === false) return violation('burstingEnabled', 'is for SKU Premium_LRS or Premium_ZRS', 'remove it, or use such a SKU');
    const size = sizeOf(subject);
    return size !== undefined && size <= LARGEST_WITHOUT_BURSTS
      ? violation('burstingEnabled', `needs more than 512 GiB, diskSizeGB is ${size}`, 'remove it, or take a larger disk') : [];
  }),
  rule('disk-shares', DISK, 'A disk is attached to as many machines as its SKU and size allow: a hard disk to one.', SHARES, (subject) => {
    const [shares, most] = [valueAtPath(subject.spec, 'maxShares'), mostShares(subject)];
    return typeof shares === 'number' && shares > most ? violation('maxShares', `is ${shares}, the disk allows ${most}`, `write ${most} at most`) : [];
  }),
  rule('disk-access', DISK, 'Access by private endpoints only names the disk access.', ACCESS,
    neededIf('diskAccessReference', (spec) => wordAt(spec, 'networkAccessPolicy') === 'allowprivate',
      'is missing, but networkAccessPolicy is AllowPrivate', 'give it')),
  rule('disk-encryption', DISK, 'Encryption by a key of your own names the encryption set.', KEYS,
    neededIf('encryption.diskEncryptionSetReference', (spec) => (wordAt(spec, 'encryption.type') ?? '').includes('customerkey'),
      'is missing, but encryption.type is of a key of your own', 'give it')),
];
