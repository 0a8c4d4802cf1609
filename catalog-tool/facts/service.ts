import type { KindFacts, ServiceFacts, StatusFacts, TypeFacts, VersionFacts } from '../../src/catalog';
import { newestFirst } from '../../src/catalog';
import type { Checkout, VersionPackages } from '../source/checkout';
import { readReferencePage, type Served } from '../source/reference-page';
import { extensionsIn } from './extensions';
import { latestOf, namesOf, storageVersionOf, type KindVersionSource } from './kind-names';
import { sameAs } from './same-as';
import { kindsIn, readVersion, type VersionRead } from './version-facts';

/** The two files of a service. */
export interface ServiceCatalog {
  readonly facts: ServiceFacts;
  readonly status: StatusFacts;
}

/** All that the source says of a service; undefined: the service has no kinds. */
export function readService(service: string, checkout: Checkout): ServiceCatalog | undefined {
  const versions = checkout.versions(service);
  const sources = kindSources(versions);
  if (sources.size === 0) return undefined;
  const group = versions[0].types.marker('groupName') ?? `${service}.azure.com`;
  const served = readReferencePage(checkout.referencePage(service) ?? '');
  const extensions = extensionsIn(checkout.customizations(service));
  const types: Record<string, Record<string, TypeFacts>> = {};
  const statusTypes: Record<string, Record<string, TypeFacts>> = {};
  const kinds = Object.fromEntries([...sources.keys()].sort().map((kind): [string, KindFacts] => {
    const own = sources.get(kind)!;
    const reads = own.map(({ struct, packages }) => readVersion(struct, packages));
    for (const read of reads.filter((each) => sameAs(each, reads) === undefined)) {
      add(types, read.version, read.types);
      add(statusTypes, read.version, read.statusTypes);
    }
    return [kind, kindFacts(kind, own, reads, extensions.get(kind), served)];
  }));
  return { facts: { group, service, kinds, types: sorted(types) }, status: { group, service, statusTypes: sorted(statusTypes) } };
}

function kindSources(versions: readonly VersionPackages[]): Map<string, KindVersionSource[]> {
  const sources = new Map<string, KindVersionSource[]>();
  for (const packages of [...versions].sort((a, b) => newestFirst(a.version, b.version))) {
    for (const struct of kindsIn(packages)) sources.set(struct.name, [...(sources.get(struct.name) ?? []), { struct, packages }]);
  }
  return sources;
}

function kindFacts(kind: string, sources: readonly KindVersionSource[], reads: readonly VersionRead[], extensions: string[] | undefined, served: Map<string, Served>): KindFacts {
  return {
    ...namesOf(kind, sources),
    latest: latestOf(reads.map(({ version }) => version)),
    storageVersion: storageVersionOf(kind, sources),
    ...(extensions ? { extensions } : {}),
    versions: Object.fromEntries(reads.map((read): [string, VersionFacts] => {
      const same = sameAs(read, reads);
      return [read.version, { ...(same === undefined ? read.facts : { sameAs: same }), ...served.get(`${kind}/${read.version}`) }];
    })),
  };
}

function add(types: Record<string, Record<string, TypeFacts>>, version: string, more: Record<string, TypeFacts>): void {
  Object.assign((types[version] ??= {}), more);
}

function sorted(types: Record<string, Record<string, TypeFacts>>): Record<string, Record<string, TypeFacts>> {
  return sortedKeys(Object.fromEntries(Object.entries(types).map(([version, own]) => [version, sortedKeys(own)])));
}

function sortedKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.keys(record).sort().map((key) => [key, record[key]]));
}
