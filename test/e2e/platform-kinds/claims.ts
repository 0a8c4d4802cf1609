import { GROUP } from './definition';
import {
  COSMOS, CUSTOM_ROLE, EVENT_HUBS, FRONT_DOOR, ISSUER, MYSQL, ORDERS_BUS, PLATFORM_GROUP, POSTGRES, SERVICE_BUS, SQL, STORAGE, SUBSCRIPTION,
  TEAM_GROUP, UNUSED_BUS, ZONE,
} from '../../platform/guarded-team';

/** An object of one of the platform's kinds. */
export interface Claim {
  readonly apiVersion: string;
  readonly kind: 'Environment' | 'Team' | 'Service';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: object;
}

export const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
/** Client id of the identity under which the operator makes the platform's own objects. */
export const PLATFORM_CLIENT_ID = '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486';
const apiVersion = `${GROUP}/v1`;
const role = CUSTOM_ROLE;

/** The shared services of the environment of test/platform, but for that of a kind of the platform's own. */
const SHARED = [
  { type: 'serviceBus', resource: SERVICE_BUS, role },
  { type: 'postgresServer', resource: POSTGRES, role },
  { type: 'serviceBus', name: 'orders-bus', resource: ORDERS_BUS, role },
  { type: 'serviceBus', name: 'unused-bus', resource: UNUSED_BUS, role },
  { type: 'eventHubs', resource: EVENT_HUBS, role },
  { type: 'mysqlServer', resource: MYSQL, role },
  { type: 'sqlServer', resource: SQL },
  { type: 'cosmosDb', resource: COSMOS, role },
  { type: 'storageAccount', resource: STORAGE, role },
  { type: 'frontDoorEndpoint', resource: `${FRONT_DOOR}/afdEndpoints/edge`, role },
  { type: 'frontDoorEndpoint', name: 'apps', resource: `${FRONT_DOOR}/afdEndpoints/apps`, role, hostName: 'apps-a1b2c3.z01.azurefd.net' },
  { type: 'dnsZone', resource: ZONE },
];
/** ARM ids of the resources that are there before the first team. */
export const EXISTING = SHARED.map(({ resource }) => resource);
const USES = ['service-bus', 'postgres', 'orders-bus', 'event-hubs', 'mysql', 'sql', 'cosmos-db', 'storage', 'front-door', 'apps', 'dns-zone'];

export const ENVIRONMENT: Claim = {
  apiVersion,
  kind: 'Environment',
  metadata: { name: 'default' },
  spec: {
    name: 'dev',
    subscriptionId: SUBSCRIPTION,
    tenantId: TENANT,
    location: 'uksouth',
    clusters: [{ name: 'one', oidcIssuerUrl: ISSUER }],
    platform: {
      namespace: 'platform',
      identityClientId: PLATFORM_CLIENT_ID,
      groups: [PLATFORM_GROUP],
      serviceAccounts: ['flux-system:kustomize-controller'],
    },
    shared: { services: SHARED },
  },
};

const team = (name: string, spec: object): Claim => ({ apiVersion, kind: 'Team', metadata: { name }, spec });

/** Team `fin` is that of test/platform. */
export const TEAMS: readonly Claim[] = [
  team('fin', {
    groups: [TEAM_GROUP],
    resourceGroup: 'rg-fin-dev',
    resourceGroups: [{ name: 'rg-fin-West', location: 'ukwest' }],
    uses: USES,
    hostNames: ['shop.example.com', '*.fin.example.com', 'apps-a1b2c3.z01.azurefd.net'],
  }),
  team('hr', { groups: ['entra-hr'], resourceGroup: 'rg-hr-dev', uses: USES, hostNames: ['*.hr.example.com'] }),
  team('ops', { groups: ['entra-ops'], quotas: { cpu: 12, memory: '24Gi' }, uses: ['service-bus'] }),
];

/** A claim of a team. */
export const service = (namespace: string, name: string, spec: object): Claim => ({ apiVersion, kind: 'Service', metadata: { name, namespace }, spec });

export const SERVICES: readonly Claim[] = [
  service('fin', 'orders', {
    queues: [{ name: 'archive', on: 'service-bus' }, { name: 'intake', on: 'service-bus', roles: ['QueueReceiver'], settings: { forwardDeadLetteredMessagesTo: 'fin--archive' } }],
    topics: [{ name: 'events', on: 'orders-bus', roles: ['TopicSender'], subscriptions: [{ name: 'audit', rules: [{ name: '$Default', sqlExpression: 'a = 1' }] }] }],
  }),
  service('fin', 'ledger', {
    database: { name: 'ledger', charset: 'UTF8', collation: 'en_US.utf8' },
    storageAccounts: [{ name: 'docs', sku: 'Standard_LRS', roles: ['DataWriter'], containers: [{ name: 'letters' }], tables: ['applicants'] }],
  }),
  service('fin', 'web', {
    domains: [{ hostName: 'web.fin.example.com', on: 'front-door' }],
    routes: [{ name: 'web', on: 'front-door', domains: ['web.fin.example.com'], origin: { hostName: 'ingress.example.net' } }],
    dnsRecords: [{ name: 'mail.fin.example.com', type: 'TXT', values: ['v=spf1 -all'] }],
  }),
  service('fin', 'clicks', { resources: [{ on: 'event-hubs', name: 'clicks', roles: ['EventHubReceiver'], children: [{ name: 'reports' }] }] }),
  service('hr', 'people', { queues: [{ name: 'people', on: 'service-bus', roles: ['QueueSender'] }], database: { name: 'people', charset: 'UTF8', collation: 'en_US.utf8' } }),
  service('ops', 'alerts', { queues: [{ name: 'alerts', roles: ['QueueReceiver'] }] }),
];
