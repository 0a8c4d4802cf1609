import type { EnumModel, KindModel, ServiceModel, StructModel } from '../../codegen/model';
import { serviceModel } from '../../codegen/service-model';
import type { Catalog, Kind } from '../../src/catalog';

/** The generated class of a kind: its names and the types of its props, as codegen writes them. */
export class KindClass {
  public constructor(
    public readonly kind: Kind,
    public readonly model: KindModel,
    private readonly service: ServiceClasses,
  ) {}

  public get submodule(): string {
    return this.service.model.submodule;
  }

  public get className(): string {
    return this.model.className;
  }

  public struct(name: string): StructModel | undefined {
    const declared = this.service.declared.get(name);
    return declared?.is === 'struct' ? declared : undefined;
  }

  public enumeration(name: string): EnumModel | undefined {
    const declared = this.service.declared.get(name);
    return declared?.is === 'enum' ? declared : undefined;
  }
}

/** All generated classes, computed one service at a time. */
export class KindClasses {
  private readonly services = new Map<string, ServiceClasses | undefined>();

  public constructor(private readonly catalog: Catalog) {}

  public find(group: string, kind: string): KindClass | undefined {
    const found = this.catalog.kind(group, kind);
    return found && this.service(found.service).classOf(found);
  }

  private service(name: string): ServiceClasses {
    let service = this.services.get(name);
    if (!service) this.services.set(name, (service = new ServiceClasses(serviceModel(this.catalog, name))));
    return service;
  }
}

class ServiceClasses {
  public readonly declared: Map<string, ServiceModel['shared'][number]>;
  private readonly kinds: Map<string, KindModel>;

  public constructor(public readonly model: ServiceModel) {
    this.declared = new Map([...model.shared, ...model.kinds.flatMap((kind) => kind.own)].map((declared) => [declared.name, declared]));
    this.kinds = new Map(model.kinds.map((kind) => [kind.className, kind]));
  }

  public classOf(kind: Kind): KindClass {
    return new KindClass(kind, this.kinds.get(kind.kind)!, this);
  }
}
