import { betweenOr, eachText } from './finders';
import { advice, LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, wordAt } from './values';

const PLAN = 'web.azure.com/ServerFarm';
const SITE = 'web.azure.com/Site';
const LIMITS = [`${LEARN}/azure-resource-manager/management/azure-subscription-service-limits#azure-app-service-limits`, 'BadRequest'] as const;
const CONFIGURE = [`${LEARN}/app-service/configure-common`, 'Conflict'] as const;

/** Tier by the name of a SKU. */
const TIERS: readonly [RegExp, string][] = [
  [/^f1$/, 'Free'], [/^d1$/, 'Shared'], [/^b[1-3]$/, 'Basic'], [/^s[1-3]$/, 'Standard'], [/^p[1-3]$/, 'Premium'], [/^p[1-3]v2$/, 'PremiumV2'],
  [/^p[0-5]m?v3$/, 'PremiumV3'], [/^p[0-5]m?v4$/, 'PremiumV4'], [/^y1$/, 'Dynamic'], [/^ep[1-3]$/, 'ElasticPremium'],
  [/^fc1$/, 'FlexConsumption'], [/^ws[1-3]$/, 'WorkflowStandard'], [/^i[1-6]m?v2$/, 'IsolatedV2'],
];
/** Most instances by tier, in lower case. */
const INSTANCES: Readonly<Record<string, number>> = {
  basic: 3, standard: 10, premium: 30, premiumv2: 30, premiumv3: 30,
};

const tierOfName = (name: string | undefined) => TIERS.find(([pattern]) => pattern.test(name ?? ''))?.[1];

export const APP_SERVICE_RULES: readonly AzureRule[] = [
  advice('app-service-tier', PLAN, 'Name and tier of a SKU belong together.', `${LEARN}/app-service/overview-hosting-plans`, ({ spec }) => {
    const own = tierOfName(wordAt(spec, 'sku.name'));
    const tier = wordAt(spec, 'sku.tier');
    return own !== undefined && tier !== undefined && own.toLowerCase() !== tier && !(own === 'PremiumV3' && /^premium[0m]v3$/.test(tier)) && !(own === 'PremiumV4' && /^premium[0m]v4$/.test(tier))
      ? violation('sku.tier', `is ${String(valueAtPath(spec, 'sku.tier'))}, but sku.name is ${String(valueAtPath(spec, 'sku.name'))}`, `write ${own}`) : [];
  }),
  rule('app-service-instances', PLAN, 'A plan has up to 3 instances in tier Basic, 10 in Standard, 30 in Premium.', LIMITS, (subject) => {
    const tier = (wordAt(subject.spec, 'sku.tier') ?? tierOfName(wordAt(subject.spec, 'sku.name')) ?? '').toLowerCase();
    const most = Object.hasOwn(INSTANCES, tier) ? INSTANCES[tier] : undefined;
    return most === undefined ? [] : betweenOr([0], 'sku.capacity', 1, most, 'instances')(subject);
  }),
  rule('app-service-zones', PLAN, 'Zone redundancy is for Premium V2 and higher, with two instances at least.', [`${LEARN}/reliability/reliability-app-service`, 'BadRequest'], ({ spec }) => {
    if (valueAtPath(spec, 'zoneRedundant') !== true) return [];
    const tier = (wordAt(spec, 'sku.tier') ?? tierOfName(wordAt(spec, 'sku.name')) ?? '').toLowerCase();
    if (['free', 'shared', 'basic', 'standard', 'dynamic'].includes(tier)) return violation('zoneRedundant', `does not exist in tier ${tier}`, 'use a plan of Premium V2 or higher');
    return valueAtPath(spec, 'sku.capacity') === 1 ? violation('sku.capacity', 'is 1, but zoneRedundant is true', 'write 2 or more') : [];
  }),
  advice('app-service-linux', PLAN, 'A plan of kind Linux is reserved: otherwise its machines run Windows.', `${LEARN}/app-service/quickstart-arm-template`, ({ spec }) =>
    (wordAt(spec, 'kind') === 'linux' && valueAtPath(spec, 'reserved') === false ? violation('reserved', 'is false, but kind is linux', 'write true') : [])),
  rule('app-service-runtime', SITE, 'A runtime for Linux is `NAME|VERSION`, or `sitecontainers`.', [CONFIGURE[0], 'BadRequest'], eachText('siteConfig.linuxFxVersion', (value) =>
    (value === '' || value.includes('|') || value.toLowerCase() === 'sitecontainers' ? undefined : [`'${value}' is no runtime`, 'write it like NODE|20-lts or DOCKER|image']))),
  rule('app-service-always-on', SITE, 'Always On is not for tiers Free, Shared and Consumption.', CONFIGURE, (subject) => {
    if (valueAtPath(subject.spec, 'siteConfig.alwaysOn') !== true) return [];
    const plan = subject.referenced(valueAtPath(subject.spec, 'serverFarmReference'));
    const tier = plan && (wordAt(plan.spec, 'sku.tier') ?? tierOfName(wordAt(plan.spec, 'sku.name'))?.toLowerCase());
    return tier !== undefined && ['free', 'shared', 'dynamic'].includes(tier)
      ? violation('siteConfig.alwaysOn', `is true, but the plan '${plan!.name}' is of tier ${tier}`, 'remove it, or use tier Basic or higher') : [];
  }),
  rule('app-service-network', SITE, 'A site of tier Free, Shared or Consumption joins no network.', [`${LEARN}/app-service/overview-vnet-integration`, 'BadRequest'], (subject) => {
    if (valueAtPath(subject.spec, 'virtualNetworkSubnetReference') === undefined) return [];
    const plan = subject.referenced(valueAtPath(subject.spec, 'serverFarmReference'));
    const tier = plan && (wordAt(plan.spec, 'sku.tier') ?? tierOfName(wordAt(plan.spec, 'sku.name'))?.toLowerCase());
    return tier !== undefined && ['free', 'shared', 'dynamic'].includes(tier)
      ? violation('virtualNetworkSubnetReference', `is given, but the plan '${plan!.name}' is of tier ${tier}`, 'remove it, or use tier Basic or higher') : [];
  }),
];
