import { common, diagnosticSetting, put, roleAssignment, SHOP, type Area, type Put } from './put';

const GROUP = `${SHOP}-messaging`;
const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/shop-bus-4711`;
const HUBS = `${GROUP}/providers/Microsoft.EventHub/namespaces/shop-events-4711`;
const GRID = `${GROUP}/providers/Microsoft.EventGrid`;
const NOTIFICATIONS = `${GROUP}/providers/Microsoft.NotificationHubs/namespaces/shop-push-4711`;

const bus: readonly Put[] = [
  put('2024-01-01', BUS, {
    ...common,
    sku: { name: 'Standard', tier: 'Standard' },
    properties: { minimumTlsVersion: '1.2', disableLocalAuth: false },
  }),
  put('2024-01-01', `${BUS}/AuthorizationRules/sender`, { properties: { rights: ['Send'] } }),
  put('2024-01-01', `${BUS}/queues/orders`, {
    properties: { maxSizeInMegabytes: 1024, lockDuration: 'PT1M', requiresDuplicateDetection: true, maxDeliveryCount: 10 },
  }),
  put('2024-01-01', `${BUS}/topics/prices`, { properties: { maxSizeInMegabytes: 1024, defaultMessageTimeToLive: 'P14D' } }),
  put('2024-01-01', `${BUS}/topics/prices/authorizationRules/reader`, { properties: { rights: ['Listen'] } }),
  put('2024-01-01', `${BUS}/topics/prices/subscriptions/web`, { properties: { lockDuration: 'PT1M', maxDeliveryCount: 10 } }),
  put('2024-01-01', `${BUS}/topics/prices/subscriptions/web/rules/sale`, {
    properties: { filterType: 'SqlFilter', sqlFilter: { sqlExpression: "Reason = 'sale'" } },
  }),
];

const hubs: readonly Put[] = [
  put('2024-01-01', HUBS, {
    ...common,
    sku: { name: 'Standard', tier: 'Standard', capacity: 1 },
    properties: { isAutoInflateEnabled: false },
  }),
  put('2024-01-01', `${HUBS}/authorizationRules/sender`, { properties: { rights: ['Send'] } }),
  put('2024-01-01', `${HUBS}/eventhubs/clicks`, { properties: { partitionCount: 4, messageRetentionInDays: 7 } }),
  put('2024-01-01', `${HUBS}/eventhubs/clicks/authorizationRules/reader`, { properties: { rights: ['Listen'] } }),
  put('2024-01-01', `${HUBS}/eventhubs/clicks/consumergroups/reports`, { properties: { userMetadata: 'nightly reports' } }),
];

const grid: readonly Put[] = [
  put('2020-06-01', `${GRID}/topics/shop-topic-4711`, { ...common, properties: { inputSchema: 'CloudEventSchemaV1_0' } }),
  put('2020-06-01', `${GRID}/topics/shop-topic-4711/providers/Microsoft.EventGrid/eventSubscriptions/clicks`, {
    properties: {
      destination: { endpointType: 'EventHub', properties: { resourceId: `${HUBS}/eventhubs/clicks` } },
      filter: { subjectBeginsWith: '/carts/' },
      eventDeliverySchema: 'CloudEventSchemaV1_0',
    },
  }),
  put('2020-06-01', `${GRID}/domains/shop-domain-4711`, { ...common, properties: { inputSchema: 'EventGridSchema' } }),
  put('2020-06-01', `${GRID}/domains/shop-domain-4711/topics/returns`),
];

const clients: readonly Put[] = [
  put('2023-09-01', NOTIFICATIONS, { ...common, sku: { name: 'Free' } }),
  put('2023-09-01', `${NOTIFICATIONS}/notificationHubs/phones`, common),
  put('2024-03-01', `${GROUP}/providers/Microsoft.SignalRService/signalR/shop-live-4711`, {
    ...common,
    kind: 'SignalR',
    sku: { name: 'Standard_S1', tier: 'Standard', capacity: 1 },
    properties: {
      features: [{ flag: 'ServiceMode', value: 'Default' }],
      cors: { allowedOrigins: ['https://shop.example.com'] },
      tls: { clientCertEnabled: false },
    },
  }),
];

/** Queues, topics and events of the shop. */
export const MESSAGING_AREA: Area = {
  group: GROUP,
  resources: (principalId) => [
    ...bus, ...hubs, ...grid, ...clients,
    roleAssignment(BUS, 'b1000004-0000-4000-8000-000000004711', '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39', principalId),
    diagnosticSetting(BUS, 'operations', 'OperationalLogs'),
  ],
};
