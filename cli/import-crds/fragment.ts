import { schemaProblem, type SourceCrd } from './crd';
import { readVersion, type ReadVersion, type VersionTypes } from './kind-facts';
import { isBuiltIn } from './same-schema';
import { SchemaError } from './schema-error';
import { bare, TypeNames } from './type-names';
import { fileNameOf } from '../../codegen/names';
import type { Catalog, CatalogFragment, ImportedService, Kind, KindFacts, TypeFacts, VersionFacts } from '../../src/catalog';
import { isPreviewVersion, newestFirst } from '../../src/catalog';
import { serviceOfGroup } from '../../src/util/api-groups';
import type { Problem } from '../output/problem';

/** A kind that was imported. */
export interface ImportedKind {
  readonly crd: SourceCrd;
  /** Newest first; the class is made for `latest`. */
  readonly versions: readonly string[];
  readonly latest: string;
  /** Facts that are unknown of the version of the class, in words. */
  readonly unknown: readonly string[];
}

/** All that a number of CRDs say. */
export interface Import {
  /** With descriptions, of which the class's comments are made. */
  readonly services: readonly ImportedService[];
  readonly kinds: readonly ImportedKind[];
  /** CRDs, or versions of them, of which nothing was made, and why. */
  readonly skipped: readonly Problem[];
  readonly problems: readonly Problem[];
}

/**
 * CRDs → facts, one service a group.
 * @param includeBuiltIn whether to make classes as well for what the library has classes for
 */
export function importCrds(crds: readonly SourceCrd[], catalog: Catalog, includeBuiltIn: boolean): Import {
  const groups = new Map<string, SourceCrd[]>();
  const problems: Problem[] = [];
  const seen = new Map<string, SourceCrd>();
  for (const crd of crds) {
    const key = `${crd.group}/${crd.kind}`;
    const other = seen.get(key);
    if (other) {
      problems.push(
        placed(
          crd,
          `${crd.kind} stands already in ${other.manifest.file}:${other.manifest.line}; this one is left out`,
          'remove one of the two',
        ),
      );
    } else {groups.set(crd.group, [...(groups.get(crd.group) ?? []), crd]);}
    seen.set(key, other ?? crd);
  }
  const parts = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, own]) => new GroupImport(group, own, catalog, includeBuiltIn));
  return {
    services: parts.filter((part) => part.kinds.length > 0).map((part) => part.service),
    kinds: parts.flatMap((part) => part.kinds),
    skipped: parts.flatMap((part) => part.skipped),
    problems: [...problems, ...parts.flatMap((part) => part.problems)],
  };
}

/** The part of a fragment that the library needs; comments need the rest. */
export function fragmentOf(services: readonly ImportedService[]): CatalogFragment {
  const stripped = services.map((service) => ({
    ...service,
    types: bareTables(service.types),
    statusTypes: bareTables(service.statusTypes),
  }));
  return { cdk8sAsoCatalog: 1, services: stripped };
}

function bareTables(types: ImportedService['types']): ImportedService['types'] {
  return Object.fromEntries(Object.entries(types).map(([version, byName]) => [version, bareTypes(byName)]));
}

function bareTypes(types: Record<string, TypeFacts>): Record<string, TypeFacts> {
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, bare(type)]));
}

class GroupImport {
  public readonly kinds: ImportedKind[] = [];
  public readonly skipped: Problem[] = [];
  public readonly problems: Problem[] = [];
  private readonly facts: Record<string, KindFacts> = {};
  private readonly types = new Map<string, VersionTypes>();

  public constructor(
    private readonly group: string,
    private readonly crds: readonly SourceCrd[],
    private readonly catalog: Catalog,
    private readonly includeBuiltIn: boolean,
  ) {
    for (const crd of [...crds].sort((a, b) => (a.kind < b.kind ? -1 : 1))) this.add(crd);
  }

  public get service(): ImportedService {
    const tables = (part: keyof VersionTypes) => Object.fromEntries([...this.types].map(([version, types]) => [version, types[part].all]));
    return { group: this.group, service: serviceOf(this.group), kinds: this.facts, types: tables('spec'), statusTypes: tables('status') };
  }

