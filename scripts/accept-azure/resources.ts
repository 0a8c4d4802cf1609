import type { KubernetesObject } from '../../engine/kubernetes/types';
import { Catalog } from '../../src/catalog';

/** A resource of the acceptance: cheap, quick to make, and of a kind of its own where that is possible. */
export interface AcceptedResource {
  /** Name of the object, and for `--only`. */
  readonly name: string;
  readonly object: KubernetesObject;
  /** The spec after the edit; absent: the object is not edited. */
  readonly edited?: Readonly<Record<string, unknown>>;
  /** Roughly, in US cents an hour; 0: free, or far less than a cent for the time of a run. */
  readonly centsPerHour: number;
}

interface Entry {
  readonly kind: readonly [service: string, kind: string];
  readonly owner?: string;
  /** The name in Azure, where it is not the object's. */
  readonly azureName?: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly edit?: Readonly<Record<string, unknown>>;
  readonly centsPerHour?: number;
}

export const NAMESPACE = 'accept';
/** On the group of a run, and on all in it that has tags: what a broken run has left can be found by it. */
export const TAG = { 'created-by': 'cdk8s-aso-accept' };
const GROUP = 'group';

/** The objects of a run, owners first. `suffix` makes the names unique that have to be so in all of Azure. */
export function acceptedResources(group: string, location: string, suffix: string, only: readonly string[] = []): AcceptedResource[] {
  const entries = entriesOf(location, suffix, group);
  const wanted = only.length === 0 ? new Set(Object.keys(entries)) : withNeeded(entries, only);
  return Object.entries(entries).filter(([name]) => wanted.has(name)).map(([name, entry]) => resourceOf(name, entry));
}

/** The names with all that they refer to. @throws Error for a name that is no resource */
function withNeeded(entries: Readonly<Record<string, Entry>>, only: readonly string[]): Set<string> {
  const unknown = only.filter((name) => !Object.hasOwn(entries, name));
  if (unknown.length > 0) throw new Error(`--only: there is no resource ${unknown.join(', ')}. There are: ${Object.keys(entries).join(', ')}`);
  const wanted = new Set([GROUP, ...only]);
  for (const name of wanted) {
    const { owner, spec } = entries[name]!;
    const text = JSON.stringify({ owner: owner === undefined ? undefined : { name: owner }, spec });
    for (const [, needed] of text.matchAll(/"name":"([a-z-]+)"/g)) if (Object.hasOwn(entries, needed!)) wanted.add(needed!);
  }
  return wanted;
}

function resourceOf(name: string, entry: Entry): AcceptedResource {
  const { kind: [service, kind], owner = GROUP, azureName, spec, edit, centsPerHour = 0 } = entry;
  const { latest } = Catalog.default().kind(`${service}.azure.com`, kind)!;
  const { owner: of, name: named } = latest.facts;
  const ofGroup = of === 'any' ? { group: 'storage.azure.com', kind: 'StorageAccount' } : {};
  const isTagged = Object.hasOwn(latest.specType.props, 'tags');
  const whole = {
    ...(named === 'azureName' && { azureName: azureName ?? name }),
    ...(of && { owner: { ...ofGroup, name: owner } }),
    ...spec,
    ...(isTagged && { tags: { ...TAG, stage: 'created' } }),
  };
  const change = edit ?? (isTagged ? { tags: { ...TAG, stage: 'edited' } } : undefined);
  return {
    name,
    object: { apiVersion: latest.apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec: whole },
    ...(change && { edited: { ...whole, ...change } }),
    centsPerHour,
  };
}

