import { laterReleases, type LaterReleases } from './later-releases';
import type { Declared, KindModel, ServiceModel, StructModel } from './model';
import { reachable } from './shapes';
import type { ServiceDocs } from '../src/catalog';

/** The model with the documentation of its properties, and their first releases. */
export function documented(model: ServiceModel, docs: ServiceDocs): ServiceModel {
  const releases = model.kinds.map((kind) => ({ kind, types: reachable(kind.version), later: laterReleases(kind.version) }));
  const ofAll = (struct: StructModel): LaterReleases => commonTo(
    struct.specName,
    releases.filter(({ types }) => types.has(struct.specName)).map(({ later }) => later),
  );
  return {
    ...model,
    kinds: releases.map(({ kind, later }): KindModel => ({
      ...kind,
      spec: withDocs(kind.spec, docs, later),
      own: kind.own.map((declared) => withDocs(declared, docs, later)),
    })),
    shared: model.shared.map((declared) => (declared.is === 'struct' ? withDocs(declared, docs, ofAll(declared)) : declared)),
  };
}

function withDocs<T extends Declared>(declared: T, docs: ServiceDocs, later: LaterReleases): T;
function withDocs(declared: Declared, docs: ServiceDocs, later: LaterReleases): Declared {
  if (declared.is === 'enum') return declared;
  const own = Object.hasOwn(docs, declared.specName) ? docs[declared.specName]! : {};
  const since = later.get(declared.specName);
  return {
    ...declared,
    properties: declared.properties.map((property) => ({
      ...property,
      doc: Object.hasOwn(own, property.specName) ? own[property.specName] : undefined,
      since: since?.get(property.specName),
    })),
  };
}

/** The releases of a type that are the same in all kinds that have it: a shared struct has one comment. */
function commonTo(type: string, all: readonly LaterReleases[]): LaterReleases {
  const [first, ...others] = all.map((later) => later.get(type));
  const common = [...(first ?? [])].filter(([property, release]) => others.every((other) => other?.get(property) === release));
  return new Map([[type, new Map(common)]]);
}
