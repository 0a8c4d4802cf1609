import { common, diagnosticSetting, put, roleAssignment, SHOP, TENANT, type Put } from './areas/put';

/* A resource group as people have it: made in the portal and by scripts, over time. */

const NETWORK = `${SHOP}/providers/Microsoft.Network/virtualNetworks/shop-vnet`;
const NODES = `${NETWORK}/subnets/nodes`;
const DATABASES = `${NETWORK}/subnets/databases`;
const ZONE = `${SHOP}/providers/Microsoft.Network/privateDnsZones/shop.private.postgres.database.azure.com`;
const IDENTITY = `${SHOP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop-web`;
const CLUSTER = `${SHOP}/providers/Microsoft.ContainerService/managedClusters/shop-aks`;
const SERVER = `${SHOP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/shop-pg-4711`;
const ACCOUNT = `${SHOP}/providers/Microsoft.Storage/storageAccounts/shopdata4711`;
const VAULT = `${SHOP}/providers/Microsoft.KeyVault/vaults/shop-vault-4711`;

/** The requests that made it. `principalId` is that of the identity, which Azure chooses. */
export function shopGroup(principalId: string): readonly Put[] {
  return [
    {
      id: NETWORK,
      apiVersion: '2024-05-01',
      body: { ...common, properties: { addressSpace: { addressPrefixes: ['10.20.0.0/16'] } } },
    },
    { id: NODES, apiVersion: '2024-05-01', body: { properties: { addressPrefix: '10.20.0.0/22' } } },
    {
      id: DATABASES,
      apiVersion: '2024-05-01',
      body: {
        properties: {
          addressPrefix: '10.20.8.0/26',
          delegations: [{ name: 'postgres', properties: { serviceName: 'Microsoft.DBforPostgreSQL/flexibleServers' } }],
        },
      },
    },
    { id: ZONE, apiVersion: '2024-06-01', body: { location: 'global', tags: common.tags } },
    {
      id: `${ZONE}/virtualNetworkLinks/shop-vnet`,
      apiVersion: '2024-06-01',
      body: { location: 'global', tags: common.tags, properties: { registrationEnabled: false, virtualNetwork: { id: NETWORK } } },
    },
    {
      id: CLUSTER,
      apiVersion: '2025-08-01',
      body: {
        ...common,
        sku: { name: 'Base', tier: 'Standard' },
        identity: { type: 'SystemAssigned' },
        properties: {
          dnsPrefix: 'shop',
          kubernetesVersion: '1.33',
          oidcIssuerProfile: { enabled: true },
          securityProfile: { workloadIdentity: { enabled: true } },
          networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', serviceCidr: '10.0.0.0/16', dnsServiceIP: '10.0.0.10' },
          agentPoolProfiles: [
            { name: 'system', mode: 'System', count: 3, vmSize: 'Standard_D4s_v5', osType: 'Linux', vnetSubnetID: NODES, availabilityZones: ['1', '2', '3'] },
          ],
        },
      },
    },
    {
      id: SERVER,
      apiVersion: '2024-08-01',
      body: {
        ...common,
        sku: { name: 'Standard_D2ds_v5', tier: 'GeneralPurpose' },
        properties: {
          version: '16',
          createMode: 'Default',
          administratorLogin: 'shopadmin',
          administratorLoginPassword: 'never-shown-4711',
          storage: { storageSizeGB: 128 },
          backup: { backupRetentionDays: 14, geoRedundantBackup: 'Disabled' },
          highAvailability: { mode: 'ZoneRedundant' },
          network: { delegatedSubnetResourceId: DATABASES, privateDnsZoneArmResourceId: ZONE },
        },
      },
    },
    { id: `${SERVER}/databases/orders`, apiVersion: '2024-08-01', body: { properties: { charset: 'UTF8', collation: 'en_US.utf8' } } },
    { id: `${SERVER}/databases/catalogue`, apiVersion: '2024-08-01', body: { properties: { charset: 'UTF8', collation: 'en_US.utf8' } } },
    {
      id: ACCOUNT,
      apiVersion: '2023-01-01',
      body: {
        ...common,
        kind: 'StorageV2',
        sku: { name: 'Standard_ZRS' },
        properties: { accessTier: 'Hot', minimumTlsVersion: 'TLS1_2', supportsHttpsTrafficOnly: true, allowBlobPublicAccess: false },
      },
    },
    {
      id: `${ACCOUNT}/blobServices/default`,
      apiVersion: '2023-01-01',
      body: { properties: { isVersioningEnabled: true, deleteRetentionPolicy: { enabled: true, days: 14 } } },
    },
    { id: `${ACCOUNT}/blobServices/default/containers/images`, apiVersion: '2023-01-01', body: { properties: { publicAccess: 'None' } } },
    {
      id: VAULT,
      apiVersion: '2023-07-01',
      body: {
        ...common,
        properties: {
          tenantId: TENANT,
          sku: { family: 'A', name: 'standard' },
          enableRbacAuthorization: true,
          enableSoftDelete: true,
          enablePurgeProtection: true,
          accessPolicies: [],
        },
      },
    },
    {
      id: `${IDENTITY}/federatedIdentityCredentials/web`,
      apiVersion: '2023-01-31',
      body: {
        properties: {
          issuer: 'https://uksouth.oic.prod-aks.azure.com/7f1f4a6e/aa11bb22/', subject: 'system:serviceaccount:shop:web', audiences: ['api://AzureADTokenExchange'],
        },
      },
    },
    roleAssignment(ACCOUNT, 'b1000000-0000-4000-8000-000000000001', 'ba92f5b4-2d11-453d-a403-e96b0029c9fe', principalId),
    roleAssignment(VAULT, 'b1000000-0000-4000-8000-000000000002', '4633458b-17de-408a-b874-0445c86b69e6', principalId),
    diagnosticSetting(VAULT, 'audit', 'AuditEvent'),
    diagnosticSetting(SERVER, 'postgres', 'PostgreSQLLogs'),
  ];
}

export const SHOP_IDENTITY: Put = put('2023-01-31', IDENTITY, common);
