import { flag, integer, LIFECYCLE, list, map, SETTINGS, SHORT, TAGS, text, TEXTS } from './common-fields';
import { DESCRIPTIONS } from './descriptions';
import { choice, struct, type Field, type FieldsOf } from './field';
import type {
  BlobServiceOptions, ContainerRequest, Correlation, CredentialServiceAccount, DatabaseRequest, DnsRecordRequest, DomainRequest,
  FileServiceOptions, FileShareRequest, PrivateDnsRecordRequest, QueueRequest, QueueSettings, RouteOriginRequest, RuleRequest,
  ServiceAccountName, ServiceIdentityRequest, ServiceProps, ServiceRouteRequest, SharedChildRequest, SharedResourceRequest,
  StorageAccountRequest, SubscriptionRequest, SubscriptionSettings, TopicRequest, TopicSettings,
} from '../../platform';
import { DnsRecordType, StorageSubResource } from '../../platform';
import type { DeleteRetentionPolicy } from '../../services/storage/shared';
import { StorageAccountAccessTier } from '../../services/storage/storage-account';
import type { ChangeFeed, RestorePolicyProperties } from '../../services/storage/storage-accounts-blob-service';
import { StorageAccountsFileServicesShareAccessTier } from '../../services/storage/storage-accounts-file-services-share';

/** The spec of a `Service`: the props of the construct that are a team's, as data. */
export type ServiceSpec =
  & Omit<ServiceProps, 'team' | 'name' | 'cluster' | 'identity'>
  & { readonly identity?: Omit<ServiceIdentityRequest, 'delivery'> };

const QUEUE_SETTINGS = {
  autoDeleteOnIdle: SHORT,
  deadLetteringOnMessageExpiration: flag(),
  defaultMessageTimeToLive: SHORT,
  duplicateDetectionHistoryTimeWindow: SHORT,
  enableBatchedOperations: flag(),
  enableExpress: flag(),
  enablePartitioning: flag(),
  forwardDeadLetteredMessagesTo: text(),
  forwardTo: text(),
  lockDuration: SHORT,
  maxDeliveryCount: integer(),
  maxMessageSizeInKilobytes: integer(),
  maxSizeInMegabytes: integer(),
  requiresDuplicateDetection: flag(),
  requiresSession: flag(),
} satisfies FieldsOf<QueueSettings>;

const TOPIC_SETTINGS = {
  autoDeleteOnIdle: SHORT,
  defaultMessageTimeToLive: SHORT,
  duplicateDetectionHistoryTimeWindow: SHORT,
  enableBatchedOperations: flag(),
  enableExpress: flag(),
  enablePartitioning: flag(),
  maxMessageSizeInKilobytes: integer(),
  maxSizeInMegabytes: integer(),
  requiresDuplicateDetection: flag(),
  supportOrdering: flag(),
} satisfies FieldsOf<TopicSettings>;

const SUBSCRIPTION_SETTINGS = {
  autoDeleteOnIdle: SHORT,
  deadLetteringOnFilterEvaluationExceptions: flag(),
  deadLetteringOnMessageExpiration: flag(),
  defaultMessageTimeToLive: SHORT,
  duplicateDetectionHistoryTimeWindow: SHORT,
  enableBatchedOperations: flag(),
  forwardDeadLetteredMessagesTo: text(),
  forwardTo: text(),
  isClientAffine: flag(),
  lockDuration: SHORT,
  maxDeliveryCount: integer(),
  requiresSession: flag(),
} satisfies FieldsOf<SubscriptionSettings>;

const CORRELATION = {
  contentType: SHORT,
  correlationId: SHORT,
  label: SHORT,
  messageId: SHORT,
  replyTo: SHORT,
  replyToSessionId: SHORT,
  sessionId: SHORT,
  to: SHORT,
  properties: map(),
  requiresPreprocessing: flag(),
} satisfies FieldsOf<Correlation>;

