/* API groups of the kinds in the catalog. */

/** The end of the groups of Azure Service Operator. Other projects have groups with this end, too (`karpenter.azure.com`). */
export const ASO_GROUPS = '.azure.com';
/** The end of the groups of kinds that only this library and its controller have. */
export const OWN_GROUPS = '.aso.cdk8s.io';

/** Whether a group may have kinds of the catalog, by its name. */
export function mayBeInCatalog(group: string): boolean {
  return group.endsWith(ASO_GROUPS) || group.endsWith(OWN_GROUPS);
}

/** The name of the service that a group would have: `storage` of `storage.azure.com`; undefined for groups of other projects. */
export function serviceOfGroup(group: string): string | undefined {
  const end = [ASO_GROUPS, OWN_GROUPS].find((each) => group.endsWith(each));
  return end === undefined ? undefined : group.slice(0, -end.length);
}

/** The services whose kinds ASO has not (`catalog/overlays/kinds`). */
const OWN_SERVICES: ReadonlySet<string> = new Set(['databases']);

/** The group of a service of the catalog: `storage.azure.com` of `storage`. */
export function groupOfService(service: string): string {
  return `${service}${OWN_SERVICES.has(service) ? OWN_GROUPS : ASO_GROUPS}`;
}
