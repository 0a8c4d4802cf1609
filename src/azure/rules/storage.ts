import { atMost, between, eachText, fits, neededIf, onlyIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';
import { parseAddress, parseCidr } from '../../util/cidr';

const ACCOUNT = 'storage.azure.com/StorageAccount';
const BLOBS = 'storage.azure.com/StorageAccountsBlobService';
const FILES = 'storage.azure.com/StorageAccountsFileService';
const OVERVIEW = [`${LEARN}/storage/common/storage-account-overview`, 'InvalidValuesForRequestParameters'] as const;
const TIERS = [`${LEARN}/storage/blobs/access-tiers-overview`, 'AccountPropertyIsInvalid'] as const;
const FIREWALL = [`${LEARN}/storage/common/storage-network-security`, 'InvalidValuesForRequestParameters'] as const;
const NFS = [`${LEARN}/storage/blobs/network-file-system-protocol-support-how-to`, 'InvalidValuesForRequestParameters'] as const;
const SOFT_DELETE = [`${LEARN}/storage/blobs/soft-delete-blob-overview`, 'InvalidXmlNodeValue'] as const;
const CONTAINERS = [`${LEARN}/storage/blobs/soft-delete-container-overview`, 'InvalidXmlNodeValue'] as const;
const RESTORE = [`${LEARN}/storage/blobs/point-in-time-restore-overview`, 'InvalidXmlNodeValue'] as const;
const CHANGES = [`${LEARN}/storage/blobs/storage-blob-change-feed`, 'InvalidXmlNodeValue'] as const;
const CORS = ['https://learn.microsoft.com/rest/api/storageservices/cross-origin-resource-sharing--cors--support-for-the-azure-storage-services', 'InvalidXmlNodeValue'] as const;
const SHARE_DELETE = [`${LEARN}/storage/files/storage-files-prevent-file-share-deletion`, 'InvalidXmlNodeValue'] as const;

const PREMIUM_ONLY = ['blockblobstorage', 'filestorage'];
const kindOf = ({ spec }: AzureSubject) => wordAt(spec, 'kind');
const isOn = ({ spec }: AzureSubject, path: string) => valueAtPath(spec, path) === true;

export const STORAGE_RULES: readonly AzureRule[] = [
  rule('storage-premium-kind', ACCOUNT, 'Accounts of kind BlockBlobStorage and FileStorage are Premium, those of kind BlobStorage are not.', OVERVIEW, ({ spec }) => {
    const [kind, sku] = [wordAt(spec, 'kind'), wordAt(spec, 'sku.name')];
    if (kind === undefined || sku === undefined) return [];
    const isPremium = sku.startsWith('premium');
    // Provisioned file shares have SKUs such as StandardV2_LRS.
    if (PREMIUM_ONLY.includes(kind) && !isPremium && !sku.includes('v2_')) {
      return [{ field: 'sku.name', message: `is ${String(valueAtPath(spec, 'sku.name'))}, but kind ${String(valueAtPath(spec, 'kind'))} is Premium only`, fix: 'write Premium_LRS or Premium_ZRS, or kind: StorageV2' }];
    }
    return kind === 'blobstorage' && isPremium
      ? [{ field: 'sku.name', message: 'is Premium, which kind BlobStorage does not have', fix: 'write kind: BlockBlobStorage' }] : [];
  }),
  rule('storage-access-tier', ACCOUNT, 'An access tier is for kinds StorageV2 and BlobStorage (and Premium for Premium accounts).', TIERS,
    onlyIf(['accessTier'], (subject) => {
      const kind = kindOf(subject);
      if (kind === undefined) return undefined;
      return ['storagev2', 'blobstorage', 'filestorage'].includes(kind) || wordAt(subject.spec, 'accessTier') === 'premium';
    }, 'does not exist for this kind of account', 'remove it'), ({ spec }) =>
      (wordAt(spec, 'accessTier') === 'premium' && (wordAt(spec, 'sku.name') ?? '').startsWith('standard')
        ? violation('accessTier', `is Premium, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, 'write Hot, Cool or Cold') : [])),
  rule('storage-blob-tier', ACCOUNT, 'An account of kind BlobStorage has an access tier.', TIERS, ({ spec }) =>
    (wordAt(spec, 'kind') === 'blobstorage' && valueAtPath(spec, 'accessTier') === undefined ? violation('accessTier', 'is missing, but kind is BlobStorage', 'write Hot or Cool') : [])),
  rule('storage-old-kind', ACCOUNT, 'Accounts of kind Storage and BlobStorage have no zone redundancy.', OVERVIEW, ({ spec }) =>
    (['storage', 'blobstorage'].includes(wordAt(spec, 'kind') ?? '') && /zrs$/.test(wordAt(spec, 'sku.name') ?? '')
      ? violation('sku.name', `is ${String(valueAtPath(spec, 'sku.name'))}, which kind ${String(valueAtPath(spec, 'kind'))} does not have`, 'write kind: StorageV2') : [])),
  rule('storage-hierarchical', ACCOUNT, 'A hierarchical namespace is for kinds StorageV2, BlockBlobStorage and BlobStorage.', [`${LEARN}/storage/blobs/data-lake-storage-namespace`, 'InvalidRequestPropertyValue'],
    onlyIf(['isHnsEnabled'], (subject) => { const kind = kindOf(subject); return kind === undefined ? undefined : !['filestorage', 'storage'].includes(kind); }, 'does not exist for this kind of account', 'remove it')),
  rule('storage-bypass', ACCOUNT, '`bypass` is None, or some of AzureServices, Logging and Metrics.', FIREWALL, eachText('networkAcls.bypass', (value) => {
    const words = value.split(',').map((word) => word.trim().toLowerCase());
    return words.every((word) => ['none', 'azureservices', 'logging', 'metrics'].includes(word)) ? undefined : [`is '${value}'`, 'write None, or AzureServices, Logging, Metrics'];
  })),
  rule('storage-sas-period', ACCOUNT, 'The longest time of a shared access signature is `days.hours:minutes:seconds`.', [`${LEARN}/storage/common/sas-expiration-policy`, 'InvalidValuesForRequestParameters'],
    fits('sasPolicy.sasExpirationPeriod', /^\d+\.\d{2}:\d{2}:\d{2}$/, 'no period', 'write it like 1.12:00:00')),
  rule('storage-customer-key', ACCOUNT, 'Keys of your own need the properties of the key.', [`${LEARN}/storage/common/customer-managed-keys-overview`, 'InvalidValuesForRequestParameters'],
    neededIf('encryption.keyvaultproperties', (spec) => wordAt(spec, 'encryption.keySource') === 'microsoft.keyvault', 'is missing, but encryption.keySource is Microsoft.Keyvault', 'name the key and its vault')),
  rule('storage-nfs', ACCOUNT, 'NFS 3.0 and SFTP need a hierarchical namespace.', NFS,
    onlyIf(['isNfsV3Enabled', 'isSftpEnabled'], (subject) => isOn(subject, 'isHnsEnabled'), 'needs isHnsEnabled: true', 'set isHnsEnabled, which holds from creation on')),
  rule('storage-ip-rules', ACCOUNT, 'Rules of the firewall are public IPv4 addresses, or ranges larger than /31.', FIREWALL,
    eachText('networkAcls.ipRules[].value', (value) => {
      const cidr = parseCidr(value);
      const address = cidr ? undefined : parseAddress(value);
      if (!cidr && address?.bits !== 32) return [`'${value}' is no IPv4 address or range`, 'write it like 20.50.0.0/16 or 20.50.1.2'];
      if (cidr && cidr.prefix > 30) return [`'${value}' is a range of ${cidr.prefix === 31 ? 'two' : 'one'}`, 'write the addresses one by one, without a prefix'];
      return isPrivate(cidr?.first ?? address!.value) ? [`'${value}' is private`, 'allow the subnet by a rule for its virtual network'] : undefined;
    })),
  rule('storage-ip-rule-count', ACCOUNT, 'An account has 400 rules for addresses at most.', FIREWALL, atMost('networkAcls.ipRules', 400, 'rules')),
  rule('storage-blob-soft-delete', BLOBS, 'Deleted blobs are kept for 1 to 365 days.', SOFT_DELETE, between('deleteRetentionPolicy.days', 1, 365, 'days')),
  rule('storage-container-soft-delete', BLOBS, 'Deleted containers are kept for 1 to 365 days.', CONTAINERS,
    between('containerDeleteRetentionPolicy.days', 1, 365, 'days')),
  rule('storage-restore', BLOBS, 'Point-in-time restore needs versioning, change feed and soft delete for more days.', RESTORE, (subject) => {
    const { spec } = subject;
    if (!isOn(subject, 'restorePolicy.enabled')) return [];
    const missing = ['isVersioningEnabled', 'changeFeed.enabled', 'deleteRetentionPolicy.enabled'].filter((path) => !isOn(subject, path));
    const [days, kept] = [valueAtPath(spec, 'restorePolicy.days'), valueAtPath(spec, 'deleteRetentionPolicy.days')];
    return [
      ...missing.map((path) => ({ field: 'restorePolicy.enabled', message: `needs ${path}`, fix: `set ${path}: true` })),
      ...(typeof days === 'number' && typeof kept === 'number' && days >= kept
        ? [{ field: 'restorePolicy.days', message: `is ${days}, deleteRetentionPolicy.days is ${kept}`, fix: 'keep deleted blobs for more days' }] : []),
    ];
  }),
  rule('storage-change-feed', BLOBS, 'The change feed is kept for 1 to 146000 days.', CHANGES, between('changeFeed.retentionInDays', 1, 146_000, 'days')),
  rule('storage-cors', [BLOBS, FILES], 'A service has five CORS rules at most.', CORS, atMost('cors.corsRules', 5, 'rules')),
  rule('storage-share-soft-delete', FILES, 'Deleted shares are kept for 1 to 365 days.', SHARE_DELETE, between('shareDeleteRetentionPolicy.days', 1, 365, 'days')),
];

/** RFC 1918. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((range) => parseCidr(range)!);

function isPrivate(address: bigint): boolean {
  return PRIVATE.some(({ first, last }) => first <= address && address <= last);
}
