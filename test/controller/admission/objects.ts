import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog, type KindVersion } from '../../../src/catalog';

export const SUBSCRIPTION = '/subscriptions/00000000-0000-0000-0000-000000000000';
export const GROUP_ID = `${SUBSCRIPTION}/resourceGroups/myrg`;
export const RESOURCE_ID = 'serviceoperator.azure.com/resource-id';
export const GROUP_OWNER = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'myrg' };

export function versionOf(group: string, kind: string, version?: string): KindVersion {
  const found = Catalog.default().kind(`${group}.azure.com`, kind);
  return version === undefined ? found!.latest : found!.version(version)!;
}

export function objectOf(
  version: KindVersion, spec: Record<string, unknown> | undefined, name = 'x', metadata: Partial<KubernetesObject['metadata']> = {},
): KubernetesObject {
  return {
    apiVersion: version.apiVersion,
    kind: version.kind.kind,
    metadata: { name, namespace: 'default', ...metadata },
    ...(spec && { spec }),
  };
}
