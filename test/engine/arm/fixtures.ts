import type { ArmClient, ArmRequest, ArmResponse } from '../../../engine/arm/types';
import { ArmError } from '../../../engine/arm/types';

export const ID = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/acc';
export const ENDPOINT = 'https://management.azure.com';
export const put: ArmRequest = { method: 'PUT', url: ID, apiVersion: '2025-06-01', body: {} };
export const del: ArmRequest = { method: 'DELETE', url: ID, apiVersion: '2025-06-01' };
export const post: ArmRequest = { method: 'POST', url: `${ID}/sync`, apiVersion: '2025-06-01' };

/** The mark that Azure Resource Manager gives each of its answers, and proxies give none of theirs. */
export const MARK = { 'x-ms-request-id': 'request-1' };

export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): ArmResponse {
  return { status, headers, body, text: body === undefined ? '' : JSON.stringify(body) };
}

export const state = (provisioningState: string) => ({ id: ID, properties: { provisioningState } });

/** Gives its answers in their order; an Error is thrown. */
export function scripted(...answers: (ArmResponse | Error)[]): ArmClient & { readonly urls: string[] } {
  const urls: string[] = [];
  return {
    subscriptionId: 's',
    endpoint: ENDPOINT,
    urls,
    send: async ({ method, url }) => {
      urls.push(`${method} ${url}`);
      const next = answers.shift();
      if (next === undefined) throw new Error(`an unexpected request: ${method} ${url}`);
      if (next instanceof Error) throw next;
      return next;
    },
  };
}

export const networkError = () =>
  new ArmError('UnknownError', 'connection reset', undefined, undefined, undefined, undefined, { unstructured: true });
