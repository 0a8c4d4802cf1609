import { between, betweenOr, numberOf, onlyIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, wordAt } from './values';

const SEARCH = 'search.azure.com/SearchService';
const SETTINGS = 'appconfiguration.azure.com/ConfigurationStore';
const SIGNALR = 'signalrservice.azure.com/SignalR';
const SUBSCRIPTION = 'eventgrid.azure.com/EventSubscription';
const CAPACITY = [`${LEARN}/search/search-capacity-planning`, 'InvalidRequest'] as const;

const skuIs = (...names: readonly string[]) => ({ spec }: AzureSubject) => {
  const name = wordAt(spec, 'sku.name');
  return name === undefined ? undefined : names.includes(name);
};
const isNotFree = (subject: AzureSubject) => { const free = skuIs('free')(subject); return free === undefined ? undefined : !free; };

export const MORE_SERVICES_RULES: readonly AzureRule[] = [
  rule('search-capacity', SEARCH, 'A service has 1 to 12 replicas, and 1, 2, 3, 4, 6 or 12 partitions; 36 of both multiplied.', CAPACITY,
    between('replicaCount', 1, 12, 'replicas'), numberOf('partitionCount', [1, 2, 3, 4, 6, 12]), ({ spec }) => {
      const units = Number(valueAtPath(spec, 'replicaCount') ?? 1) * Number(valueAtPath(spec, 'partitionCount') ?? 1);
      return units > 36 ? violation('partitionCount', `makes ${units} search units with the replicas`, 'make replicas times partitions 36 at most') : [];
    }),
  rule('search-free', SEARCH, 'A service of SKU free has one replica and one partition.', CAPACITY, (subject) =>
    (skuIs('free')(subject) ? [...between('replicaCount', 1, 1)(subject), ...between('partitionCount', 1, 1)(subject)] : [])),
  rule('search-density', SEARCH, 'High density is for SKU standard3.', CAPACITY, (subject) =>
    (wordAt(subject.spec, 'hostingMode') === 'highdensity' ? onlyIf(['hostingMode'], skuIs('standard3'), 'needs SKU standard3', 'remove it')(subject) : [])),
  rule('app-configuration-retention', SETTINGS, 'A deleted store is kept for 1 to 7 days.', [`${LEARN}/azure-app-configuration/concept-soft-delete`, 'BadRequest'],
    betweenOr([0], 'softDeleteRetentionInDays', 1, 7, 'days')),
  rule('app-configuration-free', SETTINGS, 'A store of SKU free has no purge protection.', [`${LEARN}/azure-app-configuration/faq#which-app-configuration-tier-should-i-use`, 'BadRequest'],
    onlyIf(['enablePurgeProtection'], isNotFree, 'does not exist in SKU free', 'remove it, or use SKU standard')),
  rule('signalr-capacity', SIGNALR, 'A service has 1 unit in tier Free, 1 to 10 and then tens up to 100 in Standard and Premium.', [`${LEARN}/azure-signalr/signalr-howto-scale-signalr`, 'BadArgument'], (subject) => {
    const free = (wordAt(subject.spec, 'sku.name') ?? '').startsWith('free');
    return free ? between('sku.capacity', 1, 1, 'unit')(subject)
      : betweenOr([20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000], 'sku.capacity', 1, 10, 'units')(subject);
  }),
  rule('event-grid-retry', SUBSCRIPTION, 'An event is delivered 1 to 30 times within 1 to 1440 minutes.', [`${LEARN}/event-grid/delivery-and-retry`, 'InvalidRequest'],
    between('retryPolicy.maxDeliveryAttempts', 1, 30), between('retryPolicy.eventTimeToLiveInMinutes', 1, 1440, 'minutes')),
];
