import { of, WARNING, type Case, type Row } from './case';

const keys = { ssh: { publicKeys: [{ keyData: 'ssh-rsa AAAA' }] } };
const disk = (spec: object) => ({ sku: { name: 'Premium_LRS' }, ...spec });
const users = (linuxConfiguration: object, more: object = {}) => ({ osProfile: { adminUsername: 'operator', linuxConfiguration, ...more } });
const osDisk = (spec: object) => ({ storageProfile: { osDisk: { createOption: 'Empty', ...spec } } });
const dataDisks = (...disks: object[]) => ({ storageProfile: { dataDisks: disks } });
const notice = (notBeforeTimeout: string) =>
  ({ scheduledEventsProfile: { terminateNotificationProfile: { enable: true, notBeforeTimeout } } });
const imaged = (imageReference: object) => ({ storageProfile: { osDisk: { createOption: 'FromImage' }, imageReference } });

/** A case of machines, and the same of the machines of a scale set. */
const both = ([rule, wrong, field, right, more = {}]: Row): Case[] => [
  ...of('compute.azure.com/VirtualMachine', [[rule, wrong, field, right, more]]),
  ...of('compute.azure.com/VirtualMachineScaleSet', [
    [rule, { virtualMachineProfile: wrong }, `virtualMachineProfile.${field}`, { virtualMachineProfile: right }, more],
  ]),
];
const UBUNTU = { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server' };

export const COMPUTE_CASES: readonly Case[] = [
  ...([
    ['vm-admin', { osProfile: { adminUsername: 'admin' } }, 'osProfile.adminUsername', { osProfile: { adminUsername: 'operator' } }],
    ['vm-admin', { osProfile: { adminUsername: 'x'.repeat(21), windowsConfiguration: {} } }, 'osProfile.adminUsername', { osProfile: { adminUsername: 'x'.repeat(21) } }],
    ['vm-credentials', users({ disablePasswordAuthentication: true }), 'osProfile.linuxConfiguration.ssh', users({ disablePasswordAuthentication: true, ...keys })],
    ['vm-credentials', users({}), 'osProfile.adminPassword', users({}, { adminPassword: { name: 's', key: 'k' } })],
    ['vm-system', { osProfile: { linuxConfiguration: keys, windowsConfiguration: {} } }, 'osProfile.windowsConfiguration', { osProfile: { windowsConfiguration: {} } }],
    ['vm-custom-data', { osProfile: { customData: '#cloud-config' } }, 'osProfile.customData', { osProfile: { customData: 'I2Nsb3Vk\nLWNvbmZpZw==' } }],
    ['vm-eviction', { evictionPolicy: 'Delete' }, 'evictionPolicy', { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: 0.1 } }],
    ['vm-image', imaged(UBUNTU), 'storageProfile.imageReference.version', imaged({ ...UBUNTU, version: 'latest' })],
    ['vm-image', { storageProfile: { osDisk: { createOption: 'FromImage' } } }, 'storageProfile.imageReference', imaged({ communityGalleryImageId: '/x' })],
    ['vm-system-disk', osDisk({ diskSizeGB: 4096 }), 'storageProfile.osDisk.diskSizeGB', osDisk({ diskSizeGB: 4095 })],
    ['vm-system-disk', osDisk({ managedDisk: { storageAccountType: 'PremiumV2_LRS' } }), 'storageProfile.osDisk.managedDisk.storageAccountType', osDisk({ managedDisk: { storageAccountType: 'Premium_LRS' } }), WARNING],
    ['vm-ephemeral-disk', osDisk({ caching: 'ReadWrite', diffDiskSettings: { option: 'Local' } }), 'storageProfile.osDisk.caching', osDisk({ caching: 'ReadOnly', diffDiskSettings: { option: 'Local' } })],
    ['vm-ephemeral-disk', osDisk({ caching: 'None', diffDiskSettings: { option: 'Local' } }), 'storageProfile.osDisk.caching', osDisk({ caching: 'ReadOnly', diffDiskSettings: { option: 'Local' } }), WARNING],
    ['vm-data-disks', dataDisks({ lun: 0, createOption: 'FromImage' }, { lun: 0, createOption: 'FromImage' }), 'storageProfile.dataDisks[1].lun', dataDisks({ lun: 0, createOption: 'Empty', diskSizeGB: 1 }, { lun: 1, createOption: 'FromImage' })],
    ['vm-data-disks', dataDisks({ lun: 0, createOption: 'Empty' }), 'storageProfile.dataDisks[0].diskSizeGB', dataDisks({ lun: 0, createOption: 'Attach', managedDisk: { reference: {} } })],
    ['vm-data-disks', dataDisks({ lun: 0, createOption: 'Attach' }), 'storageProfile.dataDisks[0].managedDisk', dataDisks({ lun: 0, createOption: 'Attach', managedDisk: { reference: {} } })],
    ['vm-data-disks', dataDisks({ caching: 'ReadOnly', managedDisk: { storageAccountType: 'UltraSSD_LRS' } }), 'storageProfile.dataDisks[0].caching', dataDisks({ caching: 'None', managedDisk: { storageAccountType: 'UltraSSD_LRS' } })],
    ['vm-interfaces', { networkProfile: { networkInterfaceConfigurations: [{ primary: true }, { primary: true }], networkApiVersion: '2022-11-01' } }, 'networkProfile.networkInterfaceConfigurations', { networkProfile: { networkInterfaceConfigurations: [{ primary: true }, { primary: false }], networkApiVersion: '2022-11-01' } }],
    ['vm-terminate-notice', notice('PT20M'), 'scheduledEventsProfile.terminateNotificationProfile.notBeforeTimeout', notice('PT15M')],
    ['vm-patches', { osProfile: { windowsConfiguration: { patchSettings: { enableHotpatching: true } } } }, 'osProfile.windowsConfiguration.patchSettings.enableHotpatching', { osProfile: { windowsConfiguration: { patchSettings: { enableHotpatching: true, patchMode: 'AutomaticByPlatform' } } } }],
    ['vm-patches', { osProfile: { linuxConfiguration: { provisionVMAgent: false, patchSettings: { patchMode: 'AutomaticByPlatform' } } } }, 'osProfile.linuxConfiguration.provisionVMAgent', { osProfile: { linuxConfiguration: { provisionVMAgent: false } } }],
  ] as Row[]).flatMap(both),
  ...of('compute.azure.com/VirtualMachine', [
    ['vm-size', { hardwareProfile: { vmSize: 'D2s_v5' } }, 'hardwareProfile.vmSize', { hardwareProfile: { vmSize: 'Standard_D2s_v5' } }],
    ['vm-computer-name', { osProfile: { computerName: 'shop-windows-001', windowsConfiguration: {} } }, 'osProfile.computerName', { osProfile: { computerName: 'shop-windows-001', linuxConfiguration: {} } }],
    ['vm-computer-name', { osProfile: { computerName: '4711', windowsConfiguration: {} } }, 'osProfile.computerName', { osProfile: { computerName: 'vm4711', windowsConfiguration: {} } }],
    ['vm-zone', { zones: ['1', '2'] }, 'zones', { zones: ['1'] }],
    ['vm-zone', { zones: ['1'], availabilitySet: { reference: {} } }, 'zones', { availabilitySet: { reference: {} } }],
    ['vm-set', { priority: 'Spot', availabilitySet: { reference: {} } }, 'priority', { priority: 'Regular', availabilitySet: { reference: {} } }],
    ['vm-set', { virtualMachineScaleSet: { reference: {} }, availabilitySet: { reference: {} } }, 'virtualMachineScaleSet', { virtualMachineScaleSet: { reference: {} } }],
    ['vm-attached', { storageProfile: { osDisk: { createOption: 'Attach' } }, osProfile: { computerName: 'vm' } }, 'osProfile', { storageProfile: { osDisk: { createOption: 'Attach' } } }],
    ['vm-interfaces', { networkProfile: { networkInterfaces: [{}, {}] } }, 'networkProfile.networkInterfaces', { networkProfile: { networkInterfaces: [{}] } }],
    ['vm-interface-version', { networkProfile: { networkInterfaceConfigurations: [{}] } }, 'networkProfile.networkApiVersion', { networkProfile: { networkInterfaces: [{}] } }],
    ['vm-extension-time', { extensionsTimeBudget: 'PT10M' }, 'extensionsTimeBudget', { extensionsTimeBudget: 'PT90M' }],
  ]),
  ...of('compute.azure.com/VirtualMachineScaleSet', [
    ['vm-computer-name', { virtualMachineProfile: { osProfile: { computerNamePrefix: 'shop-nodes', windowsConfiguration: {} } } }, 'virtualMachineProfile.osProfile.computerNamePrefix', { virtualMachineProfile: { osProfile: { computerNamePrefix: 'shop-node', windowsConfiguration: {} } } }],
    ['vm-interface-version', { orchestrationMode: 'Flexible', virtualMachineProfile: { networkProfile: { networkInterfaceConfigurations: [{}] } } }, 'virtualMachineProfile.networkProfile.networkApiVersion', { orchestrationMode: 'Uniform', virtualMachineProfile: { networkProfile: { networkInterfaceConfigurations: [{}] } } }],
    ['scale-set-capacity', { sku: { capacity: 1001 } }, 'sku.capacity', { sku: { capacity: 1000 } }],
    ['scale-set-capacity', { singlePlacementGroup: true, sku: { capacity: 101 } }, 'singlePlacementGroup', { singlePlacementGroup: true, sku: { capacity: 100 } }],
    ['scale-set-flexible', { orchestrationMode: 'Flexible', singlePlacementGroup: true }, 'singlePlacementGroup', { orchestrationMode: 'Flexible', singlePlacementGroup: false }, WARNING],
    ['scale-set-upgrade', { orchestrationMode: 'Uniform' }, 'upgradePolicy', { orchestrationMode: 'Uniform', upgradePolicy: { mode: 'Manual' } }],
    ['scale-set-repairs', { automaticRepairsPolicy: { gracePeriod: 'PT5M' } }, 'automaticRepairsPolicy.gracePeriod', { automaticRepairsPolicy: { gracePeriod: 'PT90M' } }],
    ['scale-set-balance', { zoneBalance: true, zones: ['1'] }, 'zoneBalance', { zoneBalance: true, zones: ['1', '2'] }],
  ]),
  ...of('compute.azure.com/AvailabilitySet', [
    ['availability-set-domains', { platformFaultDomainCount: 4 }, 'platformFaultDomainCount', { platformFaultDomainCount: 3, platformUpdateDomainCount: 20 }],
    ['availability-set-domains', { platformUpdateDomainCount: 21 }, 'platformUpdateDomainCount', { platformUpdateDomainCount: 1 }],
  ]),
  ...of('compute.azure.com/Disk', [
    ['disk-size', disk({ diskSizeGB: 32_768 }), 'diskSizeGB', { sku: { name: 'UltraSSD_LRS' }, diskSizeGB: 65_536 }],
    ['disk-source', disk({ creationData: { createOption: 'Empty' } }), 'diskSizeGB', disk({ creationData: { createOption: 'Empty' }, diskSizeGB: 4 })],
    ['disk-source', { creationData: { createOption: 'Copy' } }, 'creationData.sourceResourceReference', { creationData: { createOption: 'Copy', sourceResourceReference: {} } }],
    ['disk-source', { creationData: { createOption: 'FromImage' } }, 'creationData.imageReference', { creationData: { createOption: 'FromImage', galleryImageReference: {} } }],
    ['disk-zone', { sku: { name: 'Premium_ZRS' }, zones: ['1'] }, 'zones', { sku: { name: 'Premium_LRS' }, zones: ['1'] }],
    ['disk-zone', { zones: ['1', '2'] }, 'zones', { zones: ['3'] }],
    ['disk-performance', disk({ diskSizeGB: 128, diskIOPSReadWrite: 2000 }), 'diskIOPSReadWrite', disk({ diskSizeGB: 128, tier: 'P30', diskIOPSReadWrite: 5000, diskMBpsReadWrite: 100 })],
    ['disk-performance', { sku: { name: 'StandardSSD_LRS' }, diskMBpsReadWrite: 1000 }, 'diskMBpsReadWrite', { sku: { name: 'PremiumV2_LRS' }, diskMBpsReadWrite: 1000 }],
    ['disk-performance', disk({ diskSizeGB: 1024, diskIOPSReadWrite: 8000 }), 'diskIOPSReadWrite', disk({ diskSizeGB: 1024, diskIOPSReadWrite: 8000, creationData: { performancePlus: true } })],
    ['disk-sector', { creationData: { logicalSectorSize: 1024 } }, 'creationData.logicalSectorSize', { creationData: { logicalSectorSize: 512 } }],
    ['disk-tier', { sku: { name: 'StandardSSD_LRS' }, tier: 'P30' }, 'tier', disk({ tier: 'P30', diskSizeGB: 1024 })],
    ['disk-tier', disk({ tier: 'P10', diskSizeGB: 1024 }), 'tier', disk({ tier: 'P99', diskSizeGB: 1024 })],
    ['disk-bursting', disk({ burstingEnabled: true, diskSizeGB: 512 }), 'burstingEnabled', disk({ burstingEnabled: true, diskSizeGB: 513 })],
    ['disk-shares', { sku: { name: 'Standard_LRS' }, maxShares: 2 }, 'maxShares', { sku: { name: 'StandardSSD_LRS' }, maxShares: 2 }],
    ['disk-shares', disk({ diskSizeGB: 512, maxShares: 4 }), 'maxShares', disk({ diskSizeGB: 1024, maxShares: 5 })],
    ['disk-access', { networkAccessPolicy: 'AllowPrivate' }, 'diskAccessReference', { networkAccessPolicy: 'AllowAll' }],
    ['disk-encryption', { encryption: { type: 'EncryptionAtRestWithCustomerKey' } }, 'encryption.diskEncryptionSetReference', { encryption: { type: 'EncryptionAtRestWithPlatformKey' } }],
  ]),
];
