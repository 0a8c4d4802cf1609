import { atATime } from './at-a-time';
import { listPages, permitted, type ClusterReader } from './reader';
import { KubernetesError, type KubernetesObject, type ListOptions, type ResourceType } from '../../engine/kubernetes/types';
import { catalogKinds, servedTypes } from '../../engine/kubernetes/watched-kind';
import { Catalog } from '../../src/catalog';
import { versionNameOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { groupBy } from '../../src/util/group-by';

/** Requests that are on their way at a time. */
export const AT_A_TIME = 8;
/** A list may have so many objects for each that is needed: beyond, single reads carry less. */
const MOST_LISTED_FOR_ONE = 10;

export interface AzureObjects {
  readonly objects: readonly KubernetesObject[];
  /** The type of each kind that the cluster serves, in the version that was listed. */
  readonly types: readonly ResourceType[];
  /** Kinds that this user may not read, one line each. */
  readonly unread: readonly string[];
}

/**
 * The Azure objects of a cluster, each in the version that it was applied in. Kinds that may not be read are reported and left out.
 *
 * @param namespace only of this one
 * @param labelSelector only objects with these labels
 * @throws KubernetesError where the cluster does not answer
 */
export async function readAzureObjects(
  reader: ClusterReader,
  namespace?: string,
  { labelSelector, catalog = Catalog.default() }: { readonly labelSelector?: string; readonly catalog?: Catalog } = {},
): Promise<AzureObjects> {
  const unread: string[] = [];
  const { types } = await reader.discovery((group) => mayBeInCatalog(group));
  const served = [...servedTypes(catalogKinds(catalog.allKinds), types).values()];
  const objects: KubernetesObject[] = [];
  await atATime(served, AT_A_TIME, async (type) => {
    const title = `${type.plural}.${type.group}`;
    const options = { ...(namespace !== undefined && { namespace }), ...(labelSelector !== undefined && { labelSelector }) };
    const listed = await permitted(() => listPages(reader, type, options), title, unread) ?? [];
    objects.push(...await asApplied(reader, type, listed, options));
  });
  return { objects: sorted(objects), types: served, unread };
}

/**
 * The server shows an object in the version that it is asked for, without what that version does not have. So objects that were applied in
 * another version are read again in it: by one list where they are many, or one by one.
 */
async function asApplied(
  reader: ClusterReader, type: ResourceType, listed: readonly KubernetesObject[], options: ListOptions,
): Promise<KubernetesObject[]> {
  const versions = groupBy(listed, versionOf);
  const read = new Map<string, KubernetesObject>();
  for (const [version, objects] of versions) {
    if (version === type.version) continue;
    const other = { ...type, version };
    const again = objects.length * MOST_LISTED_FOR_ONE >= listed.length
      ? await listedAgain(reader, other, options)
      : await each(objects, ({ metadata: { name, namespace } }) => reader.get(other, name, namespace));
    for (const object of again) read.set(`${version} ${identityOf(object)}`, object);
  }
  return listed.map((object) => {
    const again = read.get(`${versionOf(object)} ${identityOf(object)}`);
    return again ? { ...again, apiVersion: object.apiVersion } : object;
  });
}

/** Nothing where the version is not served any more: as a GET of each object would find. */
async function listedAgain(reader: ClusterReader, type: ResourceType, options: ListOptions): Promise<KubernetesObject[]> {
  try {
    return await listPages(reader, type, options);
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
    return [];
  }
}

async function each(
  objects: readonly KubernetesObject[], get: (object: KubernetesObject) => Promise<KubernetesObject | undefined>,
): Promise<KubernetesObject[]> {
  const found: KubernetesObject[] = [];
  for (const object of objects) {
    const again = await get(object);
    if (again) found.push(again);
  }
  return found;
}

function versionOf({ apiVersion }: KubernetesObject): string {
  return versionNameOf({ apiVersion });
}

function identityOf({ metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

/** By namespace, kind and name. */
export function sorted(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const keyed = objects.map((object) => {
    const { kind, metadata: { namespace, name } } = object;
    return { key: `${namespace ?? ''}/${kind}/${name}`, object };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ object }) => object);
}
