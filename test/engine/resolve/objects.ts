import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { versionOf, type ObjectLookup } from '../../../engine/resolve';
import { groupOf } from '../../../src/object-id';

export const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111';

/** An object in namespace `ns`; the newest version of its kind unless `apiVersion` says more than the group. */
export function object(
  apiVersion: string, kind: string, name: string, spec: Record<string, unknown> = {}, annotations: Record<string, string> = {},
): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: 'ns', annotations }, spec };
}

export const group = (name = 'rg', annotations: Record<string, string> = {}) =>
  object('resources.azure.com/v1api20200601', 'ResourceGroup', name, { location: 'uksouth' }, annotations);
export const account = (name: string, spec: Record<string, unknown> = { owner: { name: 'rg' } }) =>
  object('storage.azure.com/v20250601', 'StorageAccount', name, spec);
export const blobs = (name: string, spec: Record<string, unknown>) =>
  object('storage.azure.com/v20250601', 'StorageAccountsBlobService', name, spec);
export const container = (name: string, spec: Record<string, unknown>) =>
  object('storage.azure.com/v20250601', 'StorageAccountsBlobServicesContainer', name, spec);

export function lookupOf(...objects: KubernetesObject[]): ObjectLookup {
  return {
    find: (apiGroup, kind, namespace, name) =>
      objects.find((o) => groupOf(o) === apiGroup && o.kind === kind && o.metadata.namespace === namespace && o.metadata.name === name),
    serves: (apiGroup) => apiGroup !== 'unserved.azure.com',
  };
}

export const version = (of: KubernetesObject) => versionOf(of)!;
