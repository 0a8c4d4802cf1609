import { IConstruct } from 'constructs';
import type { AppResource } from './app-resource';
import type { ResourceInternals } from '../resource-internals';
import { emitAfter } from './chart-order';
import type { Link } from '../schema/conversion';

/** The resources of an app with the targets of their links, whether by construct or by name. */
export class ResourceGraph {
  private readonly byConstruct = new Map<IConstruct, number>();
  private readonly byName = new Map<string, AppResource>();

  public constructor(public readonly resources: readonly AppResource[]) {
    resources.forEach((entry, index) => {
      const { resource } = entry;
      this.byConstruct.set(resource, index);
      const key = nameKey(resource.apiGroup, resource.kind, resource.metadata.namespace, resource.name);
      if (!this.byName.has(key)) this.byName.set(key, entry);
    });
  }

  public has(construct: IConstruct): boolean {
    return this.byConstruct.has(construct);
  }

  /** The entry of a link's target; undefined if it is not in this app. */
  public target(from: ResourceInternals, { reference }: Link): AppResource | undefined {
    if (reference.construct) {
      const index = this.byConstruct.get(reference.construct);
      return index === undefined ? undefined : this.resources[index];
    }
    if (reference.name === undefined) return undefined;
    return this.byName.get(nameKey(reference.group, reference.kind, from.metadata.namespace, reference.name));
  }

  /**
   * Emits objects that are referenced by name before their dependents, like those referenced by construct. Requires that there is no cycle.
   */
  public orderByName(): void {
    for (const entry of this.resources) {
      for (const link of entry.checked.links) {
        const target = link.reference.construct ? undefined : this.target(entry.resource, link);
        if (target) emitAfter(entry.resource, target.resource);
      }
    }
  }
}

function nameKey(group: string | undefined, kind: string | undefined, namespace: string | undefined, name: string): string {
  return `${group}/${kind}/${namespace ?? ''}/${name}`;
}
