import type { ObjectSet } from './object-set';
import type { AzureObject } from './set-object';

/** An object of the cluster that another one names. */
export interface Named {
  readonly field: string;
  readonly what: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The objects of the cluster that an object names completely. */
export function namedBy({ facts }: AzureObject): Named[] {
  const { owner, references, reads } = facts;
  return [
    ...[owner, ...references].flatMap((target, index) =>
      target?.name === undefined || target.kind === undefined
        ? []
        : [
          {
            field: index === 0 && target === owner ? `${target.path}.name` : target.path,
            what: target.kind,
            group: target.group ?? '',
            kind: target.kind,
            name: target.name,
          },
        ],
    ),
    ...reads.map(({ path, store, name }) => ({ field: path, what: store, group: '', kind: store, name })),
  ];
}

/** Store and name → namespace → the first object of the set that writes the store there. */
type Writers = ReadonlyMap<string, ReadonlyMap<string, AzureObject>>;

const writersOfSets = new WeakMap<ObjectSet, Writers>();

export function writersOf(set: ObjectSet): Writers {
  const known = writersOfSets.get(set);
  if (known) return known;
  const writers = new Map<string, Map<string, AzureObject>>();
  for (const object of set.azure) {
    for (const { store, name } of object.facts.writes) {
      const key = `${store} ${name}`;
      const places = writers.get(key) ?? new Map<string, AzureObject>();
      if (!places.has(object.namespace ?? '')) places.set(object.namespace ?? '', object);
      writers.set(key, places);
    }
  }
  writersOfSets.set(set, writers);
  return writers;
}

export function writerOf({ namespace }: AzureObject, { group, kind, name }: Named, set: ObjectSet): AzureObject | undefined {
  return group === '' ? writersOf(set).get(`${kind} ${name}`)?.get(namespace ?? '') : undefined;
}
