import { groupVersionPath } from './resource-path';
import { KubernetesError, type Discovery, type ResourceType } from './types';

/** GET of a path with an Accept header; throws KubernetesError. */
export type Read = (path: string, accept?: string) => Promise<unknown>;

const AGGREGATED =
  ['v2', 'v2beta1'].map((v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`).join(', ') + ', application/json';

interface AggregatedList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items: {
    readonly metadata?: { readonly name?: string };
    readonly versions: {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: { readonly resource: string; readonly responseKind?: { readonly kind: string }; readonly scope: string }[];
    }[];
  }[];
}

interface GroupList {
  readonly groups: { readonly name: string; readonly versions: { readonly version: string }[] }[];
}

interface ResourceList {
  readonly resources: { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** All served resource types: in two requests if the server supports it (Kubernetes 1.26 and newer), otherwise group by group. */
export async function discoverTypes(read: Read, groups: (group: string) => boolean = () => true): Promise<Discovery> {
  const [core, named] = await Promise.all([read('/api', AGGREGATED), read('/apis', AGGREGATED)]);
  const found = await Promise.all([
    isAggregated(core) ? aggregated(core) : oneByOne(read, [{ group: '', version: 'v1' }]),
    isAggregated(named) ? aggregated(named) : oneByOne(read, groupVersions(named as GroupList, groups)),
  ]);
  return {
    types: found.flatMap((part) => part.types),
    unknownGroups: new Set(found.flatMap((part) => [...part.unknownGroups])),
  };
}

function isAggregated(answer: unknown): answer is AggregatedList {
  return (answer as { kind?: string } | null)?.kind === 'APIGroupDiscoveryList';
}

function aggregated(list: AggregatedList): Discovery {
  const types: ResourceType[] = [];
  const unknownGroups = new Set<string>();
  for (const item of list.items) {
    const group = item.metadata?.name ?? '';
    for (const { version, freshness, resources = [] } of item.versions) {
      // Stale: the group's own server does not answer, so the resources are those known before.
      if (freshness === 'Stale') unknownGroups.add(group);
      for (const { resource, responseKind, scope } of resources) {
        if (responseKind) types.push({ group, version, plural: resource, kind: responseKind.kind, namespaced: scope === 'Namespaced' });
      }
    }
  }
  return { types, unknownGroups };
}

function groupVersions(list: GroupList, wanted: (group: string) => boolean): { group: string; version: string }[] {
  return list.groups
    .filter(({ name }) => wanted(name))
    .flatMap(({ name, versions }) => versions.map(({ version }) => ({ group: name, version })));
}

async function oneByOne(read: Read, all: readonly { group: string; version: string }[]): Promise<Discovery> {
  const unknownGroups = new Set<string>();
  const lists = await Promise.all(all.map(async ({ group, version }) => {
    try {
      const { resources } = (await read(groupVersionPath(group, version))) as ResourceList;
      return resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced }): ResourceType => ({ group, version, plural: name, kind, namespaced }));
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      // 404: the group was removed between the two requests. Any other error leaves its resources unknown.
      if (error.status !== 404) unknownGroups.add(group);
      return [];
    }
  }));
  return { types: lists.flat(), unknownGroups };
}
