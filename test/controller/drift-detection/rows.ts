import type { ArmRequest, ArmResponse } from '../../../engine/arm/types';
import { parseArmId } from '../../../src/azure/arm-id';
import { resourceGraphTableOf } from '../../../src/azure/resource-graph-tables';
import type { FakeAzure } from '../reconcile/fake-azure';

/** Azure Resource Graph and lists of collections, over the resources of a little Azure. */
export function withRows(azure: FakeAzure): void {
  azure.intercept = (request) => rowsOf(azure, request) ?? listOf(azure, request);
}

function rowsOf(azure: FakeAzure, { method, url, body }: ArmRequest): Partial<ArmResponse> | undefined {
  if (method !== 'POST' || !url.includes('/Microsoft.ResourceGraph/')) return undefined;
  const { query } = body as { query: string };
  const [table] = query.split(' ');
  const ids = [...query.matchAll(/'([^']+)'/g)].map(([, id]) => id!.toLowerCase());
  const data = ids.flatMap((id) => {
    const resource = azure.resources.get(id);
    return resource && tableOf(id) === table ? [{ ...resource.body, id, etag: String(azure.requests.length) }] : [];
  });
  return { body: { data } };
}

function tableOf(id: string): string | undefined {
  const parts = parseArmId(id)!;
  return resourceGraphTableOf(parts.provider ? [parts.provider, ...parts.types].join('/') : 'Microsoft.Resources/resourceGroups');
}

function listOf(azure: FakeAzure, { method, url }: ArmRequest): Partial<ArmResponse> | undefined {
  const path = url.split('?')[0]!.toLowerCase();
  if (method !== 'GET' || azure.resources.has(path)) return undefined;
  const children = [...azure.resources].filter(([id]) => id.startsWith(`${path}/`) && !id.slice(path.length + 1).includes('/'));
  return children.length === 0 ? undefined : { body: { value: children.map(([id, { body }]) => ({ ...body, id })) } };
}
