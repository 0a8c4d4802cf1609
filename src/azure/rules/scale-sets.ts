import { between, durationBetween, neededIf } from './finders';
import { advice, LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const SCALE_SET = 'compute.azure.com/VirtualMachineScaleSet';
const SET = 'compute.azure.com/AvailabilitySet';
const MODES = `${LEARN}/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes`;
const GROUPS = [`${LEARN}/virtual-machine-scale-sets/virtual-machine-scale-sets-placement-groups`, 'InvalidParameter'] as const;
const UPGRADES = [`${LEARN}/virtual-machine-scale-sets/virtual-machine-scale-sets-upgrade-policy`, 'InvalidParameter'] as const;
const REPAIRS = [`${LEARN}/virtual-machine-scale-sets/virtual-machine-scale-sets-automatic-instance-repairs`, 'InvalidParameter'] as const;
const ZONES = [`${LEARN}/virtual-machine-scale-sets/virtual-machine-scale-sets-zone-balancing`, 'InvalidParameter'] as const;
const SETS = [`${LEARN}/virtual-machines/availability-set-overview`, 'InvalidParameter'] as const;

const MOST_MACHINES = 1000;
const MOST_IN_GROUP = 100;

export const SCALE_SET_RULES: readonly AzureRule[] = [
  rule('scale-set-capacity', SCALE_SET, 'A scale set has 1000 machines at most, 100 in a single placement group.', GROUPS, ({ spec }) => {
    const capacity = valueAtPath(spec, 'sku.capacity');
    if (typeof capacity !== 'number') return [];
    if (capacity > MOST_MACHINES) return violation('sku.capacity', `is ${capacity}`, `write ${MOST_MACHINES} at most`);
    return capacity > MOST_IN_GROUP && valueAtPath(spec, 'singlePlacementGroup') === true
      ? violation('singlePlacementGroup', `is true, but sku.capacity is ${capacity}`, `write false, or a capacity of ${MOST_IN_GROUP} at most`) : [];
  }),
  advice('scale-set-flexible', SCALE_SET, 'A set of mode Flexible has several placement groups.', MODES, ({ spec }) =>
    (wordAt(spec, 'orchestrationMode') === 'flexible' && valueAtPath(spec, 'singlePlacementGroup') === true
      ? violation('singlePlacementGroup', 'is true, but orchestrationMode is Flexible', 'remove it') : [])),
  rule('scale-set-upgrade', SCALE_SET, 'A set of mode Uniform says how its machines are upgraded.', UPGRADES,
    neededIf('upgradePolicy', (spec) => wordAt(spec, 'orchestrationMode') === 'uniform',
      'is missing, but orchestrationMode is Uniform', 'write mode: Manual, Automatic or Rolling')),
  rule('scale-set-repairs', SCALE_SET, 'Repairs wait for 10 to 90 minutes.', REPAIRS, durationBetween('automaticRepairsPolicy.gracePeriod', 'PT10M', 'PT90M')),
  rule('scale-set-balance', SCALE_SET, 'Balance is between several zones.', ZONES, ({ spec }) =>
    (valueAtPath(spec, 'zoneBalance') === true && valuesAt(spec, 'zones[]').length < 2
      ? violation('zoneBalance', 'is true, but the set does not lie in several zones', 'remove it, or give several zones') : [])),
  rule('availability-set-domains', SET, 'A set has 1 to 3 fault domains, and 1 to 20 update domains.', SETS,
    between('platformFaultDomainCount', 1, 3, 'fault domains'), between('platformUpdateDomainCount', 1, 20, 'update domains')),
];
