import { lengthBetween, onlyIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const EVENT_HUBS = 'eventhub.azure.com/Namespace';
const HUB = 'eventhub.azure.com/NamespacesEventhub';
const ACCESS_RULES = [
  'servicebus.azure.com/NamespacesAuthorizationRule', 'servicebus.azure.com/TopicAuthorizationRule',
  'eventhub.azure.com/NamespacesAuthorizationRule', 'eventhub.azure.com/NamespacesEventhubsAuthorizationRule',
];
const ACCESS = [`${LEARN}/service-bus-messaging/service-bus-sas#shared-access-authorization-policies`, 'BadRequest'] as const;
const KEYS = [`${LEARN}/event-hubs/configure-customer-managed-key`, 'BadRequest'] as const;
const COMPACTION = [`${LEARN}/event-hubs/log-compaction`, 'BadRequest'] as const;

const tierOf = (spec: AzureSubject['spec'] | undefined) => spec && wordAt(spec, 'sku.name');

export const MESSAGING_ACCESS_RULES: readonly AzureRule[] = [
  rule('messaging-rights', ACCESS_RULES, 'The right Manage includes Send and Listen, which are given too.', ACCESS, ({ spec }) => {
    const rights = valuesAt(spec, 'rights[]').map(({ value }) => String(value).toLowerCase());
    const missing = ['Send', 'Listen'].filter((right) => !rights.includes(right.toLowerCase()));
    return rights.includes('manage') && missing.length > 0 ? violation('rights', `has Manage without ${missing.join(' and ')}`, 'write [Listen, Manage, Send]') : [];
  }),
  rule('messaging-rights-twice', ACCESS_RULES, 'A rule has each right once, and one at least.', ACCESS, ({ spec }) => {
    const rights = valueAtPath(spec, 'rights');
    if (!Array.isArray(rights)) return [];
    if (rights.length === 0) return violation('rights', 'is empty', 'give Listen, Send or both');
    const words = rights.map((right) => String(right).toLowerCase());
    return new Set(words).size < words.length ? violation('rights', `has a right twice: ${rights.join(', ')}`, 'give each once') : [];
  }),
  rule('event-hubs-encryption', EVENT_HUBS, 'Keys of your own are for tier Premium and for clusters.', KEYS,
    onlyIf(['encryption.keyVaultProperties'], ({ spec }) => {
      const tier = tierOf(spec);
      return tier === undefined || valueAtPath(spec, 'clusterArmReference') !== undefined ? undefined : tier === 'premium';
    }, 'needs tier Premium', 'remove it, or use tier Premium')),
  rule('event-hubs-compaction', HUB, 'Compaction needs tier Standard or Premium; the retention of tombstones is for compacted hubs.', COMPACTION, ({ spec, owner }) => {
    const policy = wordAt(spec, 'retentionDescription.cleanupPolicy');
    if (policy?.includes('compact') && tierOf(owner?.spec) === 'basic') {
      return violation('retentionDescription.cleanupPolicy', 'is Compact, but the namespace is of tier Basic', 'use tier Standard or Premium');
    }
    return policy === 'delete' && Number(valueAtPath(spec, 'retentionDescription.tombstoneRetentionTimeInHours') ?? 0) > 0
      ? violation('retentionDescription.tombstoneRetentionTimeInHours', 'is given, but cleanupPolicy is Delete', 'remove it').map((one) => ({ ...one, severity: 'warning' as const })) : [];
  }),
  rule('event-hubs-metadata', [HUB, 'eventhub.azure.com/NamespacesEventhubsConsumerGroup'], 'The metadata of a user have 1024 characters at most.',
    ['https://learn.microsoft.com/rest/api/eventhub/event-hubs/create-or-update', 'BadRequest'], lengthBetween('userMetadata', 0, 1024)),
];
