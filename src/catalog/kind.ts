import type { KindFacts, PropertyFacts, ServiceFacts, StatusFacts, TypeFacts, VersionFacts } from './facts';
import { newestFirst } from './version-order';
import { valueAt } from '../util/elements';

/** A kind of the catalog, e.g. `StorageAccount` of `storage.azure.com`. */
export class Kind {
  public readonly facts: KindFacts;
  private readonly versions = new Map<string, KindVersion>();

  public constructor(
    public readonly service: string,
    public readonly group: string,
    public readonly kind: string,
    private readonly own: KindFacts,
    private readonly serviceFacts: ServiceFacts,
    private readonly loadStatus: () => Pick<StatusFacts, 'statusTypes'>,
    private readonly common: Record<string, TypeFacts>,
    /** The same kind with the versions that this one extends. */
    private readonly base?: Kind,
  ) {
    this.facts = base ? withVersions(base.facts, own) : own;
  }

  /** Names of all served versions, newest first. */
  public get versionNames(): string[] {
    return Object.keys(this.facts.versions);
  }

  /** The newest stable version; the newest preview if there is no stable one. */
  public get latest(): KindVersion {
    return this.version(this.facts.latest)!;
  }

  /** The CRD name: `<plural>.<group>`. */
  public get crdName(): string {
    return `${this.facts.plural}.${this.group}`;
  }

  /** One version by its Kubernetes name (`v1api20230131`); undefined if the catalog has none. */
  public version(name: string): KindVersion | undefined {
    const known = this.versions.get(name);
    if (known) return known;
    const version = this.made(name, this);
    if (version) this.versions.set(name, version);
    return version;
  }

  /** @param kind the kind to which the new version belongs */
  private made(name: string, kind: Kind): KindVersion | undefined {
    const own = Object.hasOwn(this.own.versions, name) ? this.own.versions[name] : undefined;
    if (!own) return this.base?.made(name, kind);
    const facts: VersionFacts = own.sameAs ? { ...this.own.versions[own.sameAs], ...own } : own;
    return new KindVersion(kind, name, facts, own.sameAs ?? name, this.serviceFacts, this.loadStatus, this.common);
  }
}

/** The catalog's facts of the kind itself take precedence over added ones. */
function withVersions(base: KindFacts, added: KindFacts): KindFacts {
  const versions = Object.entries({ ...base.versions, ...added.versions });
  return { ...added, ...base, versions: Object.fromEntries(versions.sort(([a], [b]) => newestFirst(a, b))) };
}

/** One version of a kind: its schema, its ARM mapping, its owner and exports. */
export class KindVersion {
  /** Cache of the first property of each role; null: there is none. Every reconcile of every object looks roles up. */
  private readonly byRole = new Map<PropertyFacts['role'], [name: string, facts: PropertyFacts] | null>();

  public constructor(
    public readonly kind: Kind,
    /** `v1api20230131` */
    public readonly name: string,
    /** The facts of this version, merged with those of `sameAs`. */
    public readonly facts: VersionFacts,
    /** The version that has the types (`sameAs`, or this version). */
    public readonly typesOf: string,
    private readonly serviceFacts: ServiceFacts,
    private readonly loadStatus: () => Pick<StatusFacts, 'statusTypes'>,
    private readonly common: Record<string, TypeFacts>,
  ) {}

  /** `managedidentity.azure.com/v1api20230131` */
  public get apiVersion(): string {
    return `${this.kind.group}/${this.name}`;
  }

  /** The kind of the resources that ARM has below this one's under a name: `subnets` of a VirtualNetwork. */
  public childKind(segment: string): string | undefined {
    const type = `${this.facts.arm?.type ?? ''}/${segment}`.toLowerCase();
    const typeOf = ({ latest, versions }: KindFacts) => valueAt(versions, valueAt(versions, latest).sameAs ?? latest).arm?.type;
    return Object.entries(this.serviceFacts.kinds).find(([, facts]) => typeOf(facts)?.toLowerCase() === type)?.[0];
  }

  /** Whether the kind is an ARM resource (the users inside database servers and the Entra groups are not). */
  public get isArm(): boolean {
    return this.facts.arm !== undefined;
  }

  public supports(operation: string): boolean {
    return (this.facts.operations as string[] | undefined)?.includes(operation) ?? false;
  }

  public get specType(): TypeFacts {
    return this.type(this.facts.spec!);
  }

  public get statusType(): TypeFacts {
    return this.statusTypeNamed(this.facts.status!);
  }

  /** A spec type by the name in a `{ref}`. */
  public type(name: string): TypeFacts {
    const type = this.serviceFacts.types[this.typesOf]?.[name];
    if (!type) {
      throw new Error(`catalog: ${this.apiVersion} ${this.kind.kind} refers to type ${name}, which version ${this.typesOf} does not have`);
    }
    return type;
  }

  /** A status type by the name in a `{ref}`. */
  public statusTypeNamed(name: string): TypeFacts {
    const type = this.loadStatus().statusTypes[this.typesOf]?.[name];
    if (!type) {
      throw new Error(
        `catalog: ${this.apiVersion} ${this.kind.kind} refers to status type ${name}, which version ${this.typesOf} does not have`,
      );
    }
    return type;
  }

  /** A type shared by all groups, by the name in a `{common}`. */
  public commonType(name: string): TypeFacts {
    const type = this.common[name];
    if (!type) {
      throw new Error(`catalog: ${this.apiVersion} ${this.kind.kind} refers to common type ${name}, which _common.json does not have`);
    }
    return type;
  }

  /** The property of the spec with the role, if there is one. */
  public specProperty(role: PropertyFacts['role']): [name: string, facts: PropertyFacts] | undefined {
    const known = this.byRole.get(role);
    if (known !== undefined) return known ?? undefined;
    const found = Object.entries(this.specType.props).find(([, facts]) => facts.role === role);
    this.byRole.set(role, found ?? null);
    return found;
  }
}
