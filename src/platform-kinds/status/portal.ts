import type { Environment } from '../../platform';

/** The page of a resource in the Azure portal. */
export function portalLink({ tenantId }: Environment, armId: string): string {
  return `https://portal.azure.com/#@${tenantId}/resource${encodeURI(armId)}`;
}
