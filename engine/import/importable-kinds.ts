import { armTypeOf } from '../../src/azure/arm-id';
import type { Catalog, KindVersion } from '../../src/catalog';

/** The kinds that Azure's resources become, by ARM type. */
export class ImportableKinds {
  private readonly byType = new Map<string, KindVersion>();
  private readonly byParent = new Map<string, KindVersion[]>();
  /** Kinds of resources that extend any other one, such as role assignments. */
  public readonly extensions: readonly KindVersion[];

  public constructor(catalog: Catalog) {
    const extensions: KindVersion[] = [];
    for (const kind of catalog.allKinds) {
      const version = kind.latest;
      const { arm, scope } = version.facts;
      if (!arm || !version.supports('GET')) continue;
      const type = arm.type.toLowerCase();
      this.byType.set(type, version);
      if (scope === 'extension') extensions.push(version);
      const parent = type.slice(0, type.lastIndexOf('/'));
      if (parent.includes('/')) this.byParent.set(parent, [...(this.byParent.get(parent) ?? []), version]);
    }
    this.extensions = extensions;
  }

  /** The kind of the resource with an id, in the version that an import writes; undefined for a type without a kind. */
  public of(id: string): KindVersion | undefined {
    return this.byType.get((armTypeOf(id) ?? '').toLowerCase());
  }

  /** The other versions of a kind, newest first. */
  public otherVersions(version: KindVersion): readonly KindVersion[] {
    return version.kind.versionNames.filter((name) => name !== version.name).map((name) => version.kind.version(name)!)
      .filter(({ facts }) => facts.arm?.type === version.facts.arm?.type && facts.arm?.apiVersion !== version.facts.arm?.apiVersion);
  }

  /** The kinds of the children of a resource. */
  public childrenOf(id: string): readonly KindVersion[] {
    return this.byParent.get((armTypeOf(id) ?? '').toLowerCase()) ?? [];
  }
}
