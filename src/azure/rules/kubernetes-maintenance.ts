import { atMost, between, eachText, fits, lengthBetween } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const CLUSTER = 'containerservice.azure.com/ManagedCluster';
const POOL = 'containerservice.azure.com/ManagedClustersAgentPool';
const MAINTENANCE = 'containerservice.azure.com/MaintenanceConfiguration';
const WINDOWS_NODES = [`${LEARN}/aks/windows-faq`, 'InvalidParameter'] as const;
const WINDOWS = [`${LEARN}/aks/planned-maintenance`, 'InvalidParameter'] as const;
const AUTOSCALER = [`${LEARN}/aks/cluster-autoscaler#use-the-cluster-autoscaler-profile`, 'InvalidParameter'] as const;
const UPGRADES = [`${LEARN}/aks/auto-upgrade-node-os-image`, 'InvalidParameter'] as const;

const NAMES = ['default', 'aksManagedAutoUpgradeSchedule', 'aksManagedNodeOSUpgradeSchedule'];
const SCHEDULES = ['daily', 'weekly', 'absoluteMonthly', 'relativeMonthly'];
const schedule = (member: string) => `maintenanceWindow.schedule.${member}`;
/** Settings of the autoscaler that are minutes. `scale-down-delay-after-delete` takes seconds too: its default is `scan-interval`. */
const MINUTES = ['scale-down-delay-after-add', 'scale-down-delay-after-failure', 'scale-down-unneeded-time', 'scale-down-unready-time', 'max-node-provision-time'];
const WHOLE = ['max-empty-bulk-delete', 'max-graceful-termination-sec', 'max-total-unready-percentage', 'ok-total-unready-count'];
const profile = (setting: string) => `autoScalerProfile.${setting}`;

const isKubenet = (cluster: AzureSubject | undefined) => cluster?.kind === CLUSTER && wordAt(cluster.spec, 'networkProfile.networkPlugin') === 'kubenet';

