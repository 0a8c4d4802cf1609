import { extensionsIn } from './extensions';
import { latestOf, namesOf, storageVersionOf, type KindVersionSource } from './kind-names';
import { sameAs } from './same-as';
import { sortedKeys } from './sorted-keys';
import { kindsIn, readVersion, type VersionRead } from './version-facts';
import type { DocsFacts, KindFacts, SecretSources, ServiceFacts, StatusFacts, TypeFacts, VersionFacts } from '../../src/catalog';
import { newestFirst } from '../../src/catalog';
import { elementAt } from '../../src/util/elements';
import { withComparisonFacts } from '../overlays/merge-comparison';
import { withOutputs } from '../overlays/merge-outputs';
import { withPropertyNotes } from '../overlays/merge-properties';
import { withQuantities } from '../overlays/merge-quantities';
import type { Overlays } from '../overlays/overlays';
import { secretSources } from '../overlays/secret-sources';
import type { Checkout, VersionPackages } from '../source/checkout';
import { readReferencePage, type Served } from '../source/reference-page';

/** The facts of a service, as read from the source and the overlays. */
export interface ServiceRead {
  readonly catalog: ServiceCatalog;
  /** All kinds of the source (`storage.azure.com/StorageAccount`), including left-out ones. */
  readonly kindsInSource: readonly string[];
}

/** The contents of a service's files. */
export interface ServiceCatalog {
  readonly facts: ServiceFacts;
  readonly docs?: DocsFacts | undefined;
  readonly status: StatusFacts;
}

/** Reads a service from the source and the overlays; undefined if it has no kinds. */
export function readService(service: string, checkout: Checkout, overlays: Overlays): ServiceRead | undefined {
  const versions = checkout.versions(service);
  const sources = kindSources(versions);
  if (sources.size === 0) return undefined;
  const group = elementAt(versions, 0).types.marker('groupName') ?? `${service}.azure.com`;
  const leftOut = new Set(overlays.leftOut.map(({ kind }) => kind));
  const served = readReferencePage(checkout.referencePage(service) ?? '');
  const extensions = extensionsIn(checkout.customizations(service));
  const types: Record<string, Record<string, TypeFacts>> = {};
  const statusTypes: Record<string, Record<string, TypeFacts>> = {};
  const names = [...sources.keys()].sort();
  const kinds = Object.fromEntries(names.filter((kind) => !leftOut.has(`${group}/${kind}`)).map((kind): [string, KindFacts] => {
    const isOwn = (entry: { readonly kind: string }) => entry.kind === `${group}/${kind}`;
    const own = sources.get(kind)!;
    const reads = own.map(({ struct, packages }) => readVersion(struct, packages, overlays.bodyChanges.filter(isOwn)));
    for (const read of reads.filter((each) => sameAs(each, reads) === undefined)) {
      add(types, read.version, read.types);
      add(statusTypes, read.version, read.statusTypes);
    }
    const entry = overlays.secretSources.find(isOwn);
    const secrets = entry && secretSources(entry);
    return [kind, kindFacts({ kind, sources: own, reads, extensions: extensions.get(kind), secretSources: secrets, served })];
  }));
  const facts = withQuantities(withOutputs({ group, service, kinds, types: sorted(types) }, overlays.outputs), overlays.quantities);
  const merged = withPropertyNotes(withComparisonFacts(facts, overlays.comparison), overlays.properties.get(service));
  const catalog = { ...merged, status: { group, service, statusTypes: sorted(statusTypes) } };
  return { catalog, kindsInSource: names.map((kind) => `${group}/${kind}`) };
}

function kindSources(versions: readonly VersionPackages[]): Map<string, KindVersionSource[]> {
  const sources = new Map<string, KindVersionSource[]>();
  for (const packages of [...versions].sort((a, b) => newestFirst(a.version, b.version))) {
    for (const struct of kindsIn(packages)) sources.set(struct.name, [...(sources.get(struct.name) ?? []), { struct, packages }]);
  }
  return sources;
}

interface KindRead {
  readonly kind: string;
  readonly sources: readonly KindVersionSource[];
  readonly reads: readonly VersionRead[];
  readonly extensions: string[] | undefined;
  readonly secretSources: SecretSources | undefined;
  readonly served: ReadonlyMap<string, Served>;
}

function kindFacts({ kind, sources, reads, extensions, secretSources: secrets, served }: KindRead): KindFacts {
  return {
    ...namesOf(kind, sources),
    latest: latestOf(reads.map(({ version }) => version)),
    storageVersion: storageVersionOf(kind, sources),
    ...(extensions ? { extensions } : {}),
    ...(secrets ? { secretSources: secrets } : {}),
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
