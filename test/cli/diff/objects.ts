import type { Changes } from '../../../cli/diff/changes';
import { compare } from '../../../cli/diff/compare';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

export const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111';
export const OTHER_SUBSCRIPTION = '22222222-2222-2222-2222-222222222222';
export const POLICY = 'serviceoperator.azure.com/reconcile-policy';
export const GROUP_ID = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`;

interface More {
  readonly namespace?: string;
  readonly annotations?: Record<string, string>;
  readonly labels?: Record<string, string>;
  readonly apiVersion?: string;
  readonly [field: string]: unknown;
}

/** An object; what is no metadata in `more` stands beside them. */
export function object(
  apiVersion: string,
  kind: string,
  name: string,
  spec?: Record<string, unknown>,
  { namespace = 'shop', annotations, labels, apiVersion: other, ...rest }: More = {},
): KubernetesObject {
  const metadata = { name, namespace, ...(annotations ? { annotations } : {}), ...(labels ? { labels } : {}) };
  return { apiVersion: other ?? apiVersion, kind, metadata, ...(spec ? { spec } : {}), ...rest } as KubernetesObject;
}

type Spec = Record<string, unknown>;

export const group = (name = 'rg', spec: Spec = {}, more?: More) =>
  object('resources.azure.com/v1api20200601', 'ResourceGroup', name, { location: 'uksouth', ...spec }, more);
export const account = (name = 'files', spec: Spec = {}, more?: More) =>
  object(
    'storage.azure.com/v20250601',
    'StorageAccount',
    name,
    {
      owner: { name: 'rg' },
      azureName: 'shopfiles',
      location: 'uksouth',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      ...spec,
    },
    more,
  );
export const identity = (name = 'api', spec: Spec = {}, more?: More) =>
  object(
    'managedidentity.azure.com/v1api20230131',
    'UserAssignedIdentity',
    name,
    {
      owner: { name: 'rg' },
      location: 'uksouth',
      operatorSpec: { configMaps: { principalId: { name: `${name}-ids`, key: 'principalId' } } },
      ...spec,
    },
    more,
  );
export const assignment = (name = 'reads', spec: Spec = {}, more?: More) =>
  object(
    'authorization.azure.com/v20220401',
    'RoleAssignment',
    name,
    {
      owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'files' },
      principalIdFromConfig: { name: 'api-ids', key: 'principalId' },
      roleDefinitionReference: { wellKnownName: 'Storage Blob Data Reader' },
      ...spec,
    },
    more,
  );
export const federation = (name = 'pods', spec: Spec = {}, more?: More) =>
  object(
    'managedidentity.azure.com/v1api20230131',
    'FederatedIdentityCredential',
    name,
    {
      owner: { name: 'api' },
      audiences: ['api://AzureADTokenExchange'],
      issuer: 'https://issuer.example/',
      subject: 'system:serviceaccount:shop:api',
      ...spec,
    },
    more,
  );
export const credential = (name = 'aso-credential', stringData: Record<string, string> = {}, more: More = {}) =>
  object('v1', 'Secret', name, undefined, {
    ...more,
    stringData: { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', ...stringData },
  });
export const namespace = (name = 'shop', annotations?: Record<string, string>, labels?: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...(annotations ? { annotations } : {}), ...(labels ? { labels } : {}) },
});

export const skip = { annotations: { [POLICY]: 'skip' } };
export const detach = { annotations: { [POLICY]: 'detach-on-delete' } };

type Objects = readonly KubernetesObject[];

export function changesOf(old: Objects, next: Objects, subscriptionId: string | null = SUBSCRIPTION): Changes {
  return compare(old, next, { subscriptionId: subscriptionId ?? undefined });
}

/** `fate Kind namespace/name`, one for each resource. */
export function fates({ resources }: Changes): string[] {
  return resources.map(({ fate, kind, namespace: where, name }) => `${fate} ${kind} ${where}/${name}`);
}

/** All that is said to people, in one text. */
export function advised({ advice }: { readonly advice: Changes['warnings'] }): string {
  return advice.map(({ message, fix }) => `${message}; ${fix}`).join('\n');
}
