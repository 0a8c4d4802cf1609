import { atMost, between } from './finders';
import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const ACCOUNT = 'storage.azure.com/StorageAccount';
const BLOBS = 'storage.azure.com/StorageAccountsBlobService';
const CONTAINER = 'storage.azure.com/StorageAccountsBlobServicesContainer';
const SHARE = 'storage.azure.com/StorageAccountsFileServicesShare';
const QUEUE = 'storage.azure.com/StorageAccountsQueueServicesQueue';
const TABLE = 'storage.azure.com/StorageAccountsTableServicesTable';
const LIFECYCLE = 'storage.azure.com/StorageAccountsManagementPolicy';
const POLICY = [`${LEARN}/storage/blobs/lifecycle-management-policy-structure`, 'InvalidRequestPropertyValue'] as const;
const ACCESS_TIME = [`${LEARN}/storage/blobs/lifecycle-management-policy-access-time-based`, 'InvalidRequestPropertyValue'] as const;
const KINDS = [`${LEARN}/storage/common/storage-account-overview`, 'FeatureNotSupportedForAccount'] as const;
const SHARES = [`${LEARN}/storage/files/storage-files-scale-targets`, 'InvalidHeaderValue'] as const;

/** Kinds of accounts that lack the service of a child. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  [CONTAINER]: ['filestorage'],
  [SHARE]: ['blobstorage', 'blockblobstorage'],
  [QUEUE]: ['blobstorage', 'blockblobstorage', 'filestorage'],
  [TABLE]: ['blobstorage', 'blockblobstorage', 'filestorage'],
  [LIFECYCLE]: ['filestorage', 'storage'],
};

function accountOf({ owner }: AzureSubject): AzureSubject | undefined {
  const account = owner?.kind === ACCOUNT ? owner : owner?.owner;
  return account?.kind === ACCOUNT ? account : undefined;
}

/** Each definition of a lifecycle rule, with its path. */
const definitions = (spec: AzureSubject['spec']) =>
  valuesAt(spec, 'policy.rules[].definition').flatMap(({ field, value }) => (isRecord(value) ? [{ field, value }] : []));
const usesAccessTime = (definition: AzureSubject['spec']) =>
  ['delete', 'tierToArchive', 'tierToCold', 'tierToCool'].map((action) => `actions.baseBlob.${action}.daysAfterLastAccessTimeGreaterThan`)
    .find((path) => valueAtPath(definition, path) !== undefined);

export const STORAGE_FEATURE_RULES: readonly AzureRule[] = [
  rule('storage-service', [CONTAINER, SHARE, QUEUE, TABLE, LIFECYCLE], 'An account has the services of its kind.', KINDS, (subject) => {
    const account = accountOf(subject);
    const kind = account && wordAt(account.spec, 'kind');
    return kind !== undefined && WITHOUT[subject.kind]!.includes(kind)
      ? violation('owner', `is in an account of kind ${String(valueAtPath(account!.spec, 'kind'))}, which does not have this service`, 'use an account of kind StorageV2') : [];
  }),
  rule('storage-large-share', SHARE, 'A share has 100 TiB at most in an account that is not of kind FileStorage.', SHARES, (subject) => {
    const account = accountOf(subject);
    const kind = account && wordAt(account.spec, 'kind');
    return kind === undefined || kind === 'filestorage' ? [] : between('shareQuota', 1, 102_400, 'GiB')(subject);
  }),
  rule('storage-lifecycle-auto-tier', LIFECYCLE, 'Moving blobs back to Hot on access needs tierToCool by the last access.', ACCESS_TIME, ({ spec }) =>
    definitions(spec).flatMap(({ field, value }) => (valueAtPath(value, 'actions.baseBlob.enableAutoTierToHotFromCool') === true
      && valueAtPath(value, 'actions.baseBlob.tierToCool.daysAfterLastAccessTimeGreaterThan') === undefined
      ? violation(`${field}.actions.baseBlob.enableAutoTierToHotFromCool`, 'is true, but tierToCool has no daysAfterLastAccessTimeGreaterThan', 'give it, or remove this member') : []))),
  rule('storage-lifecycle-access-time', LIFECYCLE, 'Rules by the last access need tracking of the last access.', ACCESS_TIME, (subject) => {
    const services = subject.beside(BLOBS);
    if (services.length === 0 || !services.every((one) => valueAtPath(one.spec, 'lastAccessTimeTrackingPolicy.enable') === false)) return [];
    return definitions(subject.spec).flatMap(({ field, value }) => {
      const path = usesAccessTime(value);
      return path === undefined ? [] : violation(`${field}.${path}`, 'is given, but the blob service has lastAccessTimeTrackingPolicy.enable: false', 'enable tracking');
    });
  }),
  rule('storage-lifecycle-filters', LIFECYCLE, 'A rule has up to 10 prefixes and 10 conditions on tags.', POLICY, ({ spec }) =>
    ['prefixMatch', 'blobIndexMatch'].flatMap((list) => valuesAt(spec, `policy.rules[].definition.filters.${list}`)).flatMap(({ field, value }) =>
      (Array.isArray(value) && value.length > 10 ? violation(field, `has ${value.length} items`, 'give 10 at most, and write another rule for the rest') : []))),
  rule('storage-tag-name', ACCOUNT, 'The name of a tag of a storage account has 128 characters at most.',
    [`${LEARN}/azure-resource-manager/management/tag-resources#limitations`, 'InvalidTagNameLength'], ({ spec }) =>
      Object.keys(valueAtPath(spec, 'tags') ?? {}).filter((name) => name.length > 128)
        .flatMap((name) => violation('tags', `'${name.slice(0, 20)}…' has ${name.length} characters`, 'write 128 at most'))),
  rule('storage-network-rules', ACCOUNT, 'An account has 400 rules for networks at most.', [`${LEARN}/storage/common/storage-network-security`, 'InvalidValuesForRequestParameters'],
    atMost('networkAcls.virtualNetworkRules', 400, 'rules')),
  rule('storage-directory', ACCOUNT, 'Active Directory has its properties.', [`${LEARN}/storage/files/storage-files-identity-ad-ds-enable`, 'InvalidValuesForRequestParameters'], ({ spec }) =>
    (wordAt(spec, 'azureFilesIdentityBasedAuthentication.directoryServiceOptions') === 'ad'
      && valueAtPath(spec, 'azureFilesIdentityBasedAuthentication.activeDirectoryProperties') === undefined
      ? violation('azureFilesIdentityBasedAuthentication.activeDirectoryProperties', 'is missing, but directoryServiceOptions is AD', 'give the domain') : [])),
  advice('storage-sftp-users', ACCOUNT, 'SFTP has local users.', `${LEARN}/storage/blobs/secure-file-transfer-protocol-support`, ({ spec }) =>
    (valueAtPath(spec, 'isSftpEnabled') === true && valueAtPath(spec, 'isLocalUserEnabled') === false
      ? violation('isLocalUserEnabled', 'is false, but isSftpEnabled is true: its users are local ones', 'write true') : [])),
  rule('storage-immutability', ACCOUNT, 'Versions are immutable for 1 to 146000 days.', [`${LEARN}/storage/blobs/immutable-policy-configure-version-scope`, 'InvalidValuesForRequestParameters'],
    between('immutableStorageWithVersioning.immutabilityPolicy.immutabilityPeriodSinceCreationInDays', 1, 146_000, 'days')),
];