function entriesOf(location: string, suffix: string, group: string): Readonly<Record<string, Entry>> {
  const to = (service: string, kind: string, name: string) => ({ reference: { group: `${service}.azure.com`, kind, name } });
  const unique = (name: string) => `${name}${suffix}`;
  return {
    [GROUP]: { kind: ['resources', 'ResourceGroup'], azureName: group, spec: { location } },
    'identity': {
      kind: ['managedidentity', 'UserAssignedIdentity'],
      spec: { location, operatorSpec: { configMaps: { principalId: { name: 'identity', key: 'principalId' } } } },
    },
    'federation': {
      kind: ['managedidentity', 'FederatedIdentityCredential'],
      owner: 'identity',
      spec: { issuer: 'https://accept.example.com/', subject: 'system:serviceaccount:accept:accept', audiences: ['api://AzureADTokenExchange'] },
      edit: { subject: 'system:serviceaccount:accept:edited' },
    },
    'network': { kind: ['network', 'VirtualNetwork'], spec: { location, addressSpace: { addressPrefixes: ['10.80.0.0/16'] } } },
    'rules': { kind: ['network', 'NetworkSecurityGroup'], spec: { location } },
    'rule': {
      kind: ['network', 'NetworkSecurityGroupsSecurityRule'],
      owner: 'rules',
      spec: {
        access: 'Allow',
        direction: 'Inbound',
        priority: 200,
        protocol: 'Tcp',
        sourceAddressPrefix: '10.0.0.0/8',
        sourcePortRange: '*',
        destinationAddressPrefix: '*',
        destinationPortRange: '443',
      },
      edit: { destinationPortRange: '8443' },
    },
    'routes': { kind: ['network', 'RouteTable'], spec: { location } },
    'route': {
      kind: ['network', 'RouteTablesRoute'],
      owner: 'routes',
      spec: { addressPrefix: '10.90.0.0/16', nextHopType: 'None' },
      edit: { addressPrefix: '10.91.0.0/16' },
    },
    'subnet': {
      kind: ['network', 'VirtualNetworksSubnet'],
      owner: 'network',
      spec: { addressPrefix: '10.80.1.0/24', networkSecurityGroup: to('network', 'NetworkSecurityGroup', 'rules'), routeTable: to('network', 'RouteTable', 'routes') },
    },
    'second-subnet': { kind: ['network', 'VirtualNetworksSubnet'], owner: 'network', spec: { addressPrefix: '10.80.2.0/24' } },
    'address': {
      kind: ['network', 'PublicIPAddress'], spec: { location, sku: { name: 'Standard' }, publicIPAllocationMethod: 'Static' }, centsPerHour: 0.5,
    },
    'interface': {
      kind: ['network', 'NetworkInterface'],
      spec: { location, ipConfigurations: [{ name: 'first', privateIPAllocationMethod: 'Dynamic', subnet: to('network', 'VirtualNetworksSubnet', 'second-subnet') }] },
    },
    'application-group': { kind: ['network', 'ApplicationSecurityGroup'], spec: { location } },
    'private-zone': { kind: ['network', 'PrivateDnsZone'], azureName: 'accept.internal', spec: { location: 'global' } },
    'private-record': {
      kind: ['network', 'PrivateDnsZonesARecord'], owner: 'private-zone', spec: { ttl: 300, aRecords: [{ ipv4Address: '10.80.1.4' }] }, edit: { ttl: 600 },
    },
    'private-link': {
      kind: ['network', 'PrivateDnsZonesVirtualNetworkLink'],
      owner: 'private-zone',
      spec: { location: 'global', registrationEnabled: false, virtualNetwork: to('network', 'VirtualNetwork', 'network') },
    },
    'zone': { kind: ['network', 'DnsZone'], azureName: `accept-${suffix}.example.net`, spec: { location: 'global' }, centsPerHour: 0.1 },
    'zone-address': { kind: ['network', 'DnsZonesARecord'], owner: 'zone', spec: { TTL: 300, ARecords: [{ ipv4Address: '192.0.2.4' }] }, edit: { TTL: 600 } },
    'zone-text': { kind: ['network', 'DnsZonesTXTRecord'], owner: 'zone', spec: { TTL: 300, TXTRecords: [{ value: ['accepted'] }] }, edit: { TTL: 600 } },
    'storage': {
      kind: ['storage', 'StorageAccount'],
      azureName: unique('accept'),
      spec: { location, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, minimumTlsVersion: 'TLS1_2', allowBlobPublicAccess: false },
    },
    'blobs': {
      kind: ['storage', 'StorageAccountsBlobService'],
      owner: 'storage',
      spec: { deleteRetentionPolicy: { enabled: true, days: 1 } },
      edit: { deleteRetentionPolicy: { enabled: true, days: 2 } },
    },
    'container': { kind: ['storage', 'StorageAccountsBlobServicesContainer'], owner: 'blobs', spec: {}, edit: { metadata: { stage: 'edited' } } },
    'queues': { kind: ['storage', 'StorageAccountsQueueService'], owner: 'storage', spec: {} },
    'queue': { kind: ['storage', 'StorageAccountsQueueServicesQueue'], owner: 'queues', spec: {} },
    'tables': { kind: ['storage', 'StorageAccountsTableService'], owner: 'storage', spec: {} },
    'table': { kind: ['storage', 'StorageAccountsTableServicesTable'], owner: 'tables', azureName: 'accepted', spec: {} },
    'files': { kind: ['storage', 'StorageAccountsFileService'], owner: 'storage', spec: {} },
    'share': { kind: ['storage', 'StorageAccountsFileServicesShare'], owner: 'files', spec: { shareQuota: 1 }, edit: { shareQuota: 2 } },
    'role': {
      kind: ['authorization', 'RoleAssignment'],
      owner: 'storage',
      azureName: '0c9f3a51-7d4e-4b61-9f52-3c8f6f1a2b70',
      spec: {
        principalIdFromConfig: { name: 'identity', key: 'principalId' }, principalType: 'ServicePrincipal', roleDefinitionReference: { wellKnownName: 'Reader' },
      },
    },
    'logs': { kind: ['operationalinsights', 'Workspace'], spec: { location, sku: { name: 'PerGB2018' }, retentionInDays: 30 } },
    'insights': {
      kind: ['insights', 'Component'],
      spec: { location, kind: 'web', Application_Type: 'web', workspaceResourceReference: to('operationalinsights', 'Workspace', 'logs').reference },
    },
    'alerts': { kind: ['insights', 'ActionGroup'], spec: { location: 'global', groupShortName: 'accept', enabled: true } },
    'bus': { kind: ['servicebus', 'Namespace'], azureName: unique('accept-bus-'), spec: { location, sku: { name: 'Basic' } } },
    'bus-queue': { kind: ['servicebus', 'NamespacesQueue'], owner: 'bus', spec: { lockDuration: 'PT1M' }, edit: { lockDuration: 'PT2M' } },
    'events': { kind: ['eventhub', 'Namespace'], azureName: unique('accept-hub-'), spec: { location, sku: { name: 'Basic', tier: 'Basic', capacity: 1 } }, centsPerHour: 1.5 },
    'hub': { kind: ['eventhub', 'NamespacesEventhub'], owner: 'events', spec: { messageRetentionInDays: 1, partitionCount: 1 } },
    'topic': { kind: ['eventgrid', 'Topic'], azureName: unique('accept-topic-'), spec: { location } },
    'plan': { kind: ['web', 'ServerFarm'], spec: { location, sku: { name: 'F1', tier: 'Free' } } },
    'disk': { kind: ['compute', 'Disk'], spec: { location, sku: { name: 'Standard_LRS' }, creationData: { createOption: 'Empty' }, diskSizeGB: 4 }, edit: { diskSizeGB: 8 }, centsPerHour: 0.1 },
    'factory': { kind: ['datafactory', 'Factory'], azureName: unique('accept-factory-'), spec: { location } },
    'search': { kind: ['search', 'SearchService'], azureName: unique('accept-search-'), spec: { location, sku: { name: 'free' } } },
    'signalr': { kind: ['signalrservice', 'SignalR'], azureName: unique('accept-signalr-'), spec: { location, sku: { name: 'Free_F1', capacity: 1 } } },
    'registry': { kind: ['containerregistry', 'Registry'], azureName: unique('accept'), spec: { location, sku: { name: 'Basic' } }, centsPerHour: 0.7 },
  };
}
