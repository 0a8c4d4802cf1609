import { of, WARNING, type Case } from './case';

const CLUSTER = 'containerservice.azure.com/ManagedCluster';
const KUBENET = { networkPlugin: 'kubenet' };
const window = (more: object) => ({ maintenanceWindow: { durationHours: 4, startTime: '02:00', schedule: { weekly: { intervalWeeks: 1, dayOfWeek: 'Sunday' } }, ...more } });
const profile = (setting: string, value: string) => ({ autoScalerProfile: { [setting]: value } });
const scopes = (...armIds: string[]) => ({ assignableScopesReferences: armIds.map((armId) => ({ armId })) });
const SUBSCRIPTION = '/subscriptions/11111111-2222-3333-4444-555555555555';
const GROUP = '/providers/Microsoft.Management/managementGroups';

/** Cases of clusters, messaging and roles. */
export const PLATFORM_CASES: readonly Case[] = [
  ...of('containerservice.azure.com/MaintenanceConfiguration', [
    ['aks-maintenance-name', {}, 'azureName', {}, { name: 'weekly' }],
    ['aks-maintenance-form', { timeInWeek: [] }, 'maintenanceWindow', window({}), { name: 'aksManagedAutoUpgradeSchedule' }],
    ['aks-maintenance-form', { ...window({}), timeInWeek: [{}] }, 'timeInWeek', window({}), { name: 'aksManagedNodeOSUpgradeSchedule' }],
    ['aks-maintenance-window', window({ durationHours: 2 }), 'maintenanceWindow.durationHours', window({ durationHours: 24, utcOffset: '+01:00' })],
    ['aks-maintenance-window', window({ startTime: '2am' }), 'maintenanceWindow.startTime', window({ startTime: '23:30' })],
    ['aks-maintenance-window', window({ schedule: {} }), 'maintenanceWindow.schedule', window({ schedule: { daily: { intervalDays: 7 } } })],
    ['aks-maintenance-window', window({ schedule: { weekly: { intervalWeeks: 5 } } }), 'maintenanceWindow.schedule.weekly.intervalWeeks', window({ startDate: '2026-01-31' })],
  ]),
  ...of(CLUSTER, [
    ['aks-autoscaler-profile', profile('scale-down-delay-after-add', '600s'), 'autoScalerProfile.scale-down-delay-after-add', profile('scale-down-delay-after-delete', '10s')],
    ['aks-autoscaler-profile', profile('scan-interval', '1m'), 'autoScalerProfile.scan-interval', profile('scan-interval', '30s')],
    ['aks-autoscaler-profile', profile('scale-down-utilization-threshold', '50'), 'autoScalerProfile.scale-down-utilization-threshold', profile('scale-down-utilization-threshold', '0.5')],
    ['aks-autoscaler-profile', profile('max-empty-bulk-delete', '10%'), 'autoScalerProfile.max-empty-bulk-delete', profile('max-total-unready-percentage', '45')],
    ['aks-dns-name', {}, 'dnsPrefix', { dnsPrefix: 'shop' }],
    ['aks-dns-name', { dnsPrefix: 'shop', fqdnSubdomain: 'shop' }, 'fqdnSubdomain', { fqdnSubdomain: 'shop' }],
    ['aks-windows-kubenet', { networkProfile: KUBENET, agentPoolProfiles: [{ name: 'win', osType: 'Windows' }] }, 'agentPoolProfiles[0].osType', { networkProfile: KUBENET, agentPoolProfiles: [{ name: 'sys', osType: 'Linux' }] }],
    ['aks-node-image-channel', { autoUpgradeProfile: { upgradeChannel: 'node-image', nodeOSUpgradeChannel: 'SecurityPatch' } }, 'autoUpgradeProfile.nodeOSUpgradeChannel',
      { autoUpgradeProfile: { upgradeChannel: 'stable', nodeOSUpgradeChannel: 'SecurityPatch' } }],
    ['aks-mesh-revision', { serviceMeshProfile: { mode: 'Istio', istio: { revisions: ['1.24'] } } }, 'serviceMeshProfile.istio.revisions[0]', { serviceMeshProfile: { mode: 'Istio', istio: { revisions: ['asm-1-24'] } } }],
    ['aks-node-resource-group', { nodeResourceGroup: 'x'.repeat(81) }, 'nodeResourceGroup', { nodeResourceGroup: 'x'.repeat(80) }],
  ]),
  ...of('containerservice.azure.com/ManagedClustersAgentPool', [
    ['aks-windows-kubenet', { osType: 'Windows' }, 'osType', { osType: 'Linux' }, { owner: { kind: CLUSTER, spec: { networkProfile: KUBENET } } }],
  ]),
  ...of('servicebus.azure.com/NamespacesAuthorizationRule', [
    ['messaging-rights', { rights: ['Manage'] }, 'rights', { rights: ['Listen', 'Manage', 'Send'] }],
    ['messaging-rights-twice', { rights: ['Send', 'Send'] }, 'rights', { rights: ['Send'] }],
    ['messaging-rights-twice', { rights: [] }, 'rights', { rights: ['Listen', 'Send'] }],
  ]),
  ...of('eventhub.azure.com/Namespace', [
    ['event-hubs-encryption', { sku: { name: 'Standard' }, encryption: { keyVaultProperties: [{}] } }, 'encryption.keyVaultProperties', { sku: { name: 'Premium' }, encryption: { keyVaultProperties: [{}] } }],
  ]),
  ...of('eventhub.azure.com/NamespacesEventhub', [
    ['event-hubs-compaction', { retentionDescription: { cleanupPolicy: 'Compact' } }, 'retentionDescription.cleanupPolicy', { retentionDescription: { cleanupPolicy: 'Delete' } },
      { owner: { kind: 'eventhub.azure.com/Namespace', spec: { sku: { name: 'Basic' } } } }],
    ['event-hubs-compaction', { retentionDescription: { cleanupPolicy: 'Delete', tombstoneRetentionTimeInHours: 1 } }, 'retentionDescription.tombstoneRetentionTimeInHours',
      { retentionDescription: { cleanupPolicy: 'Compact', tombstoneRetentionTimeInHours: 1 } }, WARNING],
    ['event-hubs-metadata', { userMetadata: 'x'.repeat(1025) }, 'userMetadata', { userMetadata: 'x' }],
  ]),
  ...of('authorization.azure.com/RoleDefinition', [
    ['role-definition-scope', scopes(), 'assignableScopesReferences', scopes(SUBSCRIPTION)],
    ['role-definition-root', scopes('/'), 'assignableScopesReferences[0]', scopes(`${GROUP}/a`)],
    ['role-definition-root', scopes(`${GROUP}/a`, `${GROUP}/b`), 'assignableScopesReferences[1]', scopes(SUBSCRIPTION, `${GROUP}/b`)],
    ['role-definition-name', { roleName: 'Shop operators' }, 'roleName', { roleName: 'Shop readers' }, { siblings: [{ roleName: 'shop operators' }] }],
    ['role-definition-length', { roleName: 'x'.repeat(513) }, 'roleName', { roleName: 'Shop readers' }],
    ['role-definition-action', { permissions: [{ actions: ['read'] }] }, 'permissions[0].actions[0]', { permissions: [{ actions: ['*/read', '*'], notActions: ['Microsoft.Compute/virtualMachines/*'] }] }],
  ]),
  ...of('web.azure.com/Site', [
    ['app-service-network', { serverFarmReference: {}, virtualNetworkSubnetReference: {} }, 'virtualNetworkSubnetReference', { serverFarmReference: {} },
      { refersTo: { kind: 'web.azure.com/ServerFarm', name: 'plan', spec: { sku: { name: 'F1' } } } }],
  ]),
  ...of('containerregistry.azure.com/RegistryReplication', [
    ['registry-replication-region', { location: 'uksouth' }, 'location', { location: 'ukwest' }, { owner: { kind: 'containerregistry.azure.com/Registry', spec: { location: 'UK South' } } }],
    ['registry-replication-region', { location: 'uksouth' }, 'location', { location: 'ukwest' }, { siblings: [{ location: 'uksouth' }] }],
  ]),
];
