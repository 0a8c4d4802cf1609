import { minimalValue } from '../../../cli/migrate/minimal-value';
import { Catalog, type Kind } from '../../../src/catalog';
import { openApiSchema } from '../../../src/catalog/crd';
import { atNight } from '../../setup/at-night';

/** The namespaces of the objects. */
export const TEAMS = ['team-a', 'team-b'];

export interface NamedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: any;
}

/** Kinds with many objects, in eight versions. */
const MANY = [
  'resources.azure.com/ResourceGroup',
  'storage.azure.com/StorageAccount',
  'network.azure.com/VirtualNetwork',
  'managedidentity.azure.com/UserAssignedIdentity',
  'insights.azure.com/ScheduledQueryRule',
];
/** Of the servers with users, the one with the fewest versions: the API server checks all of them with each write of a CRD. */
const SERVER = 'sql.azure.com/Server';
/** Kinds with one object, of what their oldest version requires: those of the obstacles, and a server for its users. */
const ONE = [
  'compute.azure.com/AvailabilitySet',
  'containerservice.azure.com/Fleet',
  'eventgrid.azure.com/Domain',
  'eventgrid.azure.com/Topic',
  'insights.azure.com/Component',
  'network.azure.com/DnsZone',
  'network.azure.com/NetworkWatcher',
  'network.azure.com/PrivateDnsZone',
  'network.azure.com/RouteTable',
  SERVER,
  ...atNight([
    'compute.azure.com/CapacityReservationGroup',
    'compute.azure.com/DiskAccess',
    'communication.azure.com/EmailService',
    'containerregistry.azure.com/Registry',
    'insights.azure.com/ActionGroup',
    'insights.azure.com/DataCollectionEndpoint',
    'monitor.azure.com/Account',
    'network.azure.com/ApplicationSecurityGroup',
    'network.azure.com/DdosProtectionPlan',
    'network.azure.com/NetworkSecurityGroup',
    'network.azure.com/TrafficManagerProfile',
    'operationalinsights.azure.com/Workspace',
    'search.azure.com/SearchService',
  ], []),
];
/** Kinds without ARM: no server of a database is there, so their objects are not Ready under either controller. */
const USERS = ['dbforpostgresql.azure.com/User', 'dbformysql.azure.com/User', 'sql.azure.com/User'];

export const patterns: readonly string[] = [...MANY, ...ONE, ...USERS];
export const kinds: readonly Kind[] = patterns.map((pattern) => kindNamed(pattern));

function kindNamed(pattern: string): Kind {
  const [group = '', kind = ''] = pattern.split('/');
  return Catalog.default().kind(group, kind)!;
}

/** Users of databases, whose owners have one another name in the cluster than `users` expects: ASO waits for them. */
export function databaseUsers(): NamedObject[] {
  const localUser = { serverAdminUsername: 'manager', serverAdminPassword: SERVER_PASSWORD, password: SERVER_PASSWORD };
  const server = kindNamed(SERVER);
  return USERS.map(kindNamed).map((kind, index) => ({
    apiVersion: `${kind.group}/v1`,
    kind: 'User',
    metadata: { name: `user${index}`, namespace: TEAMS[0]! },
    spec: { owner: { name: kind.group === server.group ? nameOf(SERVER) : 'absent' }, azureName: `user${index}`, localUser },
  }));
}

function nameOf(pattern: string): string {
  return kindNamed(pattern).kind.toLowerCase();
}

/** A Secret of the first team. */
export const SERVER_PASSWORD = { name: 'server-admin', key: 'password' };

/** Names and places that the patterns of a schema want. */
const VALUES: Readonly<Record<string, object>> = {
  [SERVER]: { administratorLogin: 'manager', administratorLoginPassword: SERVER_PASSWORD },
  'insights.azure.com/ActionGroup': { location: 'global', groupShortName: 'short', enabled: true },
  'insights.azure.com/Component': { Application_Type: 'web', kind: 'web' },
  'network.azure.com/DnsZone': { location: 'global' },
  'network.azure.com/PrivateDnsZone': { location: 'global', azureName: 'private.example.com' },
  'network.azure.com/TrafficManagerProfile': { location: 'global' },
  'communication.azure.com/EmailService': { location: 'global', dataLocation: 'Europe' },
};

