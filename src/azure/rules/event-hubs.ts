import { between, eachText, neededIf, onlyIf } from './finders';
import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';

const NAMESPACE = 'eventhub.azure.com/Namespace';
const HUB = 'eventhub.azure.com/NamespacesEventhub';
const GROUP = 'eventhub.azure.com/NamespacesEventhubsConsumerGroup';
const QUOTAS = [`${LEARN}/event-hubs/event-hubs-quotas`, 'BadRequest'] as const;
const INFLATE = [`${LEARN}/event-hubs/event-hubs-auto-inflate`, 'BadRequest'] as const;
const INFLATE_MOST = [INFLATE[0], 'InvalidMaxThroughputValue'] as const;
const CAPTURE = [`${LEARN}/event-hubs/event-hubs-capture-overview`, 'BadRequest'] as const;

const tierOf = (spec: AzureSubject['spec'] | undefined) => spec && wordAt(spec, 'sku.name');
/** A namespace of a dedicated cluster has the limits of the cluster, whatever its SKU. */
const ownerIs = (...tiers: readonly string[]) => ({ owner }: AzureSubject) => {
  const tier = owner && valueAtPath(owner.spec, 'clusterArmReference') === undefined ? tierOf(owner.spec) : undefined;
  return tier === undefined ? undefined : tiers.includes(tier);
};
const is = (...tiers: readonly string[]) => ({ spec }: AzureSubject) => {
  const tier = tierOf(spec);
  return tier === undefined ? undefined : tiers.includes(tier);
};

export const EVENT_HUBS_RULES: readonly AzureRule[] = [
  rule('event-hubs-capacity', NAMESPACE, 'Basic and Standard have up to 40 throughput units, Premium up to 16 processing units.', QUOTAS, (subject) =>
    between('sku.capacity', 1, is('premium')(subject) ? 16 : 40, is('premium')(subject) ? 'processing units' : 'throughput units')(subject)),
  rule('event-hubs-auto-inflate', NAMESPACE, 'Auto-inflate and its maximum are for tier Standard.', INFLATE,
    onlyIf(['isAutoInflateEnabled'], is('standard'), 'needs tier Standard', 'remove it, or use tier Standard'),
    between('maximumThroughputUnits', 0, 40, 'throughput units')),
  advice('event-hubs-tier', NAMESPACE, 'Name and tier of a SKU are the same.', QUOTAS[0], ({ spec }) => {
    const [name, tier] = [wordAt(spec, 'sku.name'), wordAt(spec, 'sku.tier')];
    return name !== undefined && tier !== undefined && name !== tier ? violation('sku.tier', `is ${String(valueAtPath(spec, 'sku.tier'))}, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, 'write the same word') : [];
  }),
  rule('event-hubs-inflate-maximum', NAMESPACE, 'Auto-inflate has a maximum, which is not below the capacity.', INFLATE_MOST, ({ spec }) => {
    const [most, now, on] = ['maximumThroughputUnits', 'sku.capacity', 'isAutoInflateEnabled'].map((path) => valueAtPath(spec, path));
    if (typeof most !== 'number' || most === 0) return on === true ? violation('maximumThroughputUnits', 'is missing, but isAutoInflateEnabled is true', 'write 1 to 40') : [];
    return on === true && typeof now === 'number' && most < now ? violation('maximumThroughputUnits', `is ${most}, sku.capacity is ${now}`, 'write a maximum that is not below') : [];
  }),
  rule('event-hubs-kafka', NAMESPACE, 'Kafka needs tier Standard or Premium.', QUOTAS,
    onlyIf(['kafkaEnabled'], is('standard', 'premium'), 'needs tier Standard or Premium', 'remove it, or use another tier')),
  rule('event-hubs-partitions', HUB, 'An event hub has 1 to 32 partitions, or up to 100 in tier Premium.', QUOTAS, (subject) =>
    between('partitionCount', 1, ownerIs('basic', 'standard')(subject) ? 32 : ownerIs('premium')(subject) ? 100 : 1024, 'partitions')(subject)),
  rule('event-hubs-retention', HUB, 'Messages are kept for a day in tier Basic, 7 days in Standard, 90 in Premium.', QUOTAS, (subject) => {
    const days = ownerIs('basic')(subject) ? 1 : ownerIs('standard')(subject) ? 7 : 90;
    return [
      ...between('messageRetentionInDays', 1, days, 'days')(subject),
      ...(wordAt(subject.spec, 'retentionDescription.cleanupPolicy') === 'compact'
        ? [] : between('retentionDescription.retentionTimeInHours', 1, days * 24, 'hours')(subject)),
    ];
  }),
  rule('event-hubs-capture-interval', HUB, 'Capture writes every 60 to 900 seconds.', CAPTURE,
    between('captureDescription.intervalInSeconds', 60, 900, 'seconds')),
  rule('event-hubs-capture-size', HUB, 'Capture writes files of 10 to 500 MiB.', CAPTURE,
    between('captureDescription.sizeLimitInBytes', 10_485_760, 524_288_000, 'bytes')),
  rule('event-hubs-capture-name', HUB, 'The name of captured files has namespace, hub, partition and time to the second.', CAPTURE, eachText('captureDescription.destination.archiveNameFormat', (value) => {
    const missing = ['Namespace', 'EventHub', 'PartitionId', 'Year', 'Month', 'Day', 'Hour', 'Minute', 'Second'].filter((part) => !value.toLowerCase().includes(`{${part.toLowerCase()}}`));
    return missing.length === 0 ? undefined : [`lacks {${missing.join('}, {')}}`, 'write all parts'];
  })),
  rule('event-hubs-capture-destination', HUB, 'Capture has a destination.', CAPTURE,
    neededIf('captureDescription.destination', (spec) => valueAtPath(spec, 'captureDescription.enabled') === true, 'is missing, but captureDescription.enabled is true', 'give the storage account and container')),
  rule('event-hubs-capture-tier', HUB, 'Capture needs tier Standard or Premium.', CAPTURE,
    onlyIf(['captureDescription.enabled'], ownerIs('standard', 'premium'), 'needs a namespace of tier Standard or Premium', 'remove it')),
  rule('event-hubs-consumer-group-tier', GROUP, 'In tier Basic an event hub has the group `$Default` alone.', QUOTAS, (subject) => {
    if (subject.name.toLowerCase() === '$default' || tierOf(subject.owner?.owner?.spec) !== 'basic') return [];
    return [{ field: 'owner', message: 'is in a namespace of tier Basic, which has no other consumer group than $Default', fix: 'use tier Standard' }];
  }),
];