  private add(crd: SourceCrd): void {
    const namesake = this.kinds.find((other) => fileNameOf(other.crd.kind) === fileNameOf(crd.kind));
    if (namesake) {
      const message = `the files of ${crd.kind} and ${namesake.crd.kind} would have one name; this one is left out`;
      this.problems.push(placed(crd, message, 'import one of them into another folder'));
      return;
    }
    const builtIn = this.catalog.kind(crd.group, crd.kind);
    const wanted = crd.versions.filter((version) => this.includeBuiltIn || !isVersionBuiltIn(version, builtIn));
    if (wanted.length === 0) {
      const name = `${serviceOf(crd.group).replace(/\./g, '')}.${crd.kind}`;
      this.skipped.push(placed(crd, 'the library has a class for it, the same in every version', `use ${name}, or give --include-built-in`));
      return;
    }
    const read = this.read(crd, wanted, builtIn);
    if (read) this.addKind(crd, read, builtIn);
  }

  /** The facts of the versions, newest first. Undefined: a schema cannot be read, which is a problem. */
  private read(crd: SourceCrd, wanted: SourceCrd['versions'], builtIn: Kind | undefined): [version: string, read: ReadVersion][] | undefined {
    const read = new Map<string, ReadVersion>();
    for (const version of wanted) {
      try {
        read.set(version.name, readVersion(crd, version, this.typesOf(version.name), builtIn));
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
        this.problems.push(schemaProblem(crd, version.name, error));
        return undefined;
      }
    }
    return [...read].sort(([a], [b]) => newestFirst(a, b));
  }

  private addKind(crd: SourceCrd, read: readonly [version: string, read: ReadVersion][], builtIn: Kind | undefined): void {
    const versions = read.map(([name]) => name);
    const [newest] = read;
    if (!newest) throw new RangeError(`${crd.group}/${crd.kind} has no version that was read`);
    const [latest, { unknown }] = read.find(([name]) => !isPreviewVersion(name)) ?? newest;
    const { plural, singular = crd.kind.toLowerCase(), shortNames, categories } = crd.names;
    this.facts[crd.kind] = {
      plural,
      singular,
      ...(shortNames && { shortNames: [...shortNames] }),
      ...(categories && { categories: [...categories] }),
      latest,
      storageVersion: storageVersionOf(crd, versions) ?? newest[0],
      ...(builtIn?.facts.secretSources && { secretSources: builtIn.facts.secretSources }),
      versions: Object.fromEntries(read.map(([name, { facts }]): [string, VersionFacts] => [name, facts])),
    };
    this.kinds.push({ crd, versions, latest, unknown });
  }

  private typesOf(version: string): VersionTypes {
    const known = this.types.get(version);
    if (known) return known;
    const reserved = new Set(
      this.crds.flatMap(({ kind }) => [kind, `${kind}Props`, `${kind}Outputs`, `${kind}SecretOutputs`, `I${kind}Ref`]),
    );
    const made = { spec: new TypeNames(reserved), status: new TypeNames(reserved) };
    this.types.set(version, made);
    return made;
  }
}

/** Whether the library has this version of the kind, with the same schema. */
function isVersionBuiltIn({ name, schema }: SourceCrd['versions'][number], builtIn: Kind | undefined): boolean {
  const own = builtIn?.version(name);
  return own !== undefined && schema?.openAPIV3Schema !== undefined && isBuiltIn(schema.openAPIV3Schema, own);
}

/** `widgets.azure.com` → `widgets`; other groups are called by their whole name. */
function serviceOf(group: string): string {
  return serviceOfGroup(group) ?? group;
}

/** Undefined where there is none; the newest version is stored then. */
function storageVersionOf(crd: SourceCrd, versions: readonly string[]): string | undefined {
  const raw = (crd.manifest.object.spec as { versions: { name: string; storage?: boolean }[] }).versions.find(
    ({ storage }) => storage,
  )?.name;
  const stored = raw?.replace(/storage$/, '');
  return stored !== undefined && versions.includes(stored) ? stored : versions[0];
}

function placed({ manifest }: SourceCrd, message: string, fix: string): Problem {
  return { file: manifest.file, line: manifest.line, object: `CustomResourceDefinition ${manifest.object.metadata.name}`, message, fix };
}
