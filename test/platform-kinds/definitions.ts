/** Claims for tests, as in files. All values are made up. */
export const GROUP = 'platform.example.com';
const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
export const sharedId = (type: string, name: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared/providers/${type}/${name}`;
export const CUSTOM_ROLE = '5fbfd215-41c7-542f-85f6-b582020fc3e3';

export const ENVIRONMENT = {
  kind: 'Environment',
  name: 'default',
  spec: {
    name: 'dev',
    subscriptionId: SUBSCRIPTION,
    tenantId: '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa',
    location: 'uksouth',
    clusters: [{ name: 'aks-dev', oidcIssuerUrl: 'https://issuer.example/dev/' }],
    roles: { storageDataReader: 'Storage Blob Data Reader' },
    shared: {
      services: [
        { type: 'serviceBus', resource: sharedId('Microsoft.ServiceBus/namespaces', 'bus'), role: CUSTOM_ROLE },
        { type: 'keyVault', resource: sharedId('Microsoft.KeyVault/vaults', 'secrets') },
        { type: 'postgresServer', resource: sharedId('Microsoft.DBforPostgreSQL/flexibleServers', 'databases'), role: CUSTOM_ROLE },
      ],
    },
  },
} as const;

export const TEAM = {
  kind: 'Team',
  name: 'ledger',
  spec: { uses: ['service-bus', 'key-vault', 'postgres'], groups: ['f2a1'], quotas: { cpu: 12, memory: '24Gi' } },
} as const;

export const SERVICE = {
  kind: 'Service',
  name: 'postings',
  namespace: 'ledger',
  spec: {
    queues: [{ name: 'intake', roles: ['QueueReceiver'], settings: { maxDeliveryCount: 5 } }],
    topics: [{ name: 'decisions', subscriptions: [{ name: 'notify', rules: [{ name: '$Default', sqlExpression: 'a = 1' }] }] }],
    database: { name: 'postings', charset: 'UTF8', collation: 'en_US.utf8' },
    storageAccounts: [{ name: 'docs', roles: ['DataReader'], containers: [{ name: 'letters' }], tables: ['applicants'], removalPolicy: 'retain' }],
    keyVaultSecrets: ['bank-api-key'],
  },
} as const;