const RULE = {
  name: SHORT,
  sqlExpression: text(),
  correlation: struct(CORRELATION, DESCRIPTIONS.Correlation!),
} satisfies FieldsOf<RuleRequest>;

const SUBSCRIPTION = {
  ...LIFECYCLE,
  name: SHORT,
  settings: struct(SUBSCRIPTION_SETTINGS, DESCRIPTIONS.SubscriptionSettings!),
  rules: list(struct(RULE, DESCRIPTIONS.RuleRequest!, ['name'])),
} satisfies FieldsOf<SubscriptionRequest>;

const QUEUE = {
  ...LIFECYCLE,
  name: SHORT,
  on: SHORT,
  owned: flag(),
  roles: TEXTS,
  settings: struct(QUEUE_SETTINGS, DESCRIPTIONS.QueueSettings!),
} satisfies FieldsOf<QueueRequest>;

const TOPIC = {
  ...LIFECYCLE,
  name: SHORT,
  on: SHORT,
  owned: flag(),
  roles: TEXTS,
  settings: struct(TOPIC_SETTINGS, DESCRIPTIONS.TopicSettings!),
  subscriptions: list(struct(SUBSCRIPTION, DESCRIPTIONS.SubscriptionRequest!, ['name'])),
} satisfies FieldsOf<TopicRequest>;

const RETENTION = struct(
  { allowPermanentDelete: flag(), days: integer(), enabled: flag() } satisfies FieldsOf<DeleteRetentionPolicy>,
  DESCRIPTIONS.DeleteRetentionPolicy!,
);

const BLOB_SERVICE = {
  changeFeed: struct({ enabled: flag(), retentionInDays: integer() } satisfies FieldsOf<ChangeFeed>, DESCRIPTIONS.ChangeFeed!),
  containerDeleteRetentionPolicy: RETENTION,
  deleteRetentionPolicy: RETENTION,
  restorePolicy: struct(
    { days: integer(), enabled: flag() } satisfies FieldsOf<RestorePolicyProperties>, DESCRIPTIONS.RestorePolicyProperties!,
  ),
  isVersioningEnabled: flag(),
} satisfies FieldsOf<BlobServiceOptions>;

const FILE_SHARE = {
  name: SHORT,
  accessTier: choice(StorageAccountsFileServicesShareAccessTier),
  shareQuota: integer(),
} satisfies FieldsOf<FileShareRequest>;

const STORAGE_ACCOUNT = {
  ...LIFECYCLE,
  name: SHORT,
  owned: flag(),
  roles: TEXTS,
  location: SHORT,
  sku: SHORT,
  resourceGroup: SHORT,
  accessTier: choice(StorageAccountAccessTier),
  allowSharedKeyAccess: flag(),
  allowCrossTenantReplication: flag(),
  defaultToOAuthAuthentication: flag(),
  hierarchicalNamespace: flag(),
  allowedIpRanges: TEXTS,
  privateAccess: flag(),
  privateEndpoints: list(choice(StorageSubResource)),
  containers: list(struct({ name: SHORT } satisfies FieldsOf<ContainerRequest>, DESCRIPTIONS.ContainerRequest!, ['name'])),
  tables: TEXTS,
  fileShares: list(struct(FILE_SHARE, DESCRIPTIONS.FileShareRequest!, ['name'])),
  blobService: struct(BLOB_SERVICE, DESCRIPTIONS.BlobServiceOptions!),
  fileService: struct({ shareDeleteRetentionPolicy: RETENTION } satisfies FieldsOf<FileServiceOptions>, DESCRIPTIONS.FileServiceOptions!),
  tags: TAGS,
} satisfies FieldsOf<StorageAccountRequest>;

const CHILD = { ...LIFECYCLE, name: SHORT, kind: SHORT, settings: SETTINGS } satisfies FieldsOf<SharedChildRequest>;

