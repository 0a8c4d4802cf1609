/** `aso.parseResourceId`: the parts of an ARM id and of all its parents, by the rules of the Azure SDKs. */

export interface ResourceIdType {
  readonly namespace: string;
  /** `virtualNetworks/subnets` */
  readonly type: string;
}

export interface ResourceIdValue {
  /** Undefined for the root, which is the tenant. */
  readonly parent?: ResourceIdValue;
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  /** Set for ids that are directly below `/providers/<name>`. */
  readonly provider: string;
  readonly location: string;
  readonly name: string;
  readonly resourceType: ResourceIdType;
}

const TENANT: ResourceIdType = { namespace: 'Microsoft.Resources', type: 'tenants' };
const SUBSCRIPTION: ResourceIdType = { namespace: 'Microsoft.Resources', type: 'subscriptions' };
const RESOURCE_GROUP: ResourceIdType = { namespace: 'Microsoft.Resources', type: 'resourceGroups' };
const PROVIDER: ResourceIdType = { namespace: 'Microsoft.Resources', type: 'providers' };
const ROOT: ResourceIdValue = { subscriptionId: '', resourceGroupName: '', provider: '', location: '', name: '', resourceType: TENANT };

/** @throws Error with ASO's message */
export function parseResourceId(id: string): ResourceIdValue {
  if (id === '') throw new Error('invalid resource ID: id cannot be empty');
  if (!id.startsWith('/')) throw new Error(`invalid resource ID: resource id '${id}' must start with '/'`);
  const parts = id.split('/').filter((part) => part !== '');
  const [first = ''] = parts;
  if (parts.length < 2 || !(is(first, 'subscriptions') || is(first, 'providers'))) throw invalid(id);
  return below(ROOT, parts, id);
}

function below(root: ResourceIdValue, parts: readonly string[], id: string): ResourceIdValue {
  let parent = root;
  let place = 0;
  while (place < parts.length) {
    const first = parts[place]!;
    const [second, third, fourth] = [parts[place + 1], parts[place + 2], parts[place + 3]];
    if (second === undefined) {
      if (is(first, 'subscriptions') || is(first, 'resourceGroups') || same(parent.resourceType, RESOURCE_GROUP)) throw invalid(id);
      return child(parent, typeBelow(parent, first), first, '');
    }
    if (!is(first, 'providers')) {
      parent = child(parent, typeBelow(parent, first), first, second);
      place += 2;
    } else if (third === undefined || is(third, 'providers')) {
      if (!same(parent.resourceType, SUBSCRIPTION) && !same(parent.resourceType, TENANT)) throw invalid(id);
      parent = child(parent, PROVIDER, first, second);
      place += 2;
    } else {
      if (fourth === undefined) throw invalid(id);
      parent = child(parent, { namespace: second, type: third }, third, fourth);
      place += 4;
    }
  }
  return parent;
}

/** @param segment the last part of the type */
function child(parent: ResourceIdValue, resourceType: ResourceIdType, segment: string, name: string): ResourceIdValue {
  return {
    parent,
    subscriptionId: same(resourceType, SUBSCRIPTION) ? name : parent.subscriptionId,
    resourceGroupName: same(resourceType, RESOURCE_GROUP) ? name : parent.resourceGroupName,
    provider: same(resourceType, PROVIDER) ? name : parent.provider,
    location: is(segment, 'locations') ? name : parent.location,
    name,
    resourceType,
  };
}

function typeBelow(parent: ResourceIdValue, segment: string): ResourceIdType {
  if (is(segment, 'subscriptions') && same(parent.resourceType, TENANT)) return SUBSCRIPTION;
  if (is(segment, 'resourceGroups') && same(parent.resourceType, SUBSCRIPTION)) return RESOURCE_GROUP;
  return { namespace: parent.resourceType.namespace, type: `${parent.resourceType.type}/${segment}` };
}

/** The lengths come first: the type of a long id is copied where its characters are read, at each of its levels. */
function is(segment: string, word: string): boolean {
  return segment.length === word.length && segment.toLowerCase() === word.toLowerCase();
}

function same(a: ResourceIdType, b: ResourceIdType): boolean {
  return is(a.namespace, b.namespace) && is(a.type, b.type);
}

function invalid(id: string): Error {
  return new Error(`invalid resource ID: ${id}`);
}
