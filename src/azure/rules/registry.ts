import { atMost, between, eachText, onlyIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { wordAt } from './values';
import { parseAddress, parseCidr } from '../../util/cidr';

const REGISTRY = 'containerregistry.azure.com/Registry';
const REPLICATION = 'containerregistry.azure.com/RegistryReplication';
const TIERS = [`${LEARN}/container-registry/container-registry-skus`, 'InvalidSku'] as const;
const RETENTION = [`${LEARN}/container-registry/container-registry-retention-policy`, 'InvalidParameter'] as const;

const premium = ({ spec }: AzureSubject) => {
  const name = wordAt(spec, 'sku.name');
  return name === undefined ? undefined : name === 'premium';
};
/** Premium is needed where the member has this value. */
const needsPremium = (path: string, value: string): AzureRule['find'] => (subject) =>
  (wordAt(subject.spec, path) === value ? onlyIf([path], premium, 'needs sku.name Premium', 'remove it, or use Premium')(subject) : []);

const regionOf = (spec: AzureSubject['spec']) => wordAt(spec, 'location')?.replace(/ /g, '');

export const REGISTRY_RULES: readonly AzureRule[] = [
  rule('registry-premium', REGISTRY, 'Network rules, private access, retention, trust and customer-managed keys need Premium.', TIERS,
    needsPremium('publicNetworkAccess', 'disabled'), needsPremium('encryption.status', 'enabled'),
    needsPremium('policies.retentionPolicy.status', 'enabled'), needsPremium('policies.trustPolicy.status', 'enabled'),
    needsPremium('policies.quarantinePolicy.status', 'enabled'),
    needsPremium('policies.exportPolicy.status', 'disabled'), needsPremium('networkRuleSet.defaultAction', 'deny'),
    onlyIf(['dataEndpointEnabled', 'networkRuleSet.ipRules'], premium, 'needs sku.name Premium', 'remove it, or use Premium')),
  rule('registry-retention', REGISTRY, 'Untagged manifests are kept for 0 to 365 days.', RETENTION, between('policies.retentionPolicy.days', 0, 365, 'days')),
  rule('registry-export', REGISTRY, 'Export can be off where public access is off.', [`${LEARN}/container-registry/data-loss-prevention`, 'InvalidRequest'], ({ spec }) =>
    (wordAt(spec, 'policies.exportPolicy.status') === 'disabled' && wordAt(spec, 'publicNetworkAccess') !== 'disabled'
      ? violation('policies.exportPolicy.status', 'is disabled, but publicNetworkAccess is not', 'write publicNetworkAccess: Disabled') : [])),
  rule('registry-ip-rules', REGISTRY, 'A rule is an IPv4 address or range.', [`${LEARN}/container-registry/container-registry-access-selected-networks`, 'InvalidParameter'],
    eachText('networkRuleSet.ipRules[].value', (value) => (parseCidr(value)?.version === 4 || parseAddress(value)?.bits === 32 ? undefined : [`'${value}' is no IPv4 address or range`, 'write it like 20.50.0.0/16 or 20.50.1.2'])),
    atMost('networkRuleSet.ipRules', 200, 'rules')),
  rule('registry-replication', REPLICATION, 'Replication needs a registry of SKU Premium.', TIERS,
    onlyIf(['owner'], ({ owner }) => owner && premium(owner), 'is no registry of sku.name Premium', 'use Premium for the registry')),
  rule('registry-replication-region', REPLICATION, 'A registry is replicated once to a region, and not to its own.',
    [`${LEARN}/container-registry/container-registry-geo-replication`, 'Conflict'], ({ spec, owner, siblings }) => {
      const own = regionOf(spec);
      if (own === undefined) return [];
      if (owner && regionOf(owner.spec) === own) return violation('location', `is ${own}, the region of the registry`, 'remove the replication, or take another region');
      const other = siblings.find((one) => regionOf(one.spec) === own);
      return other ? violation('location', `is ${own}, the region of the replication '${other.name}' too`, 'take another region') : [];
    }),
];
