import type { PlatformCluster } from './platform-cluster';
import { OwnerGraph } from '../../core';
import { isOnlyRead } from '../../core/checks/resource-metadata';
import { isResource } from '../../core/resource-internals';

interface Manager {
  readonly where: string;
  readonly path: string;
}

/** Azure resources that objects of more than one cluster manage: each cluster would revert the changes of the others. */
export function managedTwice(clusters: readonly PlatformCluster[]): string[] {
  const managers = new Map<string, Manager>();
  return clusters.flatMap(({ app, environment, id }) => {
    const resources = new Map(app.node.findAll().filter(isResource).map((resource) => [resource.node.path, resource]));
    const { nodes } = OwnerGraph.of(app, { subscriptionId: environment.subscriptionId });
    return nodes.flatMap(({ armId, constructPath, kind }) => {
      const resource = constructPath === undefined ? undefined : resources.get(constructPath);
      if (armId === undefined || !resource || isOnlyRead(resource)) return [];
      const key = armId.toLowerCase();
      const other = managers.get(key);
      if (!other) managers.set(key, { where: id, path: constructPath! });
      if (!other || other.where === id) return [];
      return [
        `${kind} '${armId}' is managed by '${constructPath}' of ${id} and by '${other.path}' of ${other.where}: the two would undo each other's work. `
        + 'Let one of them watch only (mode: ClusterMode.PASSIVE of its cluster, or reconcilePolicy: skip), or give them different Azure names.',
      ];
    });
  });
}
