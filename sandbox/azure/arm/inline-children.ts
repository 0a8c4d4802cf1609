import { isRecord } from '../../../src/util/records';
import { getPath, withPath, type Json, type Resource, type ResourceStore } from '../model/store';

/** A list in which a type shows its children, whether they were made in it or by themselves. */
interface ChildList {
  /** Member of `properties`, and name of the child's type. */
  readonly list: string;
  readonly childType: string;
  /** Whether a PUT of the parent removes the children that it does not list. */
  readonly removesUnlisted: boolean;
  /** Whether an element has the members of `properties` beside its name. */
  readonly isFlat: boolean;
}

const network = (list: string): ChildList => ({ list, childType: list, removesUnlisted: true, isFlat: false });

const LISTS: Readonly<Record<string, ChildList>> = {
  'microsoft.network/virtualnetworks': network('subnets'),
  'microsoft.network/routetables': network('routes'),
  'microsoft.network/networksecuritygroups': network('securityRules'),
  'microsoft.network/loadbalancers': network('inboundNatRules'),
  // https://github.com/pulumi/pulumi-azure-native/issues/579: a pool that is not listed any more stays.
  'microsoft.containerservice/managedclusters': {
    list: 'agentPoolProfiles', childType: 'agentPools', removesUnlisted: false, isFlat: true,
  },
};

/** The body with the children in it. */
export function withInlineChildren(store: ResourceStore, resource: Resource): Json {
  const found = listOf(resource.type);
  if (!found) return resource.body;
  return withPath(resource.body, ['properties', found.list], childrenOf(store, resource, found).map((child) => elementOf(child, found)));
}

/** The resources that the list of a PUT makes: each can be read, changed and deleted by itself. */
export function inlineChildren(store: ResourceStore, parent: Resource, sent: Json, now: number): Resource[] {
  const found = listOf(parent.type);
  if (!found) return [];
  return elementsOf(sent, found.list).filter(({ name }) => typeof name === 'string').map((element) => {
    const id = `${parent.id}/${found.childType}/${String(element.name)}`;
    const known = store.get(id);
    return {
      id: known?.id ?? id,
      type: `${parent.type}/${found.childType}`,
      name: String(element.name),
      body: bodyOf(element, found),
      // The last PUT of the child does not count any more: an equal one has an effect.
      sent: '',
      createdAt: known?.createdAt ?? now,
      incarnation: known?.incarnation ?? store.nextIncarnation(id),
    };
  });
}

/** Removes the children that a PUT of their parent does not list. */
export function removeUnlisted(store: ResourceStore, parent: Pick<Resource, 'id' | 'type'>, sent: Json): void {
  const found = listOf(parent.type);
  if (!found?.removesUnlisted) return;
  const names = new Set(elementsOf(sent, found.list).map(nameOf));
  for (const child of childrenOf(store, parent, found)) if (!names.has(child.name.toLowerCase())) store.removeTree(child.id);
}

/** The elements of a PUT for which there is no child. */
export function newElements(store: ResourceStore, parent: Pick<Resource, 'id' | 'type'>, sent: Json): Json[] {
  const found = listOf(parent.type);
  if (!found) return [];
  const known = new Set(childrenOf(store, parent, found).map(nameOf));
  return elementsOf(sent, found.list).filter((element) => !known.has(nameOf(element)));
}

function bodyOf(element: Json, { isFlat }: ChildList): Json {
  const { id: _id, name: _name, type: _type, etag: _etag, ...rest } = element;
  // The type of a pool is its kind of machines, not that of a resource.
  const properties = isFlat ? { ...rest, ...(_type !== undefined && { type: _type }) } : isRecord(rest.properties) ? rest.properties : {};
  return { ...(!isFlat && rest), properties: { ...properties, provisioningState: 'Succeeded' } };
}

function elementOf({ id, name, type, body }: Resource, { isFlat }: ChildList): Json {
  return isFlat ? { ...(isRecord(body.properties) && body.properties), name } : { id, name, type, ...body };
}

function listOf(type: string): ChildList | undefined {
  const key = type.toLowerCase();
  return Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
}

function childrenOf(store: ResourceStore, { id, type }: Pick<Resource, 'id' | 'type'>, { childType }: ChildList): Resource[] {
  const wanted = `${type}/${childType}`.toLowerCase();
  return store.under(id).filter((child) => child.type.toLowerCase() === wanted);
}

function elementsOf(body: Json, list: string): Json[] {
  const elements = getPath(body, ['properties', list]);
  return Array.isArray(elements) ? elements.filter(isRecord) : [];
}

function nameOf({ name }: { readonly name?: unknown }): string {
  return String(name).toLowerCase();
}
