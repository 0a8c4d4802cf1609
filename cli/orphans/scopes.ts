/** The resource group that a resource is in, or that it is; undefined for everything else. */
export function armIdInResourceGroup(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+/i.exec(id)?.[0];
}
