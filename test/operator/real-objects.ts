export const TEAM = 'team';

const resource = (apiVersion: string, kind: string, name: string, spec: object, namespace = TEAM): Named =>
  ({ apiVersion, kind, metadata: { name, namespace }, spec });

export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: any;
}

export const namespace = (name: string): Named => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

export const group = (name: string, inNamespace = TEAM): Named =>
  resource('resources.azure.com/v1api20200601', 'ResourceGroup', name, { location: 'uksouth' }, inNamespace);

/** With a key in a Secret and its id in a ConfigMap. */
export function account(name: string, owner: string): Named {
  return resource('storage.azure.com/v1api20230101', 'StorageAccount', name, {
    owner: { name: owner },
    location: 'uksouth',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    operatorSpec: {
      secrets: { key1: { name: `${name}-keys`, key: 'key1' } },
      configMapExpressions: [{ name: `${name}-id`, key: 'id', value: 'self.status.id' }],
    },
  });
}
