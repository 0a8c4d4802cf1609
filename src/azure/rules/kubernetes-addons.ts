import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const CLUSTER = 'containerservice.azure.com/ManagedCluster';
const POOL = 'containerservice.azure.com/ManagedClustersAgentPool';
const SPOT = 'kubernetes.azure.com/scalesetpriority';

/** Settings of which an add-on needs one, by its name in lower case. All other add-ons need none. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  omsagent: ['logAnalyticsWorkspaceResourceID'],
  aciconnectorlinux: ['SubnetName'],
  ingressapplicationgateway: ['applicationGatewayId', 'applicationGatewayName', 'subnetCIDR', 'subnetPrefix', 'subnetId'],
};

function addOns({ spec }: AzureSubject): Violation[] {
  const all = valueAtPath(spec, 'addonProfiles');
  return Object.entries(isRecord(all) ? all : {}).flatMap(([name, profile]) => {
    const needed = Object.hasOwn(NEEDED, name.toLowerCase()) ? NEEDED[name.toLowerCase()]! : undefined;
    if (!needed || !isRecord(profile) || profile.enabled !== true) return [];
    const config = isRecord(profile.config) ? profile.config : {};
    const given = Object.entries(config).filter(([, value]) => value !== '' && value !== null).map(([key]) => key.toLowerCase());
    return needed.some((key) => given.includes(key.toLowerCase())) ? []
      : violation(`addonProfiles.${name}.config`, `has none of the settings that ${name} needs: ${needed.join(', ')}`, `give ${needed[0]!}`);
  });
}

/** Each pool of Spot machines, with its path. */
const spotPools = ({ kind, spec }: AzureSubject) =>
  [...(kind === POOL ? [{ at: '', pool: spec }] : []), ...valuesAt(spec, 'agentPoolProfiles[]').map(({ field, value }) => ({ at: `${field}.`, pool: value }))]
    .flatMap(({ at, pool }) => (isRecord(pool) && wordAt(pool, 'scaleSetPriority') === 'spot' ? [{ at, pool }] : []));

export const KUBERNETES_ADDON_RULES: readonly AzureRule[] = [
  rule('aks-addon-settings', CLUSTER, 'An add-on has what it needs: omsagent its workspace, virtual nodes their subnet, the ingress controller a gateway or a subnet.',
    [`${LEARN}/aks/integrations#available-add-ons`, 'InvalidParameter'], addOns),
  rule('aks-defender-workspace', CLUSTER, 'Defender has the workspace that its findings go to.',
    [`${LEARN}/defender-for-cloud/defender-for-containers-enable`, 'InvalidParameter'], ({ spec }) => {
      const path = 'securityProfile.defender';
      return valueAtPath(spec, `${path}.securityMonitoring.enabled`) === true && valueAtPath(spec, `${path}.logAnalyticsWorkspaceResourceReference`) === undefined
        ? violation(`${path}.logAnalyticsWorkspaceResourceReference`, 'is missing, but securityMonitoring.enabled is true', 'name the workspace') : [];
    }),
  advice('aks-spot-label', [CLUSTER, POOL], 'Labels of a Spot pool include that of Azure: an update that leaves it out takes it from the nodes. Azure adds the taint by itself.',
    `${LEARN}/aks/spot-node-pool`, (subject) => spotPools(subject).flatMap(({ at, pool }): Violation[] => {
      const [labels, taints] = [pool.nodeLabels, pool.nodeTaints];
      const isWithout = isRecord(labels) && Object.keys(labels).length > 0 && labels[SPOT] !== 'spot';
      const isUntainted = Array.isArray(taints) && taints.length > 0 && !taints.some((taint) => String(taint).startsWith(`${SPOT}=spot:`));
      return [
        ...(isWithout ? violation(`${at}nodeLabels`, `is without ${SPOT}: spot, by which pods find Spot nodes`, 'add it') : []),
        ...(isUntainted ? [{ field: `${at}nodeTaints`, message: `is without ${SPOT}=spot:NoSchedule, which Azure adds`, fix: 'add it', severity: 'info' as const }] : []),
      ];
    })),
];
