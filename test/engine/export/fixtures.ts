import type { ArmClient, ArmRequest, ArmResponse } from '../../../engine/arm/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';

export const latest = (group: string, kind: string) => Catalog.default().kind(`${group}.azure.com`, kind)!.latest;

export const ARM_ID = '/subscriptions/sub-1/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/acc';

/** A storage account that exports by the given operatorSpec. */
export function storageAccount(operatorSpec: unknown, more: Partial<KubernetesObject> = {}): KubernetesObject {
  return {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { name: 'acc', namespace: 'team', uid: 'uid-1', annotations: { 'serviceoperator.azure.com/resource-id': ARM_ID } },
    spec: { location: 'westeurope', operatorSpec },
    status: { id: ARM_ID, primaryEndpoints: { blob: 'https://acc.blob', queue: 'https://acc.queue' } },
    ...more,
  };
}

export const ownerReference = { apiVersion: 'storage.azure.com/v20250601', kind: 'StorageAccount', name: 'acc', uid: 'uid-1' };

/** Answers by path (without api-version), and remembers what was asked. */
export function fakeArm(answers: Record<string, unknown>): ArmClient & { readonly requests: ArmRequest[] } {
  const requests: ArmRequest[] = [];
  return {
    subscriptionId: 'sub-1',
    endpoint: 'https://arm.example',
    requests,
    send: async (request) => {
      requests.push(request);
      const found = answers[request.url];
      if (found === undefined) return answer(404, { error: { code: 'ResourceNotFound', message: 'no such thing' } });
      return answer(200, found);
    },
  };
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): ArmResponse {
  return { status, headers, body, text: body === undefined ? '' : JSON.stringify(body) };
}

/** The object as the API server keeps it: the texts of a Secret in base64. */
export function stored(object: KubernetesObject, metadata: object = { uid: 'its-own', resourceVersion: '7' }): KubernetesObject {
  const { stringData, ...rest } = object;
  const texts = Object.entries(stringData ?? {}).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const data = stringData ? { ...rest.data, ...(Object.fromEntries(texts) as Record<string, string>) } : rest.data;
  return { ...rest, ...(data && { data }), metadata: { ...object.metadata, ...metadata } };
}
