/** The identity of objects of Kubernetes: what an apiVersion says, and what names an object in any version of its API. */

/** The group and the version of an API; `''` is the core group. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** An object, as far as its apiVersion goes. */
export interface HasApiVersion {
  readonly apiVersion: string;
}

/** The parts of an apiVersion: `storage.azure.com/v1`, or `v1` of the core group. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? { group: '', version: apiVersion } : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The apiVersion of the objects of an API: `storage.azure.com/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The group of an object's apiVersion; `''` for the core group. */
export function groupOf({ apiVersion }: HasApiVersion): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The version of an object's apiVersion: `v1` of `storage.azure.com/v1`. */
export function versionNameOf({ apiVersion }: HasApiVersion): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** An object of a cluster, in any version of its API. */
export interface ObjectId {
  /** `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  /** `''` if the object has none. */
  readonly namespace: string;
  readonly name: string;
}

/** An object as a manifest names it: one without a namespace has none, or goes to the namespace of whoever applies it. */
export interface WrittenObjectId extends Omit<ObjectId, 'namespace'> {
  readonly namespace?: string | undefined;
}

interface Named extends HasApiVersion {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export function objectIdOf(object: Named): ObjectId {
  const { kind, metadata: { namespace = '', name } } = object;
  return { group: groupOf(object), kind, namespace, name };
}

/** The key of an object in maps: `group/kind/namespace/name`. None of the parts can hold a slash. */
export function objectKeyOf({ group, kind, namespace = '', name }: WrittenObjectId): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** The id of a key of `objectKeyOf`. */
export function parseObjectKey(key: string): ObjectId {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return { group, kind, namespace, name };
}

/** The name of an object for people: `StorageAccount shop/data`, `Namespace shop`. */
export function objectTitleOf({ kind, namespace = '', name }: Omit<WrittenObjectId, 'group'>): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

export function secretIdOf(namespace: string, name: string): ObjectId {
  return { group: '', kind: 'Secret', namespace, name };
}

export function configMapIdOf(namespace: string, name: string): ObjectId {
  return { group: '', kind: 'ConfigMap', namespace, name };
}
