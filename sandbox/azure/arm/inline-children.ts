import { isRecord } from '../../../src/util/records';
import { getPath, withPath, type Json, type Resource, type ResourceStore } from '../model/store';

/** Types that show children which are made separately in a list of theirs, always, and of which a PUT without a child removes it. */
const LISTS: Readonly<Record<string, string>> = {
  'microsoft.network/virtualnetworks': 'subnets',
  'microsoft.network/routetables': 'routes',
  'microsoft.network/networksecuritygroups': 'securityRules',
  'microsoft.network/loadbalancers': 'inboundNatRules',
};

/** The body with the children in it: those of the last PUT, and those that were made since. */
export function withInlineChildren(store: ResourceStore, resource: Resource): Json {
  const list = listOf(resource.type);
  if (list === undefined) return resource.body;
  const children = childrenOf(store, resource, list);
  const names = new Set(children.map(({ name }) => name.toLowerCase()));
  const own = elementsOf(resource.body, list).filter((element) => !names.has(nameOf(element)));
  const made = children.map(({ id, name, type, body }) => ({ id, name, type, ...body }));
  return withPath(resource.body, ['properties', list], [...own, ...made]);
}

/** Removes the children that a PUT of their parent does not list. */
export function removeUnlisted(store: ResourceStore, id: string, type: string, sent: Json): void {
  const list = listOf(type);
  if (list === undefined) return;
  const names = new Set(elementsOf(sent, list).map(nameOf));
  for (const child of childrenOf(store, { id, type }, list)) if (!names.has(child.name.toLowerCase())) store.removeTree(child.id);
}

function listOf(type: string): string | undefined {
  const key = type.toLowerCase();
  return Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
}

function childrenOf(store: ResourceStore, { id, type }: Pick<Resource, 'id' | 'type'>, list: string): Resource[] {
  const childType = `${type}/${list}`.toLowerCase();
  return store.under(id).filter((child) => child.type.toLowerCase() === childType);
}

function elementsOf(body: Json, list: string): Json[] {
  const elements = getPath(body, ['properties', list]);
  return Array.isArray(elements) ? elements.filter(isRecord) : [];
}

function nameOf({ name }: Json): string {
  return String(name).toLowerCase();
}
