import type { KubernetesObject } from '../../../engine/kubernetes';

/**
 * One team's objects: four levels of owners, exports, imports, operations that take their time, names that must be unique in the
 * environment.
 */
function team(number: number): KubernetesObject[] {
  const id = `t${number}`;
  const namespace = `teams-${number % 5}`;
  const location = 'uksouth';
  const object = (apiVersion: string, kind: string, name: string, spec: Record<string, unknown>): KubernetesObject =>
    ({ apiVersion, kind, metadata: { name: `${id}-${name}`, namespace }, spec });
  const owner = (name: string) => ({ owner: { name: `${id}-${name}` } });
  const identity = 'managedidentity.azure.com/v1api20230131';
  const storage = 'storage.azure.com/v1api20230101';
  const bus = 'servicebus.azure.com/v1api20211101';
  const federated = (name: string) =>
    object(identity, 'FederatedIdentityCredential', name, {
      ...owner('identity'),
      issuer: 'https://issuer.example/',
      subject: `system:serviceaccount:${id}:${name}`,
      audiences: ['api://AzureADTokenExchange'],
    });
  return [
    object('resources.azure.com/v1api20200601', 'ResourceGroup', 'group', { location }),
    object(identity, 'UserAssignedIdentity', 'identity', {
      ...owner('group'),
      location,
      operatorSpec: {
        configMaps: { principalId: { name: `${id}-identity`, key: 'principalId' }, clientId: { name: `${id}-identity`, key: 'clientId' } },
      },
    }),
    object(storage, 'StorageAccount', 'store', {
      ...owner('group'),
      location,
      azureName: `kills${id}store`,
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      tags: { team: id },
      operatorSpec: { secrets: { key1: { name: `${id}-store`, key: 'key' }, blobEndpoint: { name: `${id}-store`, key: 'endpoint' } } },
    }),
    object(bus, 'Namespace', 'bus', {
      ...owner('group'),
      location,
      azureName: `kills-${id}-bus`,
      sku: { name: 'Standard', tier: 'Standard' },
      operatorSpec: { secrets: { primaryKey: { name: `${id}-bus`, key: 'key' } } },
    }),
    object('authorization.azure.com/v1api20220401', 'RoleAssignment', 'reader', {
      owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: `${id}-store` },
      principalType: 'ServicePrincipal',
      principalIdFromConfig: { name: `${id}-identity`, key: 'principalId' },
      roleDefinitionReference: { wellKnownName: 'Storage Blob Data Reader' },
    }),
    // Both come with the account; only the first one has to be sent.
    object(storage, 'StorageAccountsBlobService', 'blobs', { ...owner('store'), deleteRetentionPolicy: { enabled: true, days: 7 } }),
    object(storage, 'StorageAccountsQueueService', 'queues', owner('store')),
    object(bus, 'NamespacesTopic', 'topic', owner('bus')),
    federated('web'),
    federated('worker'),
    ...['raw', 'done'].map((name) => object(storage, 'StorageAccountsBlobServicesContainer', name, owner('blobs'))),
    ...['in', 'out'].map((name) => object(storage, 'StorageAccountsQueueServicesQueue', name, owner('queues'))),
    ...['orders', 'bills', 'mails'].map((name) => object(bus, 'NamespacesQueue', name, owner('bus'))),
    ...['audit', 'copy', 'index'].map((name) => object(bus, 'NamespacesTopicsSubscription', name, owner('topic'))),
  ];
}

/** So many objects, owners before what they own. */
export function tree(count: number): KubernetesObject[] {
  const objects: KubernetesObject[] = [];
  for (let number = 1; objects.length < count; number += 1) objects.push(...team(number));
  return objects.slice(0, count);
}
