import { portalLink } from './portal';
import type { Service } from '../../platform';
import { resourceNameOf } from '../../platform/model/arm-id-parts';
import { ComposedValue, type Composition } from '../../platform-api';

/** The most values that a list gives: the composer takes 64 in all. */
const MOST = 12;

/** The status of a service: names and addresses that its pods need, and pages of the portal. */
export function serviceStatus(service: Service): Composition {
  const { team, identity, queues, topics, storageAccounts, database } = service;
  const { environment } = team;
  const buses = new Map([...queues, ...topics].map(({ on }) => [on.name, environment.armIdOf(on.resource)]));
  const accounts = storageAccounts.slice(0, MOST);
  return {
    outputs: {
      identityClientId: ComposedValue.fromConfigMap(identity.clientId, environment.platformNamespace),
      ...named('host', [...buses].map(([name, id]) => [name, `${resourceNameOf(id)}.servicebus.windows.net`] as const)),
      ...named('queue', queues.map(({ queueName, azureName }) => [queueName, azureName] as const)),
      ...named('topic', topics.map(({ topicName, azureName }) => [topicName, azureName] as const)),
      ...(database && {
        database: database.azureName,
        databaseHost: `${resourceNameOf(environment.armIdOf(database.on.resource))}.postgres.database.azure.com`,
      }),
      ...named('storage', accounts.map(({ accountName, azureName }) => [accountName, azureName] as const)),
      ...named('blobs', accounts.flatMap(({ accountName, resource }) => (
        resource ? [[accountName, ComposedValue.fromObject(resource, 'self.status.primaryEndpoints.blob')] as const] : []))),
    },
    links: {
      resourceGroup: portalLink(environment, team.resourceGroupId),
      ...Object.fromEntries(accounts.map(({ accountName, armId }) => [keyOf('storage', accountName), portalLink(environment, armId)])),
    },
  };
}

function named<T>(what: string, values: readonly (readonly [name: string, value: T])[]): Record<string, T> {
  return Object.fromEntries(values.slice(0, MOST).map(([name, value]) => [keyOf(what, name), value]));
}

/** A name that the status takes: letters, digits, hyphens and underscores. */
function keyOf(what: string, name: string): string {
  return `${what}-${name}`.replace(/[^\w-]/g, '-').slice(0, 63);
}
