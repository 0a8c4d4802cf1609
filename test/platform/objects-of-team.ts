import { FIN, ISSUER, SERVICE_BUS } from './guarded-team';
import { Catalog } from '../../src/catalog/catalog';

/** As much of a Kubernetes object as is written here. */
export interface TeamObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: object;
  readonly data?: object;
  readonly stringData?: object;
}

type Metadata = Partial<TeamObject['metadata']>;

/** An object of Azure in the team's namespace, in the newest stable version. */
export function azure(group: string, kind: string, spec: object, metadata: Metadata = {}): TeamObject {
  const { apiVersion } = Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
  return { apiVersion, kind, metadata: { name: 'one', namespace: FIN.namespace, ...metadata }, spec };
}

/** An object of a kind that ASO has not. */
export function own(kind: string, spec: object): TeamObject {
  return { apiVersion: Catalog.default().kind('databases.aso.cdk8s.io', kind)!.latest.apiVersion, kind, metadata: { name: 'one', namespace: FIN.namespace }, spec };
}

/** An object of Kubernetes' core. */
export function core(kind: string, name: string, content: object = {}): TeamObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: FIN.namespace }, ...content };
}

export const GROUP = { armId: FIN.resourceGroupId };

/** A storage account as the team may make it. */
export function account(spec: object = {}, metadata: Metadata = {}): TeamObject {
  return azure(
    'storage',
    'StorageAccount',
    { azureName: 'stfinledger', owner: GROUP, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...spec },
    metadata,
  );
}

export function queue(spec: object = {}, metadata: Metadata = {}): TeamObject {
  return azure('servicebus', 'NamespacesQueue', { azureName: 'fin--orders', owner: { armId: SERVICE_BUS }, ...spec }, metadata);
}

export function identity(spec: object = {}, metadata: Metadata = {}): TeamObject {
  return azure('managedidentity', 'UserAssignedIdentity', { owner: GROUP, location: 'uksouth', ...spec }, metadata);
}

export function federation(spec: object = {}): TeamObject {
  return azure('managedidentity', 'FederatedIdentityCredential', {
    owner: { name: 'one' },
    audiences: ['api://AzureADTokenExchange'],
    issuer: ISSUER,
    subject: `system:serviceaccount:${FIN.namespace}:ledger`,
    ...spec,
  });
}

export const SENDER = '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/69a216fc-b8fb-44d8-bc22-1f3c2cd27a39';

/** The team's identity may send to one of its queues. */
export function grant(spec: object = {}): TeamObject {
  return azure('authorization', 'RoleAssignment', {
    owner: { group: 'servicebus.azure.com', kind: 'NamespacesQueue', name: 'one' },
    principalIdFromConfig: { name: 'one-outputs', key: 'principalId' },
    roleDefinitionReference: { armId: SENDER },
    ...spec,
  });
}

/** Without a member that `grant` and its like write. */
export function without(object: TeamObject, ...members: string[]): TeamObject {
  return { ...object, spec: Object.fromEntries(Object.entries(object.spec ?? {}).filter(([name]) => !members.includes(name))) };
}