function minimalObject(pattern: string): NamedObject {
  const kind = kindNamed(pattern);
  const version = kind.version(kind.versionNames[kind.versionNames.length - 1]!)!;
  const required = minimalValue(openApiSchema(version).properties!.spec!) as object;
  const [namespace] = TEAMS;
  const spec = { ...required, location: 'uksouth', ...VALUES[pattern], owner: { name: `${namespace}-group` } };
  return { apiVersion: version.apiVersion, kind: kind.kind, metadata: { name: nameOf(pattern), namespace: namespace! }, spec };
}

/** Objects of all kinds with ARM; some have members that the stored version has no place for. */
export function azureObjects(count: number): NamedObject[] {
  const objects: NamedObject[] = [];
  const add = (apiVersion: string, kind: string, name: string, namespace: string, spec: object) => {
    objects.push({ apiVersion, kind, metadata: { name, namespace }, spec });
  };
  for (const namespace of TEAMS) add('resources.azure.com/v1api20200601', 'ResourceGroup', `${namespace}-group`, namespace, { location: 'uksouth', tags: { team: namespace } });
  objects.push(...ONE.map(minimalObject));
  for (let i = 0; objects.length < count; i += 1) {
    const namespace = TEAMS[i % TEAMS.length]!;
    const owner = { name: `${namespace}-group` };
    const common = { owner, location: 'uksouth', tags: { number: String(i) } };
    switch (i % 6) {
      case 0:
        add('storage.azure.com/v1api20220901', 'StorageAccount', `account${i}`, namespace, {
          ...common,
          kind: 'StorageV2',
          sku: { name: 'Standard_LRS', tier: 'Standard' },
          ...(i % 12 === 0 && { operatorSpec: { secrets: { key1: { name: `keys-${i}`, key: 'key1' } } } }),
        });
        break;
      case 1:
        add('storage.azure.com/v20250601', 'StorageAccount', `account${i}`, namespace, { ...common, kind: 'StorageV2', sku: { name: 'Standard_LRS' } });
        break;
      case 2:
        add('network.azure.com/v1api20201101', 'VirtualNetwork', `network${i}`, namespace, { ...common, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } });
        break;
      case 3:
        add('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', `identity${i}`, namespace, {
          ...common, operatorSpec: { configMaps: { principalId: { name: `identity-${i}`, key: 'principalId' } } },
        });
        break;
      case 4:
        add('insights.azure.com/v1api20250101preview', 'ScheduledQueryRule', `rule${i}`, namespace, {
          ...common,
          identity: { type: 'SystemAssigned' },
          scopesReferences: [{ armId: '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/x' }],
          criteria: { allOf: [{ query: 'Heartbeat', timeAggregation: 'Count', operator: 'GreaterThan', threshold: i, criterionType: 'StaticThresholdCriterion' }] },
          evaluationFrequency: 'PT5M',
          windowSize: 'PT5M',
          severity: 3,
        });
        break;
      default:
        add('network.azure.com/v20250301', 'VirtualNetwork', `network${i}`, namespace, { ...common, addressSpace: { addressPrefixes: ['10.1.0.0/16'] } });
    }
  }
  return objects;
}

/** The path of an object, or of its kind without a name, in a version. */
export function pathOf({ apiVersion, kind, metadata }: Pick<NamedObject, 'apiVersion' | 'kind' | 'metadata'>, version = apiVersion.split('/')[1]!): string {
  const [group = ''] = apiVersion.split('/');
  const { plural } = Catalog.default().kind(group, kind)!.facts;
  return `/apis/${group}/${version}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`;
}

export function kindOf({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): Kind {
  return Catalog.default().kind(apiVersion.split('/')[0]!, kind)!;
}
