import { IConstruct } from 'constructs';
import type { AzureResource } from '../azure-resource';
import type { AppResource } from './app-checks';
import { emitAfter } from './chart-order';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import type { Link } from '../schema/conversion';

/** Where a link leads. */
export interface Edge {
  readonly link: Link;
  readonly target: AzureResource;
}

/** The resources of an app and which of them their links mean, whether they say so by construct or by name. */
export class ResourceGraph {
  private readonly byConstruct = new Map<IConstruct, number>();
  private readonly byName = new Map<string, AppResource>();
  /** The resources whose name another one had before. */
  private readonly namesakes = new Map<AzureResource, AzureResource>();
  private readonly ownerKeys = new Map<string | undefined, Map<AzureResource, string>>();

  public constructor(public readonly resources: readonly AppResource[]) {
    resources.forEach((entry, index) => {
      const { resource } = entry;
      this.byConstruct.set(resource, index);
      const key = nameKey(resource.apiGroup, resource.kind, resource.metadata.namespace, resource.name);
      const first = this.byName.get(key);
      if (first) this.namesakes.set(resource, first.resource);
      else this.byName.set(key, entry);
    });
  }

  public has(construct: IConstruct): boolean {
    return this.byConstruct.has(construct);
  }

  /** Where a resource stands among the resources. */
  public indexOf(resource: AzureResource): number | undefined {
    return this.byConstruct.get(resource);
  }

  public edgesOf({ resource, checked }: AppResource): Edge[] {
    const edges: Edge[] = [];
    for (const link of checked.links) {
      const target = this.target(resource, link);
      if (target) edges.push({ link, target: target.resource });
    }
    return edges;
  }

  /** The entry of the resource that a link means, if it is one of this app. */
  public target(from: AzureResource, { reference }: Link): AppResource | undefined {
    if (reference.construct) {
      const index = this.byConstruct.get(reference.construct);
      return index === undefined ? undefined : this.resources[index];
    }
    if (reference.name === undefined) return undefined;
    return this.byName.get(nameKey(reference.group, reference.kind, from.metadata.namespace, reference.name));
  }

  /** The first resource with this resource's group, kind, namespace and name. */
  public namesake({ resource }: AppResource): AzureResource {
    return this.namesakes.get(resource) ?? resource;
  }

  /**
   * What is the same for two resources if, and as far as is known only if, they have the same owner. Undefined where they have none.
   * Azure compares without regard to case.
   */
  public ownerKey({ resource, checked }: AppResource): string | undefined {
    const owner = checked.links.find((link) => link.role === 'owner');
    if (!owner) return undefined;
    const { reference } = owner;
    if (reference.name === undefined && !reference.construct) return `arm\n${withoutTrailingSlashes(reference.armId ?? '')}`.toLowerCase();
    const { namespace } = resource.metadata;
    const target = this.target(resource, owner)?.resource;
    const known = target && this.ownerKeys.get(namespace)?.get(target);
    if (known !== undefined) return known;
    const name = target?.name ?? reference.name ?? '';
    const key = ['object', namespace ?? '', reference.group ?? '', reference.kind ?? '', name].join('\n').toLowerCase();
    if (target) this.ownerKeys.set(namespace, (this.ownerKeys.get(namespace) ?? new Map<AzureResource, string>()).set(target, key));
    return key;
  }

  /** Objects that were named, not given as constructs, are emitted first as well. Not to be called while there is a cycle. */
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
