import { HUBS, of, pool, WARNING, type Case, type Parent } from './case';

const ACCOUNT = 'storage.azure.com/StorageAccount';
const REGISTRY = 'containerregistry.azure.com/Registry';
const VAULT = 'keyvault.azure.com/Vault';
const MACHINE = 'compute.azure.com/VirtualMachine';
const SCALE_SET = 'compute.azure.com/VirtualMachineScaleSet';
const POSTGRESQL = 'dbforpostgresql.azure.com/FlexibleServer';
const SERVER = 'sql.azure.com/Server';
const DATABASE = 'sql.azure.com/ServersDatabase';
const STORE = 'appconfiguration.azure.com/ConfigurationStore';
const CLUSTER = 'containerservice.azure.com/ManagedCluster';

const closed: Parent = { kind: ACCOUNT, name: 'closed', spec: { kind: 'StorageV2', sku: { name: 'Standard_LRS' }, allowSharedKeyAccess: false } };
const open: Parent = { kind: ACCOUNT, name: 'open', spec: { kind: 'StorageV2', sku: { name: 'Standard_LRS' }, allowSharedKeyAccess: true } };
const vault = (properties: object): Parent => ({ kind: VAULT, name: 'vault', spec: { properties: { enableRbacAuthorization: true, ...properties } } });
const registry: Parent = { kind: REGISTRY, name: 'shopimages', spec: { sku: { name: 'Basic' }, adminUserEnabled: false } };
const mount = (more: object) => ({ siteConfig: { azureStorageAccounts: { scans: { accountName: 'closed', shareName: 'scans', type: 'AzureFiles', mountPath: '/scans', ...more } } } });
const setting = (value: string) => ({ siteConfig: { appSettings: [{ name: 'AzureWebJobsStorage', value }] } });
const share = (storageAccountName: string) => ({ volumes: [{ name: 'scans', azureFile: { shareName: 'scans', storageAccountName } }] });
const pulls = (username: string, server = 'shopimages.azurecr.io') => ({ configuration: { registries: [{ server, username, passwordSecretRef: 'pw' }] } });
const capture = (more: object, enabled = true) => ({
  captureDescription: {
    enabled, encoding: 'Avro', destination: { name: 'EventHubArchive.AzureBlockBlob', blobContainer: 'c', storageAccountResourceReference: {}, ...more },
  },
});
const hubsWith = (more: object): Parent => ({ kind: HUBS, spec: { sku: { name: 'Standard' }, ...more } });
const audit = (state: string, more: object = {}) => ({ state, storageEndpoint: 'https://closed.blob.core.windows.net', storageAccountAccessKey: {}, ...more });
const addOn = (name: string, config?: object, enabled = true) => ({ addonProfiles: { [name]: { enabled, ...(config && { config }) } } });
const defender = (enabled: boolean, more: object = {}) => ({ securityProfile: { defender: { securityMonitoring: { enabled }, ...more } } });
const SPOT = { scaleSetPriority: 'Spot', mode: 'User' };
const LABEL = { 'kubernetes.azure.com/scalesetpriority': 'spot' };
const TAINT = 'kubernetes.azure.com/scalesetpriority=spot:NoSchedule';
const localUser = { localUser: { serverAdminUsername: 'a', serverAdminPassword: {}, password: {} } };
const postgresql = (passwordAuth: string): Parent => ({ kind: POSTGRESQL, spec: { authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth } } });
const sql = (more: object): Parent => ({ kind: SERVER, spec: { administratorLogin: 'shopadmin', ...more } });
const entraOnly = { kind: 'sql.azure.com/ServersAzureADOnlyAuthentication', spec: { azureADOnlyAuthentication: true } };
const administrators = (azureADOnlyAuthentication: boolean) => ({
  administrators: { login: 'dba', sid: '11111111-2222-3333-4444-555555555555', azureADOnlyAuthentication },
});
const ADDRESSES = { startIpAddress: '10.0.0.1', endIpAddress: '10.0.0.2' };
const parts = {
  hardwareProfile: { vmSize: 'Standard_D2s_v5' },
  storageProfile: { osDisk: { createOption: 'Attach', managedDisk: { reference: {} } } },
  networkProfile: { networkInterfaces: [{ reference: {} }] },
};
const without = (part: keyof typeof parts) => Object.fromEntries(Object.entries(parts).filter(([name]) => name !== part));
const marketplace = { osDisk: { createOption: 'FromImage' }, imageReference: { publisher: 'Canonical', offer: 'ubuntu', sku: '24', version: 'latest' } };
const profile = {
  storageProfile: { imageReference: { reference: {} }, osDisk: { createOption: 'FromImage' } },
  networkProfile: { networkInterfaceConfigurations: [{ name: 'nic', primary: true }] },
};
const extensible = (allowed: boolean): Parent => ({ kind: MACHINE, spec: { ...parts, osProfile: { allowExtensionOperations: allowed } } });
const certificates = { ...parts, osProfile: { secrets: [{ sourceVault: { reference: {} } }] } };
const linux = (disablePasswordAuthentication: boolean) => ({
  ...parts, osProfile: { adminUsername: 'operator', adminPassword: {}, linuxConfiguration: { disablePasswordAuthentication, ssh: { publicKeys: [{ path: 'x', keyData: 'y' }] } } },
});
const subnet = (more: object): Parent => ({ kind: 'network.azure.com/VirtualNetworksSubnet', spec: { addressPrefix: '10.0.1.0/24', ...more } });
const service = { ipConfigurations: [{ name: 'one', subnet: { reference: {} } }] };
const role = (wellKnownName: string) => ({ roleDefinitionReference: { wellKnownName } });