export const KUBERNETES_MAINTENANCE_RULES: readonly AzureRule[] = [
  rule('aks-maintenance-name', MAINTENANCE, 'A maintenance configuration has one of three names.', WINDOWS, ({ name }) =>
    (NAMES.some((one) => one.toLowerCase() === name.toLowerCase()) ? [] : violation('azureName', `'${name}' is no name of a maintenance configuration`, `write ${NAMES.join(', ')}`))),
  rule('aks-maintenance-form', MAINTENANCE, 'The configuration `default` has timeInWeek, each other one a maintenanceWindow.', WINDOWS, ({ name, spec }) => {
    const window = valueAtPath(spec, 'maintenanceWindow');
    const isManaged = name.toLowerCase().startsWith('aksmanaged');
    if (isManaged && window === undefined) return violation('maintenanceWindow', `is missing, but the configuration is ${name}`, 'give maintenanceWindow');
    return isManaged && valueAtPath(spec, 'timeInWeek') !== undefined
      ? violation('timeInWeek', `is for the configuration default, not ${name}`, 'give maintenanceWindow in its place') : [];
  }),
  rule('aks-maintenance-window', MAINTENANCE, 'A window lasts 4 to 24 hours, begins at a time like 02:00, and has one schedule.', WINDOWS,
    between('maintenanceWindow.durationHours', 4, 24, 'hours'),
    fits('maintenanceWindow.startTime', /^([01]\d|2[0-3]):[0-5]\d$/, 'no time of a day', 'write it like 02:00'),
    fits('maintenanceWindow.utcOffset', /^[+-]\d\d:\d\d$/, 'no offset', 'write it like +01:00'),
    fits('maintenanceWindow.startDate', /^\d{4}-\d\d-\d\d$/, 'no date', 'write it like 2026-01-31'),
    between(schedule('daily.intervalDays'), 1, 7, 'days'), between(schedule('weekly.intervalWeeks'), 1, 4, 'weeks'),
    between(schedule('absoluteMonthly.intervalMonths'), 1, 6, 'months'), between(schedule('relativeMonthly.intervalMonths'), 1, 6, 'months'),
    between(schedule('absoluteMonthly.dayOfMonth'), 1, 31), ({ spec }) => {
      const given = valueAtPath(spec, 'maintenanceWindow.schedule');
      const members = isRecord(given) ? SCHEDULES.filter((member) => given[member] !== undefined) : undefined;
      return members && members.length !== 1
        ? violation('maintenanceWindow.schedule', members.length === 0 ? 'is empty' : `has ${members.join(' and ')}`, `give one of ${SCHEDULES.join(', ')}`) : [];
    }),
  rule('aks-autoscaler-profile', CLUSTER, 'Times of the autoscaler are minutes (`10m`), scan-interval is seconds (`10s`), counts are whole numbers.', AUTOSCALER,
    ...MINUTES.map((setting) => fits(profile(setting), /^\d+m$/, 'no number of minutes', 'write it like 10m')),
    fits(profile('scan-interval'), /^\d+s$/, 'no number of seconds', 'write it like 10s'),
    ...WHOLE.map((setting) => fits(profile(setting), /^\d+$/, 'no whole number', 'write it like 10')),
    eachText(profile('max-total-unready-percentage'), (value) => (/^\d+$/.test(value) && Number(value) > 100 ? [`is ${value}`, 'write a percentage from 0 to 100'] : undefined)),
    eachText(profile('scale-down-utilization-threshold'), (value) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : [`is ${value}`, 'write a number from 0 to 1']))),
  rule('aks-dns-name', CLUSTER, 'A cluster has a DNS prefix, or a subdomain.', [`${LEARN}/aks/private-clusters`, 'InvalidParameter'], ({ spec }) => {
    const [prefix, subdomain] = [valueAtPath(spec, 'dnsPrefix'), valueAtPath(spec, 'fqdnSubdomain')];
    if (prefix === undefined && subdomain === undefined) return violation('dnsPrefix', 'is missing', 'give it, e.g. the name of the cluster');
    return prefix !== undefined && subdomain !== undefined ? violation('fqdnSubdomain', 'and dnsPrefix exclude each other', 'give one of them') : [];
  }),
  rule('aks-windows-kubenet', [CLUSTER, POOL], 'Windows nodes need the network plugin azure.', WINDOWS_NODES, (subject) => {
    const message = 'is Windows, but the networkPlugin of the cluster is kubenet';
    const fix = 'write networkPlugin: azure, or Linux';
    if (subject.kind === POOL) return isKubenet(subject.owner) && wordAt(subject.spec, 'osType') === 'windows' ? violation('osType', message, fix) : [];
    return isKubenet(subject) ? valuesAt(subject.spec, 'agentPoolProfiles[].osType')
      .flatMap(({ field, value }) => (String(value).toLowerCase() === 'windows' ? violation(field, message, fix) : [])) : [];
  }),
  rule('aks-node-image-channel', CLUSTER, 'With the upgrade channel node-image the nodes have the channel NodeImage.', UPGRADES, ({ spec }) => {
    const nodes = wordAt(spec, 'autoUpgradeProfile.nodeOSUpgradeChannel');
    return wordAt(spec, 'autoUpgradeProfile.upgradeChannel') === 'node-image' && nodes !== undefined && nodes !== 'nodeimage'
      ? violation('autoUpgradeProfile.nodeOSUpgradeChannel', `is ${String(valueAtPath(spec, 'autoUpgradeProfile.nodeOSUpgradeChannel'))}, but upgradeChannel is node-image`, 'write NodeImage') : [];
  }),
  rule('aks-mesh-revision', CLUSTER, 'A revision of Istio is `asm-1-24`; there are two at most.', [`${LEARN}/aks/istio-deploy-addon`, 'InvalidParameter'],
    fits('serviceMeshProfile.istio.revisions[]', /^asm-\d+-\d+$/, 'no revision', 'write it like asm-1-24'), atMost('serviceMeshProfile.istio.revisions', 2, 'revisions')),
  rule('aks-node-resource-group', CLUSTER, 'The name of the resource group of the nodes has 80 characters at most.', [`${LEARN}/aks/faq`, 'InvalidParameter'],
    lengthBetween('nodeResourceGroup', 1, 80)),
];
