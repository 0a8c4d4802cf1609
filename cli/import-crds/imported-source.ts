import type { KindSource } from '../../codegen/model';
import { importedKind, type Catalog, type ImportedService, type Kind, type ServiceDocs } from '../../src/catalog';

/** Imported kinds, as code generation reads them; the catalog has the owners that were not imported. */
export class ImportedSource implements KindSource {
  private readonly services: ReadonlyMap<string, ImportedService>;
  private readonly kinds = new Map<string, Kind>();

  public constructor(services: readonly ImportedService[], private readonly catalog: Catalog) {
    this.services = new Map(services.map((service) => [service.service, service]));
    for (const service of services) {
      for (const kind of Object.keys(service.kinds)) {
        this.kinds.set(`${service.group}/${kind}`, importedKind(service, kind, catalog.common));
      }
    }
  }

  public service(name: string): ImportedService | undefined {
    return this.services.get(name);
  }

  /** CRDs have descriptions of their own. */
  public docs(): ServiceDocs {
    return {};
  }

  public kindsOf(name: string): Kind[] {
    const service = this.services.get(name);
    return service ? Object.keys(service.kinds).map((kind) => this.kinds.get(`${service.group}/${kind}`)!) : [];
  }

  public kind(group: string, kind: string): Kind | undefined {
    return this.kinds.get(`${group}/${kind}`) ?? this.catalog.kind(group, kind);
  }
}
