import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NameRuleFacts, ServiceFacts, StatusFacts, TypeFacts } from './facts';
import { FragmentError, versionText, type CatalogFragment, type ImportedService } from './fragment';
import { Kind } from './kind';
import type { DocsFacts, ServiceDocs } from './property-docs';
import { groupOfService, serviceOfGroup } from '../util/api-groups';
import { valueAt } from '../util/elements';

/**
 * The facts about every kind, read from `catalog/` on demand: one service at a time, and status types separately.
 */
export class Catalog {
  /** The catalog of this package. */
  public static default(): Catalog {
    // src/catalog, lib/catalog, lib/programs: all are two folders below the package's root.
    return (Catalog.shared ??= new Catalog(join(__dirname, '..', '..', 'catalog')));
  }

  private static shared?: Catalog;

  private readonly facts = new Map<string, ServiceFacts | undefined>();
  private readonly statuses = new Map<string, StatusFacts>();
  private readonly kinds = new Map<string, Kind | undefined>();
  /** Group and kind → the fragments that have the kind, in order of addition. */
  private readonly imported = new Map<string, ImportedService[]>();
  private additions = 0;
  private commonTypes?: Record<string, TypeFacts>;

  public constructor(private readonly directory: string) {}

  /** A catalog with the same kinds that has read none of them: for a look at many kinds after which their facts leave the memory. */
  public copy(): Catalog {
    const copy = new Catalog(this.directory);
    for (const [key, services] of this.imported) copy.imported.set(key, services);
    copy.additions = this.additions;
    return copy;
  }

  /** The number of additions; a cache is outdated when it changes. */
  public get revision(): number {
    return this.additions;
  }

  /**
   * Adds kinds, or versions of kinds, that the catalog does not have. An added version replaces the catalog's own.
   * @throws FragmentError when another fragment has different facts for the same version of a kind
   */
  public add(fragment: CatalogFragment): void {
    for (const service of fragment.services) for (const kind of Object.keys(service.kinds)) this.refuseOtherFacts(service, kind);
    for (const service of fragment.services) {
      for (const kind of Object.keys(service.kinds)) {
        const key = `${service.group}/${kind}`;
        this.imported.set(key, [...(this.imported.get(key) ?? []), service]);
        this.kinds.delete(key);
      }
    }
    this.additions++;
  }

  /** The names of all services (`storage`, `network.frontdoor`, …), sorted. */
  public get services(): string[] {
    const own = readdirSync(this.directory)
      .filter((file) => file.endsWith('.json') && !file.startsWith('_'))
      .map((file) => file.slice(0, -'.json'.length));
    const imported = [...this.imported.values()].flat().map(({ service }) => service);
    return [...new Set([...own, ...imported])].sort();
  }

  /** The API groups of all services (`storage.azure.com`, …), sorted. Reads none of them. */
  public get groups(): string[] {
    return this.services.map(groupOfService).sort();
  }

  /** The facts of a service, without added ones; undefined if the catalog has no such service. */
  public service(name: string): ServiceFacts | undefined {
    if (!this.facts.has(name)) {
      const file = join(this.directory, `${name}.json`);
      const known = /^[a-z0-9.]+$/.test(name) && existsSync(file);
      this.facts.set(name, known ? (JSON.parse(readFileSync(file, 'utf8')) as ServiceFacts) : undefined);
    }
    return this.facts.get(name);
  }

  /** Whether a service has kinds, its own or added ones. */
  public hasService(name: string): boolean {
    return this.service(name) !== undefined || [...this.imported.values()].flat().some(({ service }) => service === name);
  }

  /** A kind by API group and kind name; undefined if the catalog has none. */
  public kind(group: string, kind: string): Kind | undefined {
    const key = `${group}/${kind}`;
    if (!this.kinds.has(key)) this.kinds.set(key, this.find(group, kind));
    return this.kinds.get(key);
  }

  /** All kinds of a service, in the catalog's order. */
  public kindsOf(service: string): Kind[] {
    const own = this.service(service);
    const added = [...new Set([...this.imported.values()].flat())].filter((facts) => facts.service === service);
    const keys = [...(own ? [own] : []), ...added].flatMap(({ group, kinds }) => Object.keys(kinds).map((kind) => ({ group, kind })));
    return [...new Set(keys.map(({ group, kind }) => this.kind(group, kind)!))];
  }

  /** The documentation of a service's properties: for code generation and `explain`, never for synth or the controller. */
  public docs(service: string): ServiceDocs {
    const file = join(this.directory, 'docs', `${service}.json`);
    return this.service(service) && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DocsFacts).types : {};
  }

  /** Every kind. Reads every service: for programs that need all of them, never for synth. */
  public get allKinds(): Kind[] {
    return this.services.flatMap((service) => this.kindsOf(service));
  }

  /** Types shared by all groups. */
  public get common(): Record<string, TypeFacts> {
    return (this.commonTypes ??= this.shared<{ types: Record<string, TypeFacts> }>('_common.json').types);
  }

  /** ARM type in lower case → Azure's rule for its names. */
  public get nameRules(): Readonly<Record<string, NameRuleFacts>> {
    return this.shared<{ nameRules: Record<string, NameRuleFacts> }>('_name-rules.json').nameRules;
  }

  /** A file with facts that all services share. */
  private shared<T>(file: string): T {
    return JSON.parse(readFileSync(join(this.directory, file), 'utf8')) as T;
  }

  private find(group: string, kind: string): Kind | undefined {
    const added = this.imported.get(`${group}/${kind}`) ?? [];
    return added.reduce<Kind | undefined>((base, facts) => importedKind(facts, kind, this.common, base), this.findOwn(group, kind));
  }

  private findOwn(group: string, kind: string): Kind | undefined {
    const service = serviceOfGroup(group);
    const facts = service === undefined ? undefined : this.service(service);
    if (facts?.group !== group) return undefined;
    const own = Object.hasOwn(facts.kinds, kind) ? facts.kinds[kind] : undefined;
    return own && new Kind(facts.service, group, kind, own, facts, () => this.status(facts.service), this.common);
  }

  private refuseOtherFacts(service: ImportedService, kind: string): void {
    for (const other of this.imported.get(`${service.group}/${kind}`) ?? []) {
      for (const version of Object.keys(valueAt(service.kinds, kind).versions)) {
        if (!Object.hasOwn(valueAt(other.kinds, kind).versions, version)) continue;
        if (versionText(other, kind, version) === versionText(service, kind, version)) continue;
        throw new FragmentError(`${kind} of ${service.group} was imported twice, and the imports differ in version ${version}. Import the CRDs of one operator release into one folder.`);
      }
    }
  }

  private status(service: string): StatusFacts {
    let status = this.statuses.get(service);
    if (!status) {
      status = JSON.parse(readFileSync(join(this.directory, 'status', `${service}.json`), 'utf8')) as StatusFacts;
      this.statuses.set(service, status);
    }
    return status;
  }
}

/** A kind of a fragment, on top of its known versions. */
export function importedKind(facts: ImportedService, kind: string, common: Record<string, TypeFacts>, base?: Kind): Kind {
  return new Kind(facts.service, facts.group, kind, valueAt(facts.kinds, kind), facts, () => facts, common, base);
}