/** Settings that turn something off, and resources that need it. */
export const SWITCHED_OFF_CASES: readonly Case[] = [
  ...of('web.azure.com/Site', [
    ['site-storage-mount', mount({}), 'siteConfig.azureStorageAccounts.scans.accountName', mount({ accountName: 'other' }), { known: closed }],
    ['site-storage-mount', mount({ type: 'AzureBlob' }), 'siteConfig.azureStorageAccounts.scans.accountName', mount({ protocol: 'Nfs' }), { known: closed }],
    ['site-storage-key', setting('DefaultEndpointsProtocol=https;AccountName=closed;AccountKey=x'), 'siteConfig.appSettings[0].value', setting('AccountName=closed;BlobEndpoint=https://closed.blob.core.windows.net'), { known: closed }],
    ['site-storage-key', { siteConfig: { connectionStrings: [{ name: 'a', connectionString: 'AccountName=closed;AccountKey=x' }] } }, 'siteConfig.connectionStrings[0].connectionString',
      { siteConfig: { connectionStrings: [{ name: 'a', connectionString: 'AccountName=another;AccountKey=x' }] } }, { known: closed }],
  ]),
  ...of('containerinstance.azure.com/ContainerGroup', [
    ['container-group-share', share('closed'), 'volumes[0].azureFile.storageAccountName', share('another'), { known: closed }],
    ['container-group-logs', { diagnostics: { logAnalytics: { workspaceId: 'x', workspaceKey: {}, workspaceResourceReference: {} } } }, 'diagnostics.logAnalytics.workspaceKey',
      { diagnostics: { logAnalytics: { workspaceId: 'x', workspaceKey: {} } } }, { refersTo: { kind: 'operationalinsights.azure.com/Workspace', spec: { features: { disableLocalAuth: true } } } }],
    ['registry-administrator', { imageRegistryCredentials: [{ server: 'shopimages.azurecr.io', username: 'shopimages', password: {} }] }, 'imageRegistryCredentials[0].username',
      { imageRegistryCredentials: [{ server: 'shopimages.azurecr.io', identity: 'x' }] }, { known: registry }],
  ]),
  ...of('app.azure.com/ContainerApp', [
    ['registry-administrator', pulls('shopimages'), 'configuration.registries[0].username', pulls('token'), { known: registry }],
    ['registry-administrator', pulls('ShopImages', 'https://ShopImages.azurecr.io'), 'configuration.registries[0].username', pulls('shopimages', 'docker.io'), { known: registry }],
  ]),
  ...of('app.azure.com/Job', [
    ['registry-administrator', pulls('shopimages'), 'configuration.registries[0].username', pulls('other'), { known: registry }],
  ]),
  ...of('batch.azure.com/BatchAccount', [
    ['batch-storage-key', { autoStorage: { storageAccountReference: {} } }, 'autoStorage.storageAccountReference',
      { autoStorage: { storageAccountReference: {}, authenticationMode: 'BatchAccountManagedIdentity' } }, { refersTo: closed }],
  ]),
  ...of('eventhub.azure.com/NamespacesEventhub', [
    ['event-hubs-capture-key', capture({}), 'captureDescription.destination.storageAccountResourceReference', capture({ identity: { type: 'SystemAssigned' } }), { refersTo: closed, owner: hubsWith({ identity: { type: 'SystemAssigned' } }) }],
    ['event-hubs-capture-key', capture({}), 'captureDescription.destination.storageAccountResourceReference', capture({}, false), { refersTo: closed, owner: hubsWith({}) }],
    ['event-hubs-capture-identity', capture({ identity: { type: 'SystemAssigned' } }), 'captureDescription.destination.identity.type', capture({}), { refersTo: open, owner: hubsWith({}) }],
    ['event-hubs-capture-identity', capture({ identity: { type: 'UserAssigned' } }), 'captureDescription.destination.identity.type', capture({ identity: { type: 'SystemAssigned' } }),
      { refersTo: open, owner: hubsWith({ identity: { type: 'SystemAssigned' } }) }],
  ]),
  ...of('sql.azure.com/ServersAuditingSetting', [
    ['sql-storage-key', audit('Enabled'), 'storageAccountAccessKey', audit('Disabled'), { known: closed }],
    ['sql-storage-key', audit('Enabled'), 'storageAccountAccessKey', { state: 'Enabled', storageEndpoint: 'https://closed.blob.core.windows.net' }, { known: closed }],
  ]),
  ...of('machinelearningservices.azure.com/Workspace', [
    ['machine-learning-keys', { storageAccountReference: {}, operatorSpec: { secrets: { userStorageKey: {} } } }, 'operatorSpec.secrets.userStorageKey',
      { storageAccountReference: {}, operatorSpec: { secrets: { primaryNotebookAccessKey: {} } } }, { refersTo: closed }],
    ['machine-learning-keys', { containerRegistryReference: {}, operatorSpec: { secrets: { containerRegistryPassword: {} } } }, 'operatorSpec.secrets.containerRegistryPassword',
      { containerRegistryReference: {}, operatorSpec: { secrets: { appInsightsInstrumentationKey: {} } } }, { refersTo: registry }],
  ]),
  ...of('dbforpostgresql.azure.com/User', [
    ['postgresql-user-password', localUser, 'localUser', {}, { owner: postgresql('Disabled') }],
  ]),
  ...of('sql.azure.com/User', [
    ['sql-user-password', localUser, 'localUser', {}, { owner: { kind: DATABASE, spec: {}, owner: sql(administrators(true)) } }],
    ['sql-user-password', localUser, 'localUser', {}, { owner: { kind: DATABASE, spec: {}, owner: sql(administrators(false)), beside: [entraOnly] } }],
  ]),
  ...of('dbformysql.azure.com/User', [
    ['mysql-user-password', localUser, 'localUser', { aadUser: { serverAdminUsername: 'a', alias: 'b' } },
      { beside: [{ kind: 'dbformysql.azure.com/FlexibleServersConfiguration', name: 'aad_auth_only', spec: { value: 'ON' } }] }],
  ]),
  ...of(POSTGRESQL, [
    ['postgresql-password-unused', { ...postgresql('Disabled').spec, administratorLoginPassword: {} }, 'administratorLoginPassword', { ...postgresql('Enabled').spec, administratorLogin: 'dba', administratorLoginPassword: {} }, WARNING],
  ]),
  ...of('dbforpostgresql.azure.com/FlexibleServersFirewallRule', [
    ['database-server-private-firewall', ADDRESSES, 'startIpAddress', {}, { ...WARNING, owner: { kind: POSTGRESQL, spec: { administratorLogin: 'dba', network: { publicNetworkAccess: 'Disabled' } } } }],
  ]),
  ...of(SERVER, [
    ['sql-password-unused', { administratorLogin: 'dba', administratorLoginPassword: {}, ...administrators(true) }, 'administratorLoginPassword', { administratorLogin: 'dba', administratorLoginPassword: {}, ...administrators(false) }, WARNING],
  ]),
  ...of('sql.azure.com/ServersFirewallRule', [
    ['sql-public-access', ADDRESSES, 'owner', {}, { owner: sql({ publicNetworkAccess: 'Disabled' }) }],
  ]),
  ...of('sql.azure.com/ServersVirtualNetworkRule', [
    ['sql-public-access', { virtualNetworkSubnetReference: {}, ignoreMissingVnetServiceEndpoint: true }, 'owner', {}, { owner: sql({ publicNetworkAccess: 'Disabled' }) }],
  ]),
  ...of('sql.azure.com/ServersAzureADOnlyAuthentication', [
    ['sql-entra-only-administrator', { azureADOnlyAuthentication: true }, 'azureADOnlyAuthentication', { azureADOnlyAuthentication: false }, { owner: sql({}) }],
  ]),
  ...of(CLUSTER, [
    ['aks-addon-settings', { dnsPrefix: 'shop', ...addOn('omsagent') }, 'addonProfiles.omsagent.config', { dnsPrefix: 'shop', ...addOn('omsagent', { logAnalyticsWorkspaceResourceID: '/subscriptions/x' }) }],
    ['aks-addon-settings', { dnsPrefix: 'shop', ...addOn('omsAgent', { useAADAuth: 'true' }) }, 'addonProfiles.omsAgent.config', { dnsPrefix: 'shop', ...addOn('omsagent', undefined, false) }],
    ['aks-addon-settings', { dnsPrefix: 'shop', ...addOn('aciConnectorLinux') }, 'addonProfiles.aciConnectorLinux.config', { dnsPrefix: 'shop', ...addOn('azurepolicy') }],
    ['aks-addon-settings', { dnsPrefix: 'shop', ...addOn('ingressApplicationGateway') }, 'addonProfiles.ingressApplicationGateway.config', { dnsPrefix: 'shop', ...addOn('ingressApplicationGateway', { subnetCIDR: '10.225.0.0/16' }) }],
    ['aks-addon-settings', { dnsPrefix: 'shop', ...addOn('ingressApplicationGateway', { applicationGatewayId: '' }) }, 'addonProfiles.ingressApplicationGateway.config', { dnsPrefix: 'shop', ...addOn('azureKeyvaultSecretsProvider') }],
    ['aks-defender-workspace', { dnsPrefix: 'shop', ...defender(true) }, 'securityProfile.defender.logAnalyticsWorkspaceResourceReference', { dnsPrefix: 'shop', ...defender(true, { logAnalyticsWorkspaceResourceReference: {} }) }],
    ['aks-defender-workspace', { dnsPrefix: 'shop', ...defender(true) }, 'securityProfile.defender.logAnalyticsWorkspaceResourceReference', { dnsPrefix: 'shop', ...defender(false) }],
    ['aks-spot-label', pool({ ...SPOT, nodeLabels: { team: 'shop' } }), 'agentPoolProfiles[0].nodeLabels', pool({ ...SPOT, nodeLabels: { ...LABEL, team: 'shop' } }), WARNING],
  ]),
  ...of('containerservice.azure.com/ManagedClustersAgentPool', [
    ['aks-spot-label', { ...SPOT, nodeLabels: { team: 'shop' } }, 'nodeLabels', SPOT, WARNING],
    ['aks-spot-label', { ...SPOT, nodeLabels: { 'kubernetes.azure.com/scalesetpriority': 'regular' } }, 'nodeLabels', { nodeLabels: { team: 'shop' } }, WARNING],
    ['aks-spot-label', { ...SPOT, nodeLabels: LABEL, nodeTaints: ['team=shop:NoSchedule'] }, 'nodeTaints', { ...SPOT, nodeLabels: LABEL, nodeTaints: [TAINT] }, { severity: 'info' }],
  ]),
  ...of(MACHINE, [
    ['vm-profiles', without('hardwareProfile'), 'hardwareProfile', parts],
    ['vm-profiles', without('storageProfile'), 'storageProfile', parts],
    ['vm-profiles', without('networkProfile'), 'networkProfile', { ...without('networkProfile'), virtualMachineScaleSet: {} }],
    ['vm-profiles', { ...parts, networkProfile: { networkInterfaces: [] } }, 'networkProfile', { ...parts, networkProfile: { networkApiVersion: '2022-11-01', networkInterfaceConfigurations: [{ name: 'nic' }] } }],
    ['vm-profiles', { ...parts, storageProfile: marketplace }, 'osProfile', { ...parts, storageProfile: { osDisk: { createOption: 'FromImage' }, imageReference: { reference: {} } } }],
    ['vm-vault-deployment', certificates, 'osProfile.secrets[0].sourceVault.reference', parts, { refersTo: vault({ enabledForDeployment: false }) }],
    ['vm-password-unused', linux(true), 'osProfile.adminPassword', linux(false), WARNING],
  ]),
  ...of(SCALE_SET, [
    ['vm-profiles', { virtualMachineProfile: { storageProfile: profile.storageProfile } }, 'virtualMachineProfile.networkProfile', { orchestrationMode: 'Flexible' }],
    ['vm-profiles', { virtualMachineProfile: { networkProfile: profile.networkProfile } }, 'virtualMachineProfile.storageProfile', { virtualMachineProfile: profile }],
  ]),
  ...of('compute.azure.com/VirtualMachinesExtension', [
    ['vm-extension-allowed', {}, 'owner', {}, { owner: extensible(false) }],
  ]),
  ...of('network.azure.com/PrivateLinkService', [
    ['private-link-service-policies', service, 'ipConfigurations[0].subnet.reference', { ipConfigurations: [] }, { refersTo: subnet({ privateLinkServiceNetworkPolicies: 'Enabled' }) }],
  ]),
  ...of('appconfiguration.azure.com/KeyValue', [
    ['app-configuration-values', {}, 'owner', {}, { owner: { kind: STORE, spec: { sku: { name: 'standard' }, disableLocalAuth: true } } }],
  ]),
  ...of('authorization.azure.com/RoleAssignment', [
    ['key-vault-role-unused', role('Key Vault Secrets User'), 'roleDefinitionReference', role('Reader'), { ...WARNING, owner: vault({ enableRbacAuthorization: false, accessPolicies: [{}] }) }],
  ]),
  ...of(VAULT, [
    ['key-vault-access', { properties: { createMode: 'createOrRecover' } }, 'properties.accessPolicies', { properties: { createMode: 'recover' } }],
    ['key-vault-access', { properties: { createMode: 'purgeThenCreate', accessPolicies: [] } }, 'properties.accessPolicies', { properties: { createMode: 'createOrRecover', enableRbacAuthorization: true } }],
    ['key-vault-policies-unused', { properties: { enableRbacAuthorization: true, accessPolicies: [{}] } }, 'properties.accessPolicies', { properties: { enableRbacAuthorization: false, accessPolicies: [{}] } }, WARNING],
  ]),
  ...of(ACCOUNT, [
    ['storage-sftp-users', { isHnsEnabled: true, isSftpEnabled: true, isLocalUserEnabled: false }, 'isLocalUserEnabled', { isHnsEnabled: true, isSftpEnabled: true, isLocalUserEnabled: true }, WARNING],
  ]),
];
