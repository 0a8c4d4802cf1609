import { common, customRole, put, roleAssignment, SHOP, type Area, type Put } from './put';

const GROUP = `${SHOP}-compute`;
const COMPUTE = `${GROUP}/providers/Microsoft.Compute`;
const NIC = `${GROUP}/providers/Microsoft.Network/networkInterfaces/shop-batch`;
const SUBNET = `${SHOP}/providers/Microsoft.Network/virtualNetworks/shop-vnet/subnets/nodes`;
const REGISTRY = `${GROUP}/providers/Microsoft.ContainerRegistry/registries/shopimages4711`;
const VIRTUAL_MACHINE = `${COMPUTE}/virtualMachines/shop-batch`;
const SCALE_SET = `${COMPUTE}/virtualMachineScaleSets/shop-workers`;
const UBUNTU = { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', version: 'latest' };
const SSH = {
  disablePasswordAuthentication: true,
  ssh: {
    publicKeys: [
      {
        path: '/home/shop/.ssh/authorized_keys',
        keyData: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO1S0w7Fq8cD3m0v1q1x9XbB3m1J9c0kq9s1q3xW7YhK shop',
      },
    ],
  },
};

const machines: readonly Put[] = [
  put('2024-11-01', `${COMPUTE}/availabilitySets/shop-batch`, {
    ...common, sku: { name: 'Aligned' }, properties: { platformFaultDomainCount: 2, platformUpdateDomainCount: 5 },
  }),
  put('2024-05-01', NIC, {
    ...common,
    properties: {
      ipConfigurations: [{ name: 'primary', properties: { privateIPAllocationMethod: 'Dynamic', subnet: { id: SUBNET } } }],
    },
  }),
  put('2022-03-01', VIRTUAL_MACHINE, {
    ...common,
    identity: { type: 'SystemAssigned' },
    properties: {
      hardwareProfile: { vmSize: 'Standard_D2s_v5' },
      availabilitySet: { id: `${COMPUTE}/availabilitySets/shop-batch` },
      osProfile: { computerName: 'shop-batch', adminUsername: 'shop', linuxConfiguration: SSH },
      storageProfile: { imageReference: UBUNTU, osDisk: { createOption: 'FromImage', managedDisk: { storageAccountType: 'Premium_LRS' } } },
      networkProfile: { networkInterfaces: [{ id: NIC, properties: { primary: true } }] },
    },
  }),
  put('2022-03-01', `${VIRTUAL_MACHINE}/extensions/health`, {
    ...common,
    properties: {
      publisher: 'Microsoft.ManagedServices',
      type: 'ApplicationHealthLinux',
      typeHandlerVersion: '1.0',
      autoUpgradeMinorVersion: true,
      settings: { protocol: 'tcp', port: 22 },
    },
  }),
  put('2022-03-01', SCALE_SET, {
    ...common,
    sku: { name: 'Standard_D2s_v5', tier: 'Standard', capacity: 2 },
    properties: {
      upgradePolicy: { mode: 'Manual' },
      overprovision: false,
      singlePlacementGroup: false,
      platformFaultDomainCount: 1,
      virtualMachineProfile: {
        osProfile: { computerNamePrefix: 'worker', adminUsername: 'shop', linuxConfiguration: SSH },
        storageProfile: {
          imageReference: UBUNTU,
          osDisk: { createOption: 'FromImage', managedDisk: { storageAccountType: 'Premium_LRS' } },
        },
        networkProfile: {
          networkInterfaceConfigurations: [{
            name: 'primary', properties: { primary: true, ipConfigurations: [{ name: 'primary', properties: { subnet: { id: SUBNET } } }] },
          }],
        },
      },
    },
  }),
  put('2022-03-01', `${SCALE_SET}/extensions/health`, {
    properties: {
      publisher: 'Microsoft.ManagedServices',
      type: 'ApplicationHealthLinux',
      typeHandlerVersion: '1.0',
      settings: { protocol: 'tcp', port: 22 },
    },
  }),
];

const disks: readonly Put[] = [
  put('2024-03-02', `${COMPUTE}/diskAccesses/shop-export`, common),
  put('2024-03-02', `${COMPUTE}/disks/shop-archive`, {
    ...common, sku: { name: 'StandardSSD_LRS' }, properties: { diskSizeGB: 256, creationData: { createOption: 'Empty' } },
  }),
  put('2024-03-02', `${COMPUTE}/snapshots/shop-archive`, {
    ...common,
    sku: { name: 'Standard_ZRS' },
    properties: { incremental: true, creationData: { createOption: 'Copy', sourceResourceId: `${COMPUTE}/disks/shop-archive` } },
  }),
];

const images: readonly Put[] = [
  put('2023-07-01', REGISTRY, {
    ...common,
    sku: { name: 'Premium' },
    properties: { adminUserEnabled: false, publicNetworkAccess: 'Enabled', zoneRedundancy: 'Enabled' },
  }),
  put('2023-07-01', `${REGISTRY}/replications/ukwest`, {
    ...common,
    location: 'ukwest',
    properties: { regionEndpointEnabled: true, zoneRedundancy: 'Disabled' },
  }),
  put('2021-10-01', `${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/shop-cron`, {
    ...common,
    properties: {
      osType: 'Linux',
      sku: 'Standard',
      restartPolicy: 'OnFailure',
      containers: [{
        name: 'cron',
        properties: {
          image: 'mcr.microsoft.com/azure-cli:2.60.0',
          command: ['sleep', '3600'],
          resources: { requests: { cpu: 1, memoryInGB: 1.5 } },
        },
      }],
    },
  }),
];

/** Machines, disks and images of the shop. */
export const COMPUTE_AREA: Area = {
  group: GROUP,
  resources: (principalId) => [
    ...machines,
    ...disks,
    ...images,
    customRole(GROUP, 'b2000001-0000-4000-8000-000000004711', 'shop-prod batch operator', ['Microsoft.Compute/virtualMachines/restart/action']),
    roleAssignment(REGISTRY, 'b1000003-0000-4000-8000-000000004711', '7f951dda-4ed3-4680-a7ca-43fe172d538d', principalId),
  ],
};
