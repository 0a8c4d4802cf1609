import { App, Chart } from 'cdk8s';
import { workload } from './workload';
import {
  AsoAuthentication, AsoCredential, BuiltInRole, Defaults, Principal, RemovalPolicies, RemovalPolicy, RoleAssignmentNaming, SecureDefaults,
} from 'cdk8s-aso';
import { Redis } from 'cdk8s-aso/cache';
import { Registry } from 'cdk8s-aso/containerregistry';
import { ManagedCluster } from 'cdk8s-aso/containerservice';
import { FlexibleServer } from 'cdk8s-aso/dbforpostgresql';
import { DatabaseAccount } from 'cdk8s-aso/documentdb';
import { ActionGroup, Component } from 'cdk8s-aso/insights';
import { Vault } from 'cdk8s-aso/keyvault';
import { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import { PrivateDnsZone, VirtualNetwork } from 'cdk8s-aso/network';
import { Workspace } from 'cdk8s-aso/operationalinsights';
import { Alerts, Diagnostics, PrivateEndpoints } from 'cdk8s-aso/patterns';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { Namespace } from 'cdk8s-aso/servicebus';
import { StorageAccount } from 'cdk8s-aso/storage';

const subscriptionId = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
const tenantId = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';

/** A web shop: a cluster, data, messages, secrets and monitoring, and the two programs that use them. All ids are made up. */
export function webShop(app: App): Chart {
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  Defaults.of(chart).use({ location: 'uksouth', tenantId, skuTier: 'Standard', tags: { app: 'shop' } });
  SecureDefaults.of(chart).apply();
  RemovalPolicies.of(chart).apply(RemovalPolicy.RETAIN);
  RoleAssignmentNaming.tenantUnique({ subscriptionId }).applyTo(chart);
  const authentication = AsoAuthentication.workloadIdentity('0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486');
  new AsoCredential(chart, 'credential', { subscriptionId, tenantId, authentication });
  const owner = new ResourceGroup(chart, 'group', { azureName: 'rg-shop' });

  // The network, with subnets whose ranges follow from their names, and private DNS.
  const network = new VirtualNetwork(chart, 'net', { owner, addressSpace: { addressPrefixes: ['10.20.0.0/16'] } });
  const nodes = network.addSubnet('nodes', { addressPrefix: '/22' });
  const database = network.addSubnet('database', {
    delegations: [{ name: 'postgresql', serviceName: 'Microsoft.DBforPostgreSQL/flexibleServers' }],
  });
  const endpoints = new PrivateEndpoints(chart, 'private', { owner, network, subnet: network.addSubnet('private') });
  const dns = new PrivateDnsZone(chart, 'dns', { owner, azureName: 'shop.private.postgres.database.azure.com' });
  const link = dns.addVirtualNetworkLink('network', { virtualNetwork: { reference: network }, registrationEnabled: false });

  // The cluster, and the registry that it pulls from.
  const operator = new UserAssignedIdentity(chart, 'operator', { owner });
  nodes.grant(BuiltInRole.NETWORK_CONTRIBUTOR, operator);
  const cluster = new ManagedCluster(chart, 'cluster', {
    owner,
    dnsPrefix: 'shop',
    identity: { type: 'UserAssigned', userAssignedIdentities: [{ reference: operator }] },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 3, vmSize: 'Standard_D4s_v5', vnetSubnetReference: nodes }],
    networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', serviceCidr: '172.16.0.0/16', dnsServiceIP: '172.16.0.10' },
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
  });
  cluster.addAgentPool('shop', { mode: 'User', count: 2, vmSize: 'Standard_D4s_v5', vnetSubnetReference: nodes });
  const registry = new Registry(chart, 'registry', { owner, azureName: 'shopregistry4711' });
  registry.grant(BuiltInRole.ACR_PULL, Principal.fromConfig(cluster.outputs.kubeletObjectId));

  // The identity of the programs, and the data that it may use.
  const identity = new UserAssignedIdentity(chart, 'programs', { owner });
  const postgres = new FlexibleServer(chart, 'postgres', {
    owner,
    azureName: 'shop-postgres-4711',
    version: '16',
    sku: { name: 'Standard_D2ds_v5', tier: 'GeneralPurpose' },
    storage: { storageSizeGB: 64 },
    network: { delegatedSubnetResourceReference: database, privateDnsZoneArmResourceReference: dns },
    authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' },
  });
  postgres.node.addDependency(link);
  postgres.addDatabase('orders');
  postgres.addAdministrator('programs', {
    azureNameFromConfig: identity.outputs.principalId, principalName: 'programs', principalType: 'ServicePrincipal',
  });
  const redis = new Redis(chart, 'redis', { owner, azureName: 'shop-redis-4711', sku: { name: 'Standard', family: 'C', capacity: 1 } });
  const cosmos = new DatabaseAccount(chart, 'cosmos', {
    owner, azureName: 'shop-cosmos-4711', databaseAccountOfferType: 'Standard', locations: [{ locationName: 'uksouth' }],
  });
  cosmos.addSqlDatabase('shop', { resource: { id: 'shop' } }).addContainer('carts', {
    resource: { id: 'carts', partitionKey: { paths: ['/customer'], kind: 'Hash' } }, options: { throughput: 400 },
  });
  cosmos.addSqlRoleAssignment('programs', {
    principalIdFromConfig: identity.outputs.principalId,
    roleDefinitionId: `${cosmos.armId}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002`, // Data Contributor
    scope: cosmos.armId,
  });
  const storage = new StorageAccount(chart, 'storage', { owner, azureName: 'shopdata4711', kind: 'StorageV2', sku: { name: 'Standard_ZRS' } });
  storage.addContainer('images').grant(BuiltInRole.STORAGE_BLOB_DATA_CONTRIBUTOR, identity);
  const vault = new Vault(chart, 'vault', { owner, azureName: 'shop-vault-4711', properties: {} });
  vault.grant(BuiltInRole.KEY_VAULT_SECRETS_USER, identity);
  for (const resource of [storage, vault, cosmos]) endpoints.connect(resource);
  const bus = new Namespace(chart, 'bus', { owner, azureName: 'shop-bus-4711' });
  const orders = bus.addQueue('orders', { maxDeliveryCount: 5 });
  orders.grant(BuiltInRole.SERVICE_BUS_DATA_SENDER, identity);
  orders.grant(BuiltInRole.SERVICE_BUS_DATA_RECEIVER, identity);

  // Logs, traces, and an alert.
  const logs = new Workspace(chart, 'logs', { owner, retentionInDays: 30 });
  const traces = new Component(chart, 'traces', { owner, kind: 'web', applicationType: 'web', workspaceResourceReference: logs });
  const diagnostics = new Diagnostics(chart, 'diagnostics', { workspace: logs });
  for (const resource of [cluster, vault, postgres, bus]) diagnostics.sendFrom(resource);
  const people = new ActionGroup(chart, 'people', {
    owner, enabled: true, groupShortName: 'shop', emailReceivers: [{ name: 'shop', emailAddress: 'shop@example.com' }],
  });
  new Alerts(chart, 'alerts', { owner, notify: people }).whenMetric(bus, 'dead-letters', {
    metric: 'DeadletteredMessages', aggregation: 'Average', operator: 'GreaterThan', threshold: 0,
  });

  // The programs.
  const values = {
    POSTGRES_HOST: postgres.outputs.fullyQualifiedDomainName,
    REDIS_HOST: redis.secretOutputs.hostName,
    REDIS_KEY: redis.secretOutputs.primaryKey,
    BLOBS_URL: storage.outputs.blobEndpoint,
    APPLICATIONINSIGHTS_CONNECTION_STRING: traces.outputs.connectionString,
    COSMOS_URL: `https://${cosmos.azureName}.documents.azure.com/`,
    SERVICE_BUS: `${bus.azureName}.servicebus.windows.net`,
    VAULT_URL: `https://${vault.azureName}.vault.azure.net/`,
    ORDERS: orders.azureName!,
  };
  for (const name of ['web', 'worker']) workload(chart, name, `${registry.azureName}.azurecr.io/shop-${name}:1`, values, identity);
  return chart;
}
