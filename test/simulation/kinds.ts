import { secretText } from './secret-text';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

const azure = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  group: `${group}.azure.com`,
  version,
  plural,
  kind,
  namespaced: true,
});
const core = (plural: string, kind: string, namespaced = true): ResourceType => ({ group: '', version: 'v1', plural, kind, namespaced });

/** Where the controller lives. */
export const OPERATOR = 'aso';

export const GROUPS = azure('resources', 'v1api20200601', 'resourcegroups', 'ResourceGroup');
export const IDENTITIES = azure('managedidentity', 'v1api20230131', 'userassignedidentities', 'UserAssignedIdentity');
export const FEDERATIONS = azure('managedidentity', 'v1api20230131', 'federatedidentitycredentials', 'FederatedIdentityCredential');
export const ROLES = azure('authorization', 'v1api20220401', 'roleassignments', 'RoleAssignment');
export const ACCOUNTS = azure('storage', 'v1api20230101', 'storageaccounts', 'StorageAccount');
export const SERVERS = azure('dbforpostgresql', 'v20250801', 'flexibleservers', 'FlexibleServer');
export const SECRETS = core('secrets', 'Secret');
export const CONFIG_MAPS = core('configmaps', 'ConfigMap');
export const NAMESPACES = core('namespaces', 'Namespace', false);

export const NETWORKS = azure('network', 'v20250301', 'virtualnetworks', 'VirtualNetwork');
export const SUBNETS = azure('network', 'v20250301', 'virtualnetworkssubnets', 'VirtualNetworksSubnet');
export const ROUTE_TABLES = azure('network', 'v20250301', 'routetables', 'RouteTable');
export const ROUTES = azure('network', 'v20250301', 'routetablesroutes', 'RouteTablesRoute');
export const BALANCERS = azure('network', 'v20250301', 'loadbalancers', 'LoadBalancer');
export const NAT_RULES = azure('network', 'v20250301', 'loadbalancersinboundnatrules', 'LoadBalancersInboundNatRule');
export const LEASES: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };
const CRDS: ResourceType = {
  group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', kind: 'CustomResourceDefinition', namespaced: false,
};
const EVENTS = core('events', 'Event');

/** Of them no table has rows: they are listed below their parents. */
export const CHILD_TYPES = [FEDERATIONS, SUBNETS, ROUTES, NAT_RULES];
export const AZURE_TYPES = [
  GROUPS,
  IDENTITIES,
  FEDERATIONS,
  ROLES,
  ACCOUNTS,
  SERVERS,
  NETWORKS,
  SUBNETS,
  ROUTE_TABLES,
  ROUTES,
  BALANCERS,
  NAT_RULES,
];
export const TYPES = [...AZURE_TYPES, SECRETS, CONFIG_MAPS, NAMESPACES, LEASES, CRDS, EVENTS];

/** The object that a path of the Kubernetes API addresses. */
export function typeAt(
  path: string,
): [type: ResourceType, namespace: string | undefined, name: string | undefined, subresource: string | undefined] {
  const match = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path);
  const type = match && TYPES.find(({ group, plural }) => group === (match[1] ?? '') && plural === match[3]);
  if (!type) throw new Error(`not played: ${path}`);
  const [, , namespace, , name, subresource] = match.map((part) => (part === undefined ? undefined : decodeURIComponent(part)));
  return [type, namespace, name, subresource];
}

/** An object that a user has in the files: what is applied when it is created, and again after it was deleted. */
export interface Wanted {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly spec: Record<string, unknown>;
}

const ROLE = '/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7';

/** Keys that make a Secret a credential. */
const GRABBED = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID'];

/** An export by an expression; `settled.ts` knows what it has to give. */
const WHO = '[self.metadata.namespace, self.status.principalId].map(part, part.upperAscii()).join("/")';

/** Objects of a team; names begin with the namespace, because all share one Azure. `parent`: which parent of child lists. */
export function teamOf(namespace: string, number: number, parent = 3): readonly Wanted[] {
  const named = (name: string) => `${namespace}${name}`;
  const wanted = (type: ResourceType, name: string, spec: Record<string, unknown>): Wanted => ({
    type,
    namespace,
    name: named(name),
    spec,
  });
  const owner = { name: named('rg') };
  return [
    wanted(GROUPS, 'rg', { location: 'westeurope', tags: { step: '0' } }),
    wanted(IDENTITIES, 'id', {
      location: 'westeurope',
      owner,
      tags: { step: '0' },
      operatorSpec: {
        configMaps: { principalId: { name: named('out'), key: 'principal' } },
        configMapExpressions: [{ name: named('text'), key: 'who', value: WHO }],
      },
    }),
    // Of one identity Azure takes one write of these at a time.
    ...['trust', 'faith', 'hope'].map((name) =>
      wanted(FEDERATIONS, name, {
        owner: { name: named('id') },
        audiences: ['api://AzureADTokenExchange'],
        issuer: 'https://issuer.test',
        subject: `system:serviceaccount:x:${name}`,
      }),
    ),
    wanted(ROLES, 'role', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: named('rg') },
      azureName: `00000000-0000-0000-0000-00000000000${number}`,
      principalIdFromConfig: { name: named('out'), key: 'principal' },
      roleDefinitionReference: { armId: ROLE },
    }),
    wanted(ACCOUNTS, 'store', {
      location: 'westeurope',
      owner,
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      accessTier: 'Hot',
      minimumTlsVersion: 'TLS1_2',
      tags: { step: '0' },
      operatorSpec: { secrets: { key1: { name: named('keys'), key: 'key1' } } },
    }),
    wanted(SERVERS, 'db', {
      location: 'westeurope',
      owner,
      version: '16',
      sku: { name: 'Standard_B1ms', tier: 'Burstable' },
      storage: { storageSizeGB: 32 },
      tags: { step: '0' },
      administratorLogin: 'admin1',
      administratorLoginPassword: { name: named('password'), key: 'password' },
    }),
    // A mistake of its author: Azure refuses it for good. Or it asks for what it must not get: a Secret that decides who acts as whom.
    ...(number === 1 ? [wanted(IDENTITIES, 'bad', { location: 'nowhere', owner })] : [wanted(ACCOUNTS, 'grab', {
      location: 'westeurope',
      owner,
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      operatorSpec: { secretExpressions: GRABBED.map((key) => ({ name: 'aso-controller-settings', key, value: 'self.metadata.name' })) },
    })]),
    ...(number === 0 ? familyOf(wanted, named, parent) : []),
    // The owner is in nobody's files. One such object is enough: waiting is most of what happens to it.
    ...(number === 1 ? [wanted(IDENTITIES, 'lonely', { location: 'westeurope', owner: { name: 'nobody' } })] : []),
  ];
}

