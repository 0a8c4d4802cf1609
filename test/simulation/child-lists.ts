/** Where a resource shows children that are resources of their own: a PUT of it without one of them deletes that one. */
export interface ChildList {
  /** Of ids. */
  readonly collection: string;
  /** In the parent's properties. */
  readonly property: string;
}

const LISTS: readonly (readonly [RegExp, ChildList])[] = [
  [/\/virtualnetworks\/[^/]+$/i, { collection: 'subnets', property: 'subnets' }],
  [/\/routetables\/[^/]+$/i, { collection: 'routes', property: 'routes' }],
  [/\/loadbalancers\/[^/]+$/i, { collection: 'inboundNatRules', property: 'inboundNatRules' }],
];

export function childListOf(path: string): ChildList | undefined {
  return LISTS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Names of the children that a body has, in lower case. */
export function namesOf(list: unknown): ReadonlySet<string> {
  const children = Array.isArray(list) ? list as { readonly name?: string }[] : [];
  return new Set(children.map(({ name = '' }) => name.toLowerCase()));
}
