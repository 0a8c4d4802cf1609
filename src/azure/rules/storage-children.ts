import { between, eachText, onlyIf, unique } from './finders';
import { LEARN, rule, unwise, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const ACCOUNT = 'storage.azure.com/StorageAccount';
const BLOBS = 'storage.azure.com/StorageAccountsBlobService';
const CONTAINER = 'storage.azure.com/StorageAccountsBlobServicesContainer';
const SHARE = 'storage.azure.com/StorageAccountsFileServicesShare';
const LIFECYCLE = 'storage.azure.com/StorageAccountsManagementPolicy';
const SHARES = [`${LEARN}/storage/files/storage-files-scale-targets`, 'InvalidHeaderValue'] as const;
const HIERARCHY = [`${LEARN}/storage/blobs/storage-feature-support-in-storage-accounts`, 'FeatureNotSupportedForAccount'] as const;
const PUBLIC = [`${LEARN}/storage/blobs/anonymous-read-access-prevent`, 'PublicAccessNotPermitted'] as const;
const POLICY = [`${LEARN}/storage/blobs/lifecycle-management-overview`, 'InvalidRequestPropertyValue'] as const;

/** The account that a container or a share lies in, where it is known. */
const accountOf = ({ owner }: AzureSubject): AzureSubject | undefined => {
  const account = owner?.kind === ACCOUNT ? owner : owner?.owner;
  return account?.kind === ACCOUNT ? account : undefined;
};
const isFlat = (subject: AzureSubject) => {
  const account = accountOf(subject);
  return account && valueAtPath(account.spec, 'isHnsEnabled') !== true;
};
/** Whether the account holds Premium file shares. Provisioned shares of SKUs such as StandardV2_LRS have no such tiers. */
const isPremiumShare = (subject: AzureSubject) => {
  const account = accountOf(subject);
  if (!account || wordAt(account.spec, 'sku.name')?.includes('v2_')) return undefined;
  return wordAt(account.spec, 'kind') === 'filestorage';
};
const DAYS = ['modification', 'creation', 'lastAccessTime', 'lastTierChange'].map((word) => `daysAfter${word[0]!.toUpperCase()}${word.slice(1)}GreaterThan`);
const ACTIONS = ['baseBlob', 'snapshot', 'version'].flatMap((of) => ['delete', 'tierToArchive', 'tierToCold', 'tierToCool', 'tierToHot'].map((action) => `${of}.${action}`));

export const STORAGE_CHILDREN_RULES: readonly AzureRule[] = [
  rule('storage-flat-versions', BLOBS, 'A hierarchical namespace has neither versions of blobs nor point-in-time restore.', HIERARCHY,
    // Azure previews versions there.
    unwise(onlyIf(['isVersioningEnabled'], isFlat, 'does not exist in an account with isHnsEnabled', 'remove it')),
    onlyIf(['restorePolicy.enabled'], isFlat, 'does not exist in an account with isHnsEnabled', 'remove it')),
  rule('storage-container-public', CONTAINER, 'A container is public only where the account allows it.', PUBLIC, (subject) =>
    (['blob', 'container'].includes(wordAt(subject.spec, 'publicAccess') ?? '')
      ? onlyIf(['publicAccess'], (one) => { const account = accountOf(one); return account && valueAtPath(account.spec, 'allowBlobPublicAccess') !== false; },
        'is not allowed: the account has allowBlobPublicAccess: false', 'write None, or allow it in the account')(subject) : [])),
  rule('storage-share-quota', SHARE, 'A share has 1 GiB to 256 TiB.', SHARES, between('shareQuota', 1, 262_144, 'GiB')),
  rule('storage-share-nfs', SHARE, '`rootSquash` is for NFS shares.', SHARES,
    onlyIf(['rootSquash'], ({ spec }) => wordAt(spec, 'enabledProtocols') === 'nfs', 'needs enabledProtocols: NFS', 'remove it')),
  rule('storage-share-account', SHARE, 'NFS and tier Premium are for accounts of kind FileStorage, the other tiers for the other kinds.', SHARES, (subject) => {
    const premium = isPremiumShare(subject);
    const tier = wordAt(subject.spec, 'accessTier');
    if (premium === undefined) return [];
    if (!premium && wordAt(subject.spec, 'enabledProtocols') === 'nfs') return violation('enabledProtocols', 'is NFS, but the account is not of kind FileStorage', 'write SMB, or use kind FileStorage');
    return tier !== undefined && premium !== (tier === 'premium')
      ? violation('accessTier', `is ${String(valueAtPath(subject.spec, 'accessTier'))}, which the kind of the account does not have`, `write ${premium ? 'Premium' : 'TransactionOptimized, Hot or Cool'}`) : [];
  }),
  rule('storage-premium-share', SHARE, 'A Premium share has 100 GiB at least.', SHARES, (subject) => {
    const account = accountOf(subject);
    return account && (wordAt(account.spec, 'sku.name') ?? '').startsWith('premium_') && isPremiumShare(subject) ? between('shareQuota', 100, 102_400, 'GiB')(subject) : [];
  }),
  rule('storage-lifecycle-name', LIFECYCLE, 'A policy has up to 100 rules, each with its own name.', POLICY, unique('policy.rules[].name', 'name'), ({ spec }) => {
    const count = valuesAt(spec, 'policy.rules[]').length;
    return count > 100 ? violation('policy.rules', `has ${count} rules`, 'give 100 at most') : [];
  }),
  rule('storage-lifecycle-days', LIFECYCLE, 'Days are 0 at least.', POLICY,
    ...ACTIONS.flatMap((action) => DAYS.map((days) => between(`policy.rules[].definition.actions.${action}.${days}`, 0, 99_999, 'days')))),
  rule('storage-lifecycle-types', LIFECYCLE, 'A rule is about blockBlob or appendBlob; append blobs can be deleted only.', POLICY,
    eachText('policy.rules[].definition.filters.blobTypes[]', (value) => (/^(block|append)Blob$/i.test(value) ? undefined : [`is '${value}'`, 'write blockBlob or appendBlob'])),
    ({ spec }) => valuesAt(spec, 'policy.rules[].definition').flatMap(({ field, value }) => {
      if (!isRecord(value) || !valuesAt(value, 'filters.blobTypes[]').some((at) => String(at.value).toLowerCase() === 'appendblob')) return [];
      const tier = ACTIONS.find((action) => action.includes('tierTo') && valueAtPath(value, `actions.${action}`) !== undefined);
      return tier === undefined ? [] : violation(`${field}.actions.${tier}`, 'is not for append blobs', 'write a rule for blockBlob alone');
    })),
  rule('storage-lifecycle-action', LIFECYCLE, 'A rule has an action.', POLICY, ({ spec }) => valuesAt(spec, 'policy.rules[].definition.actions').flatMap(({ field, value }) =>
    (isRecord(value) && ['baseBlob', 'snapshot', 'version'].every((of) => value[of] === undefined) ? violation(field, 'is empty', 'give baseBlob, snapshot or version') : []))),
];
