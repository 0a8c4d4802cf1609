import { between, durationBetween, lengthBetween, numberOf, onlyIf } from './finders';
import { advice, LEARN, rule, unwise, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';

const NAMESPACE = 'servicebus.azure.com/Namespace';
const QUEUE = 'servicebus.azure.com/NamespacesQueue';
const TOPIC = 'servicebus.azure.com/NamespacesTopic';
const FILTER = 'servicebus.azure.com/NamespacesTopicsSubscriptionsRule';
const SUBSCRIPTION = 'servicebus.azure.com/NamespacesTopicsSubscription';
const QUOTAS = [`${LEARN}/service-bus-messaging/service-bus-quotas`, 'BadRequest'] as const;
const TIERS = [`${LEARN}/service-bus-messaging/service-bus-premium-messaging`, 'BadRequest'] as const;
const DUPLICATES = [`${LEARN}/service-bus-messaging/duplicate-detection`, 'BadRequest'] as const;
const LOCKS = [`${LEARN}/service-bus-messaging/message-transfers-locks-settlement`, 'BadRequest'] as const;
const EXPIRATION = [`${LEARN}/service-bus-messaging/message-expiration`, 'BadRequest'] as const;
const LARGE = [`${LEARN}/service-bus-messaging/service-bus-premium-messaging#large-messages-support`, 'BadRequest'] as const;

/** The tier of the namespace that a queue or topic is in; undefined if it is not known. */
const tierOf = ({ owner }: AzureSubject) => owner && wordAt(owner.spec, 'sku.name');
const tierIs = (...tiers: readonly string[]) => (subject: AzureSubject) => {
  const tier = tierOf(subject);
  return tier === undefined ? undefined : tiers.includes(tier);
};
const isPremiumNamespace = ({ spec }: AzureSubject) => {
  const name = wordAt(spec, 'sku.name');
  return name === undefined ? undefined : name === 'premium';
};

export const SERVICE_BUS_RULES: readonly AzureRule[] = [
  rule('service-bus-basic-topic', TOPIC, 'A namespace of tier Basic has queues only.', TIERS,
    onlyIf(['owner'], (subject) => { const is = tierIs('basic')(subject); return is === undefined ? undefined : !is; },
      'is a namespace of tier Basic, which has no topics', 'use tier Standard or Premium for the namespace')),
  rule('service-bus-capacity', NAMESPACE, 'A Premium namespace has 1, 2, 4, 8 or 16 messaging units, or as many for each partition.', TIERS, (subject) => {
    const partitions = Number(valueAtPath(subject.spec, 'premiumMessagingPartitions') ?? 1) || 1;
    const units = [1, 2, 4, 8, 16];
    return isPremiumNamespace(subject) ? numberOf('sku.capacity', [...new Set([...units, ...units.map((unit) => unit * partitions)])])(subject) : [];
  }),
  rule('service-bus-partitions', NAMESPACE, '`premiumMessagingPartitions` is 1, 2 or 4, in tier Premium.', TIERS, (subject) => [
    ...(isPremiumNamespace(subject) ? numberOf('premiumMessagingPartitions', [0, 1, 2, 4])(subject) : []),
    ...(Number(valueAtPath(subject.spec, 'premiumMessagingPartitions') ?? 0) > 0
      ? onlyIf(['premiumMessagingPartitions'], isPremiumNamespace, 'needs tier Premium', 'remove it, or use tier Premium')(subject) : []),
  ]),
  rule('service-bus-size', [QUEUE, TOPIC], 'A queue or topic has 1 to 5 GiB, or up to 80 GiB in tier Premium.', QUOTAS, (subject) =>
    // Azure answers sixteen times the size of a partitioned queue.
    tierIs('basic', 'standard')(subject) && valueAtPath(subject.spec, 'enablePartitioning') !== true
      ? numberOf('maxSizeInMegabytes', [1024, 2048, 3072, 4096, 5120])(subject)
      : between('maxSizeInMegabytes', 1024, 81_920, 'MiB')(subject)),
  rule('service-bus-message-size', [QUEUE, TOPIC], '`maxMessageSizeInKilobytes` is 1024 to 102400 in tier Premium.', LARGE,
    // The other tiers take no notice of it; they answer 256.
    (subject) => (tierIs('premium')(subject) === true ? between('maxMessageSizeInKilobytes', 1024, 102_400, 'KiB')(subject) : [])),
  rule('service-bus-lock', [QUEUE, SUBSCRIPTION], 'A lock lasts 5 minutes at most.', LOCKS, durationBetween('lockDuration', 'PT0S', 'PT5M')),
  rule('service-bus-duplicate-window', [QUEUE, TOPIC], 'The window for duplicates is 20 seconds to 7 days.', DUPLICATES,
    durationBetween('duplicateDetectionHistoryTimeWindow', 'PT20S', 'P7D')),
  rule('service-bus-idle', [QUEUE, TOPIC, SUBSCRIPTION], '`autoDeleteOnIdle` is 5 minutes at least.', EXPIRATION,
    durationBetween('autoDeleteOnIdle', 'PT5M', 'P10675199DT2H48M5.4775807S')),
  rule('service-bus-time-to-live', [QUEUE, TOPIC, SUBSCRIPTION], 'The time to live is an ISO 8601 duration of a second at least.', EXPIRATION,
    durationBetween('defaultMessageTimeToLive', 'PT1S', 'P10675199DT2H48M5.4775807S')),
  rule('service-bus-basic-queue', QUEUE, 'Sessions, duplicate detection and forwarding need tier Standard or Premium.', TIERS,
    onlyIf(['requiresSession', 'requiresDuplicateDetection', 'forwardTo', 'forwardDeadLetteredMessagesTo'],
      tierIs('standard', 'premium'), 'needs a namespace of tier Standard or Premium', 'remove it, or use another tier')),
  rule('service-bus-express', [QUEUE, TOPIC], 'Express entities exist in tier Standard only.', TIERS,
    onlyIf(['enableExpress'], tierIs('basic', 'standard'), 'does not exist in tier Premium', 'remove it')),
  advice('service-bus-tier', NAMESPACE, 'Name and tier of a SKU are the same.', TIERS[0], ({ spec }) => {
    const [name, tier] = [wordAt(spec, 'sku.name'), wordAt(spec, 'sku.tier')];
    return name !== undefined && tier !== undefined && name !== tier ? violation('sku.tier', `is ${String(valueAtPath(spec, 'sku.tier'))}, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, 'write the same word') : [];
  }),
  rule('service-bus-encryption', NAMESPACE, 'Keys of your own are for tier Premium.', [`${LEARN}/service-bus-messaging/configure-customer-managed-key`, 'BadRequest'],
    onlyIf(['encryption.keyVaultProperties'], isPremiumNamespace, 'needs tier Premium', 'remove it, or use tier Premium')),
  rule('service-bus-partitioning', [QUEUE, TOPIC], 'A queue or topic of tier Premium is not partitioned by itself.', [`${LEARN}/service-bus-messaging/service-bus-partitioning`, 'BadRequest'],
    onlyIf(['enablePartitioning'], (subject) => (Number((subject.owner && valueAtPath(subject.owner.spec, 'premiumMessagingPartitions')) ?? 0) > 1
      ? undefined : tierIs('basic', 'standard')(subject)), 'is for tiers Basic and Standard', 'remove it, or give the namespace premiumMessagingPartitions')),
  rule('service-bus-session-forward', [QUEUE, SUBSCRIPTION], 'Messages are not forwarded from where sessions are needed.', [`${LEARN}/service-bus-messaging/service-bus-auto-forwarding`, 'BadRequest'], ({ spec }) =>
    (valueAtPath(spec, 'requiresSession') === true && valueAtPath(spec, 'forwardTo') ? violation('forwardTo', 'is given, but requiresSession is true', 'remove one of them') : [])),
  rule('service-bus-forward-itself', QUEUE, 'A queue does not forward to itself.', [`${LEARN}/service-bus-messaging/service-bus-auto-forwarding`, 'BadRequest'], ({ name, spec }) =>
    (wordAt(spec, 'forwardTo') === name.toLowerCase() ? violation('forwardTo', 'is the queue itself', 'name another queue or topic') : [])),
  rule('service-bus-filter', FILTER, 'A filter has the members of its type, and 1024 characters at most.', [`${LEARN}/service-bus-messaging/topic-filters`, 'BadRequest'], lengthBetween('sqlFilter.sqlExpression', 1, 1024), unwise(({ spec }) => {
    const type = wordAt(spec, 'filterType');
    const [own, other] = type === 'sqlfilter' ? ['sqlFilter', 'correlationFilter'] : ['correlationFilter', 'sqlFilter'];
    return type !== undefined && valueAtPath(spec, own!) === undefined && valueAtPath(spec, other!) !== undefined
      ? violation(other!, `is given, but filterType is ${String(valueAtPath(spec, 'filterType'))}`, `give ${own!}, or correct filterType`) : [];
  })),
  rule('service-bus-delivery-count', [QUEUE, SUBSCRIPTION], 'A message is delivered 1 to 2000 times.', QUOTAS,
    between('maxDeliveryCount', 1, 2000, 'deliveries')),
];
