import type { KindModel, KindSource, ServiceModel, StructModel, TypeModel } from '../../codegen/model';
import { submoduleOf } from '../../codegen/names';
import { innermost, serviceModel } from '../../codegen/service-model';
import type { Catalog, Kind } from '../../src/catalog';

/** The models of services from which classes are generated, with one kind in a version of choice. */
export class Models {
  private readonly models = new Map<string, ServiceModel | undefined>();
  private readonly source: KindSource;

  public constructor(private readonly catalog: Catalog, kind: Kind, version: string) {
    const chosen = version === kind.latest.name ? kind : (Object.create(kind, { latest: { value: kind.version(version) } }) as Kind);
    const inVersion = (other: Kind) => (other === kind ? chosen : other);
    this.source = {
      kind: (group, name) => catalog.kind(group, name),
      kindsOf: (service) => catalog.kindsOf(service).map(inVersion),
      service: (service) => catalog.service(service),
      docs: (service) => catalog.docs(service),
    };
  }

  /** The model of a service by its submodule. */
  public readonly of = (submodule: string): ServiceModel | undefined => {
    if (!this.models.has(submodule)) {
      const service = this.catalog.services.find((name) => submoduleOf(name) === submodule);
      this.models.set(submodule, service === undefined ? undefined : serviceModel(this.source, service));
    }
    return this.models.get(submodule);
  };
}

/** The struct that a property has as its value, or as the elements of its list or map. */
export function structOf(type: TypeModel, kind: KindModel, service: ServiceModel): StructModel | undefined {
  const inner = innermost(type);
  if (inner.is !== 'declared') return undefined;
  const found = [...kind.own, ...service.shared].find(({ name }) => name === inner.name);
  return found?.is === 'struct' ? found : undefined;
}
