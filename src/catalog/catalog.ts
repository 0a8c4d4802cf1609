import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceFacts, StatusFacts, TypeFacts } from './facts';
import { Kind } from './kind';

const GROUP_SUFFIX = '.azure.com';

/**
 * The facts about every kind, read from `catalog/` one service at a time: who uses storage never reads network, and
 * only who asks for status types reads them.
 */
export class Catalog {
  /** The catalog that comes with this package. */
  public static default(): Catalog {
    // src/catalog, lib/catalog, lib/cli, lib/controller: all lie two folders below the package's root.
    return (Catalog.shared ??= new Catalog(join(__dirname, '..', '..', 'catalog')));
  }

  private static shared?: Catalog;

  private readonly facts = new Map<string, ServiceFacts | undefined>();
  private readonly statuses = new Map<string, StatusFacts>();
  private readonly kinds = new Map<string, Kind | undefined>();
  private commonTypes?: Record<string, TypeFacts>;

  public constructor(private readonly directory: string) {}

  /** The names of all services (`storage`, `network.frontdoor`, …), sorted. */
  public get services(): string[] {
    return readdirSync(this.directory)
      .filter((file) => file.endsWith('.json') && !file.startsWith('_'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort();
  }

  /** The facts of a service, or undefined where there is none of that name. */
  public service(name: string): ServiceFacts | undefined {
    if (!this.facts.has(name)) {
      const file = join(this.directory, `${name}.json`);
      const known = /^[a-z0-9.]+$/.test(name) && existsSync(file);
      this.facts.set(name, known ? (JSON.parse(readFileSync(file, 'utf8')) as ServiceFacts) : undefined);
    }
    return this.facts.get(name);
  }

  /** A kind by API group and kind name, or undefined where the catalog has none. */
  public kind(group: string, kind: string): Kind | undefined {
    const key = `${group}/${kind}`;
    if (!this.kinds.has(key)) this.kinds.set(key, this.find(group, kind));
    return this.kinds.get(key);
  }

  /** All kinds of a service, in the catalog's order. */
  public kindsOf(service: string): Kind[] {
    const facts = this.service(service);
    return facts ? Object.keys(facts.kinds).map((kind) => this.kind(facts.group, kind)!) : [];
  }

  /** Every kind. Reads every service: for programs that need all of them, never for synth. */
  public get allKinds(): Kind[] {
    return this.services.flatMap((service) => this.kindsOf(service));
  }

  /** Types shared by all groups. */
  public get common(): Record<string, TypeFacts> {
    this.commonTypes ??= (JSON.parse(readFileSync(join(this.directory, '_common.json'), 'utf8')) as { types: Record<string, TypeFacts> }).types;
    return this.commonTypes;
  }

  private find(group: string, kind: string): Kind | undefined {
    if (!group.endsWith(GROUP_SUFFIX)) return undefined;
    const service = group.slice(0, -GROUP_SUFFIX.length);
    const facts = this.service(service);
    if (!facts || !Object.hasOwn(facts.kinds, kind)) return undefined;
    return new Kind(service, group, kind, facts.kinds[kind], facts, () => this.status(service), this.common);
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
