import type { StoredObject } from '../objects';
import { BUILTIN, CRD_RESOURCE } from './builtin';
import { customResource } from './custom';
import type { ResourceDefinition, ResourceVersion } from './definition';
import { compareVersions, storageName } from './definition';
import type { Change } from '../storage/change';
import type { Store } from '../storage/store';

export interface Resolved {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
}

/** The kinds that are served: Kubernetes' own kinds, and those that the stored CRDs define. */
export class Registry {
  private readonly definitions = new Map(BUILTIN.map((definition) => [storageName(definition), definition]));
  private readonly removals = new Set<(resource: string) => void>();
  /** Changes whenever what is served does: discovery documents are kept as long as it stays. */
  public revision = 0;

  public constructor(store: Store) {
    store.onChange((change) => this.follow(change));
  }

  public get all(): ResourceDefinition[] {
    return [...this.definitions.values()];
  }

  /** The definition by the store's name for the resource. */
  public byStorageName(resource: string): ResourceDefinition | undefined {
    return this.definitions.get(resource);
  }

  public find(group: string, version: string, plural: string): Resolved | undefined {
    const definition = this.definitions.get(storageName({ group, plural }));
    const served = definition?.versions.find((one) => one.name === version);
    return definition && served && { definition, version: served };
  }

  public findKind(group: string, kind: string): ResourceDefinition | undefined {
    return this.all.find((definition) => definition.group === group && definition.kind === kind);
  }

  /** Groups with their versions, the preferred one first. */
  public get groups(): Map<string, string[]> {
    const groups = new Map<string, Set<string>>();
    for (const { group, versions } of this.definitions.values()) {
      const names = groups.get(group) ?? new Set();
      versions.forEach((version) => names.add(version.name));
      groups.set(group, names);
    }
    return new Map([...groups].map(([group, names]) => [group, [...names].sort(compareVersions)]));
  }

  /** Calls back when a resource is no longer served: its watches end. */
  public onRemoved(listener: (resource: string) => void): () => void {
    this.removals.add(listener);
    return () => this.removals.delete(listener);
  }

  private follow({ type, resource, object }: Change): void {
    if (resource !== CRD_RESOURCE) return;
    const name = object.metadata.name;
    this.revision++;
    if (type === 'DELETED') {
      this.definitions.delete(name);
      for (const listener of [...this.removals]) listener(name);
    } else if (isEstablished(object)) {
      this.definitions.set(name, customResource(object));
    }
  }
}

const isEstablished = (crd: StoredObject): boolean =>
  (crd as { status?: { conditions?: { type: string; status: string }[] } }).status?.conditions?.some(
    (one) => one.type === 'Established' && one.status === 'True',
  ) ?? false;
