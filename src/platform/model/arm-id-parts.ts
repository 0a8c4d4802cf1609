import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
/** The resource group in an ARM id; undefined for resources outside of a resource group. */
export function resourceGroupOf(armId: string): string | undefined {
  return /\/resourceGroups\/([^/]+)/i.exec(armId)?.[1];
}

/** The last name in an ARM id. */
export function resourceNameOf(armId: string): string {
  return withoutTrailingSlashes(armId).split('/').pop() ?? '';
}

/** ARM id of the profile of a Front Door endpoint. */
export function profileIdOf(endpointId: string): string {
  return withoutTrailingSlashes(endpointId).split('/').slice(0, -2).join('/');
}
