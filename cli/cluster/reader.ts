import {
  KubernetesError,
  type Discovery,
  type KubernetesObject,
  type ListOptions,
  type ObjectList,
  type ResourceType,
} from '../../engine/kubernetes/types';

/** The requests that read a cluster. */
export interface ClusterReader {
  discovery(groups?: (group: string) => boolean): Promise<Discovery>;
  list(type: ResourceType, options: ListOptions): Promise<ObjectList>;
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
}

const PAGE = 500;

/**
 * All objects of a type, in pages.
 *
 * @param kept what is kept of an object; default: all
 */
export async function listPages(
  reader: Pick<ClusterReader, 'list'>,
  type: ResourceType,
  options: ListOptions = {},
  kept: (object: KubernetesObject) => KubernetesObject = (object) => object,
): Promise<KubernetesObject[]> {
  const items: KubernetesObject[] = [];
  let page: ObjectList | undefined;
  do {
    page = await reader.list(type, { limit: PAGE, ...options, ...(page?.continue === undefined ? {} : { continue: page.continue }) });
    items.push(...page.items.map(kept));
  } while (page.continue);
  return items;
}

/** Undefined, and a line about it, where this user may not read it. */
export async function permitted<T>(read: () => Promise<T>, title: string, unread: string[]): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
    unread.push(`${title}: ${error.message}`);
    return undefined;
  }
}
