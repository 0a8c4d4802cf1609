import { IConstruct } from 'constructs';
import type { AzureResource } from '../azure-resource';
import type { AppResource } from './app-checks';
import { emitAfter } from './chart-order';
import type { Link } from '../schema/conversion';

/** Where a link leads. */
export interface Edge {
  readonly link: Link;
  readonly target: AzureResource;
}

/** The resources of an app and which of them their links mean, whether they say so by construct or by name. */
export class ResourceGraph {
  private readonly byConstruct = new Map<IConstruct, AppResource>();
  private readonly byName = new Map<string, AppResource>();

  public constructor(public readonly resources: readonly AppResource[]) {
    for (const entry of resources) {
      const { resource } = entry;
      this.byConstruct.set(resource, entry);
      const key = nameKey(resource.apiGroup, resource.kind, resource.metadata.namespace, resource.name);
      if (!this.byName.has(key)) this.byName.set(key, entry);
    }
  }

  public has(construct: IConstruct): boolean {
    return this.byConstruct.has(construct);
  }

  public edgesOf({ resource, checked }: AppResource): Edge[] {
    return checked.links.flatMap((link) => {
      const target = this.target(resource, link);
      return target ? [{ link, target: target.resource }] : [];
    });
  }

  /** The entry of the resource that a link means, if it is one of this app. */
  public target(from: AzureResource, { reference }: Link): AppResource | undefined {
    if (reference.construct) return this.byConstruct.get(reference.construct);
    if (reference.name === undefined) return undefined;
    return this.byName.get(nameKey(reference.group, reference.kind, from.metadata.namespace, reference.name));
  }

  /** The first resource with this resource's group, kind, namespace and name. */
  public namesake({ resource }: AppResource): AzureResource {
    return this.byName.get(nameKey(resource.apiGroup, resource.kind, resource.metadata.namespace, resource.name))!.resource;
  }

  /**
   * What is the same for two resources if, and as far as is known only if, they have the same owner. Undefined where they have none.
   * Azure compares without regard to case.
   */
  public ownerKey({ resource, checked }: AppResource): string | undefined {
    const owner = checked.links.find((link) => link.role === 'owner');
    if (!owner) return undefined;
    const { reference } = owner;
    if (reference.name === undefined && !reference.construct) return `arm\n${(reference.armId ?? '').replace(/\/+$/, '')}`.toLowerCase();
    const name = this.target(resource, owner)?.resource.name ?? reference.name ?? '';
    return ['object', resource.metadata.namespace ?? '', reference.group ?? '', reference.kind ?? '', name].join('\n').toLowerCase();
  }

  /** Objects that were named, not given as constructs, are emitted first as well. Not to be called while there is a circle. */
  public orderByName(): void {
    for (const entry of this.resources) {
      for (const { link, target } of this.edgesOf(entry)) {
        if (!link.reference.construct) emitAfter(entry.resource, target);
      }
    }
  }
}

function nameKey(group: string | undefined, kind: string | undefined, namespace: string | undefined, name: string): string {
  return `${group}/${kind}/${namespace ?? ''}/${name}`;
}