/** Another tree of owners, with an object that needs one of the first tree. */
export function secondTreeOf(namespace: string, number: number): readonly Wanted[] {
  const wanted = (type: ResourceType, name: string, spec: Record<string, unknown>): Wanted => ({
    type, namespace, name: `${namespace}${name}`, spec,
  });
  const common = { location: 'westeurope', owner: { name: `${namespace}rg2` }, tags: { step: '0' } };
  return [
    wanted(GROUPS, 'rg2', { location: 'westeurope', tags: { step: '0' } }),
    wanted(IDENTITIES, 'id2', common),
    wanted(FEDERATIONS, 'love', {
      owner: { name: `${namespace}id2` },
      audiences: ['api://AzureADTokenExchange'],
      issuer: 'https://issuer.test',
      subject: 'system:serviceaccount:x:love',
    }),
    wanted(ROLES, 'role2', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: `${namespace}rg2` },
      azureName: `00000000-0000-0000-0000-00000000001${number}`,
      principalIdFromConfig: { name: `${namespace}out`, key: 'principal' },
      roleDefinitionReference: { armId: ROLE },
    }),
  ];
}

/** A resource whose children Azure keeps in it, and which are objects of their own here. */
function familyOf(
  wanted: (type: ResourceType, name: string, spec: Record<string, unknown>) => Wanted, named: (name: string) => string, parent: number,
): readonly Wanted[] {
  const common = { location: 'westeurope', owner: { name: named('rg') }, tags: { step: '0' } };
  switch (parent) {
    case 0:
      return [
        wanted(NETWORKS, 'net', { ...common, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }),
        ...['sub1', 'sub2', 'sub3'].map((name, index) =>
          wanted(SUBNETS, name, { owner: { name: named('net') }, addressPrefix: `10.0.${index}.0/24` }),
        ),
      ];
    case 1:
      return [
        wanted(ROUTE_TABLES, 'table', common),
        ...['way1', 'way2'].map((name, index) =>
          wanted(ROUTES, name, { owner: { name: named('table') }, addressPrefix: `10.1.${index}.0/24`, nextHopType: 'VnetLocal' }),
        ),
      ];
    case 2:
      return [
        wanted(BALANCERS, 'balancer', { ...common, sku: { name: 'Standard' } }),
        ...['nat1', 'nat2'].map((name, index) =>
          wanted(NAT_RULES, name, { owner: { name: named('balancer') }, protocol: 'Tcp', frontendPort: 80 + index, backendPort: 80 }),
        ),
      ];
    default:
      return [];
  }
}

/** A child without an object: the collection below its parent, its name and its body. */
export const HANDMADE: readonly (readonly [type: ResourceType, collection: string, body: Readonly<Record<string, unknown>>])[] = [
  [NETWORKS, 'subnets', { properties: { addressPrefix: '10.0.100.0/24' } }],
  [ROUTE_TABLES, 'routes', { properties: { addressPrefix: '10.1.100.0/24', nextHopType: 'VnetLocal' } }],
  [BALANCERS, 'inboundNatRules', { properties: { protocol: 'Tcp', frontendPort: 100, backendPort: 80 } }],
];

export function objectOf({ type, namespace, name, spec }: Wanted): KubernetesObject {
  return { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name, namespace }, spec };
}

export function secretOf(namespace: string, name: string, values: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: { ...values } };
}

export const passwordOf = (namespace: string, number: number) => secretText(namespace, `password-${number}`);

/** The keys of a team's credential; `number`: how often its secret has changed. */
export function credentialOf(namespace: string, team: number, number: number): Readonly<Record<string, string>> {
  return {
    AZURE_SUBSCRIPTION_ID: '11111111-1111-1111-1111-111111111111',
    AZURE_TENANT_ID: '22222222-2222-2222-2222-222222222222',
    AZURE_CLIENT_ID: `33333333-3333-3333-3333-33333333330${team}`,
    AZURE_CLIENT_SECRET: secretText(namespace, `credential-${number}`),
  };
}

export function typeOf({ apiVersion, kind }: KubernetesObject): ResourceType {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return TYPES.find((type) => type.group === group && type.kind === kind)!;
}
