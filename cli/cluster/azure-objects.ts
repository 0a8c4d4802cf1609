import { atATime } from './at-a-time';
import { listPages, permitted, type ClusterReader } from './reader';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { catalogKinds, servedTypes } from '../../engine/kubernetes/watched-kind';
import { Catalog } from '../../src/catalog';

/** Requests that are on their way at a time. */
export const AT_A_TIME = 8;

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
  const { types } = await reader.discovery((group) => group.endsWith('.azure.com'));
  const served = [...servedTypes(catalogKinds(catalog.allKinds), types).values()];
  const objects: KubernetesObject[] = [];
  await atATime(served, AT_A_TIME, async (type) => {
    const title = `${type.plural}.${type.group}`;
    const options = { ...(namespace !== undefined && { namespace }), ...(labelSelector !== undefined && { labelSelector }) };
    const listed = await permitted(() => listPages(reader, type, options), title, unread) ?? [];
    for (const object of listed) objects.push(await asApplied(reader, type, object));
  });
  return { objects: sorted(objects), types: served, unread };
}

/** The server shows an object in the version that it is asked for, without what that version does not have. */
async function asApplied(reader: ClusterReader, type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
  const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
  if (version === type.version) return object;
  const { name, namespace } = object.metadata;
  const applied = await reader.get({ ...type, version }, name, namespace);
  return applied ? { ...applied, apiVersion: object.apiVersion } : object;
}

/** By namespace, kind and name. */
export function sorted(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const keyed = objects.map((object) => {
    const { kind, metadata: { namespace, name } } = object;
    return { key: `${namespace ?? ''}/${kind}/${name}`, object };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ object }) => object);
}