const RESOURCE = {
  ...LIFECYCLE,
  on: SHORT,
  name: SHORT,
  kind: SHORT,
  owned: flag(),
  roles: TEXTS,
  settings: SETTINGS,
  children: list(struct(CHILD, DESCRIPTIONS.SharedChildRequest!, ['name'])),
} satisfies FieldsOf<SharedResourceRequest>;

const DATABASE = {
  ...LIFECYCLE, name: SHORT, on: SHORT, charset: SHORT, collation: SHORT, roles: TEXTS,
} satisfies FieldsOf<DatabaseRequest>;

const RECORD = {
  storageAccount: SHORT,
  location: SHORT,
  addresses: map(SHORT),
  ttl: integer(),
} satisfies FieldsOf<PrivateDnsRecordRequest>;

const DOMAIN = {
  ...LIFECYCLE,
  hostName: SHORT,
  on: SHORT,
  owned: flag(),
  certificate: SHORT,
  validationToken: SHORT,
  dnsRecords: flag(),
} satisfies FieldsOf<DomainRequest>;

const ORIGIN = { hostName: SHORT, hostHeader: SHORT, httpsPort: integer(), probePath: text() } satisfies FieldsOf<RouteOriginRequest>;

const ROUTE = {
  ...LIFECYCLE,
  name: SHORT,
  on: SHORT,
  domains: TEXTS,
  defaultDomain: flag(),
  origin: struct(ORIGIN, DESCRIPTIONS.RouteOriginRequest!, ['hostName']),
  patterns: TEXTS,
  originPath: text(),
  httpsRedirect: flag(),
  caching: flag(),
} satisfies FieldsOf<ServiceRouteRequest>;

const DNS_RECORD = {
  name: SHORT, type: choice(DnsRecordType), values: list(text(4096)), ttl: integer(),
} satisfies FieldsOf<DnsRecordRequest>;

const ACCOUNT = { namespace: SHORT, name: SHORT } satisfies FieldsOf<ServiceAccountName>;

const IDENTITY = {
  existing: flag(),
  location: SHORT,
  federatedServiceAccounts: list(struct(ACCOUNT, DESCRIPTIONS.ServiceAccountName!, ['namespace', 'name']), 20),
  serviceAccounts: list(
    struct({ name: SHORT, labels: map(text(63)) } satisfies FieldsOf<CredentialServiceAccount>, DESCRIPTIONS.CredentialServiceAccount!, ['name']),
  ),
} satisfies FieldsOf<NonNullable<ServiceSpec['identity']>>;

/** The spec of a `Service`. */
export function serviceFields(): Field {
  return struct({
    identity: struct(IDENTITY, DESCRIPTIONS.ServiceIdentityRequest!),
    queues: list(struct(QUEUE, DESCRIPTIONS.QueueRequest!, ['name'])),
    topics: list(struct(TOPIC, DESCRIPTIONS.TopicRequest!, ['name'])),
    database: struct(DATABASE, DESCRIPTIONS.DatabaseRequest!, ['name', 'charset', 'collation']),
    resources: list(struct(RESOURCE, DESCRIPTIONS.SharedResourceRequest!, ['on'])),
    storageAccounts: list(struct(STORAGE_ACCOUNT, DESCRIPTIONS.StorageAccountRequest!, ['name'])),
    keyVaultSecrets: TEXTS,
    privateDnsRecords: list(struct(RECORD, DESCRIPTIONS.PrivateDnsRecordRequest!, ['storageAccount', 'addresses'])),
    domains: list(struct(DOMAIN, DESCRIPTIONS.DomainRequest!, ['hostName'])),
    routes: list(struct(ROUTE, DESCRIPTIONS.ServiceRouteRequest!, ['name', 'origin'])),
    dnsRecords: list(struct(DNS_RECORD, DESCRIPTIONS.DnsRecordRequest!, ['name', 'type', 'values'])),
    annotations: map(),
    tags: TAGS,
  } satisfies FieldsOf<ServiceSpec>, DESCRIPTIONS.ServiceProps!);
}
