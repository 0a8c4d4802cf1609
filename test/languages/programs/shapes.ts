import { App, Chart } from 'cdk8s';
import {
  alertsmanagement,
  authorization,
  AzureReference,
  BuiltInRole,
  ConfigMapValue,
  containerservice,
  dbforpostgresql,
  documentdb,
  network,
  quota,
  ReconcilePolicy,
  Region,
  resources,
  SecretValue,
  storage,
} from 'cdk8s-aso';

// A property of every shape that the types have; shapes.py is the same in Python.
const location = Region.UK_SOUTH;
const app = new App();
const chart = new Chart(app, 'shapes', { namespace: 'shapes', labels: { app: 'shapes' } });
const group = new resources.ResourceGroup(chart, 'group', { location, reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE });

// structs in structs, lists of texts, a list of structs; numbers and booleans that look like nothing
const vnet = new network.VirtualNetwork(chart, 'network', {
  metadata: { name: 'shapes', annotations: { 'example.com/Kept-As-Is': 'yes' } },
  owner: group,
  location,
  addressSpace: { addressPrefixes: ['10.0.0.0/16', 'fd00::/48'] },
  enableDdosProtection: false,
  tags: { 'snake_case': 'a', 'camelCase': 'b', 'with.dots_and-dashes': 'ü' },
});
new network.VirtualNetworksSubnet(chart, 'subnet', {
  owner: vnet,
  addressPrefix: '10.0.0.0/24',
  delegations: [{ name: 'postgres', serviceName: 'Microsoft.DBforPostgreSQL/flexibleServers' }],
  serviceEndpoints: [{ service: 'Microsoft.Storage', locations: [location] }, { service: 'Microsoft.KeyVault' }],
});

// a value from a Secret, exports by name and by expression, references in a list
new dbforpostgresql.FlexibleServer(chart, 'server', {
  owner: group,
  azureName: 'shapes-2f8f11',
  location,
  administratorLogin: 'shapes',
  administratorLoginPassword: SecretValue.fromSecret('server-admin', 'password'),
  identity: {
    type: dbforpostgresql.UserAssignedIdentityType.USER_ASSIGNED,
    userAssignedIdentities: [{ reference: AzureReference.fromName('managedidentity.azure.com', 'UserAssignedIdentity', 'server') }],
  },
  storage: { storageSizeGB: 64 },
  operatorSpec: {
    configMaps: { fullyQualifiedDomainName: { name: 'server', key: 'host' } },
    configMapExpressions: [{ name: 'server', key: 'zone', value: 'string(self.spec.location)', labels: { made: '"by-cel"' } }],
  },
});

// a value from a ConfigMap, a role by its id
new authorization.RoleAssignment(chart, 'role', {
  owner: group,
  roleDefinitionReference: BuiltInRole.custom('5d7a9b0c-3e1f-4c82-a6d4-b8f0e2c41739'),
  principalIdFromConfig: ConfigMapValue.fromConfigMap('server-identity', 'principalId'),
});

// a word that Python keeps for itself (`for`), maps in structs in lists, a fraction
new alertsmanagement.PrometheusRuleGroup(chart, 'alerts', {
  owner: group,
  location,
  enabled: true,
  interval: 'PT1M',
  scopesReferences: [
    AzureReference.fromArmId(
      '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/shared/providers/Microsoft.Monitor/accounts/metrics',
    ),
  ],
  rules: [
    {
      alert: 'Slow',
      expression: 'latency > 0.5',
      for: 'PT5M',
      severity: 3,
      labels: { team: 'shapes' },
      resolveConfiguration: { autoResolved: true, timeToResolve: 'PT10M' },
    },
    { record: 'job:latency:mean', expression: 'avg(latency)' },
  ],
});

// lists of lists
new documentdb.SqlDatabaseContainer(chart, 'container', {
  owner: documentdb.SqlDatabase.fromName('database'),
  azureName: 'orders',
  resource: {
    id: 'orders',
    indexingPolicy: {
      compositeIndexes: [
        [
          { path: '/customer', order: documentdb.CompositePathOrder.ASCENDING },
          { path: '/at', order: documentdb.CompositePathOrder.DESCENDING },
        ],
      ],
    },
  },
});

// a map of structs
new containerservice.ManagedCluster(chart, 'cluster', {
  owner: group,
  location,
  dnsPrefix: 'shapes',
  identity: {
    type: containerservice.ManagedClusterIdentityType.SYSTEM_ASSIGNED,
    delegatedResources: { some_Key: { location, tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11' } },
  },
  agentPoolProfiles: [
    { name: 'system', count: 3, vmSize: 'Standard_D2s_v5', mode: containerservice.ManagedClusterAgentPoolProfileMode.SYSTEM },
  ],
});

// anything, with names and numbers that have to arrive as they were written
new quota.Quota(chart, 'quota', {
  owner: AzureReference.fromArmId('/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/providers/Microsoft.Compute/locations/uksouth'),
  azureName: 'cores',
  properties: {
    limit: { limitValue: { limitObjectType: quota.LimitObjectType.LIMIT_VALUE, value: 10 } },
    name: { value: 'cores' },
    properties: { KeptAs: { it_is: [0, -1, 1e21] } },
  },
});
new storage.StorageAccount(chart, 'account', {
  owner: group,
  azureName: 'shapes2f8f11',
  location,
  kind: storage.StorageAccountKind.STORAGE_V2,
  sku: { name: storage.SkuName.STANDARD_LRS },
  additionalSpec: { newSetting: { snake_case: [1, 2.5, true, null, 'text', { deeperStill: {} }], camelCase: false } },
});
app.synth();
