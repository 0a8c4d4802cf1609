import type { ObjectSet } from './object-set';
import { FoundAt, ofSet } from './rule';
import { SetObject, titleOf } from './set-object';
import { suggestion } from '../../util/nearest';
import { isRecord, member, struct, text } from '../../util/records';
import { firstOf, uncapitalized } from '../../util/words';
import { SETTINGS_SECRET } from '../credentials/scopes/credential-sources';
import type { Value } from '../graph/graph-object';
import { isWorkload, readsOfPods } from '../graph/pod-values';

/** A pod, or an Azure object, reads a key that the ConfigMap or Secret does not have. */
export const valueKey = ofSet(wrongKeys);

/** A pod reads a ConfigMap or Secret that an Azure object of another namespace writes. */
export const valueNamespace = ofSet(otherNamespaces);

/** The endings of the names that the library gives to ConfigMaps and Secrets: no other object has one by chance. */
const OF_THE_LIBRARY = /-(?:outputs|secrets)$/;

interface Read extends Value {
  readonly object: SetObject;
}

interface Written {
  readonly by: SetObject;
  readonly path: string;
  /** The keys; undefined for an expression that gives a map. */
  readonly keys: Set<string> | undefined;
}

function wrongKeys(set: ObjectSet): FoundAt[] {
  const reads = readsIn(set).filter(({ key }) => key !== undefined);
  if (reads.length === 0) return [];
  const written = writersIn(set);
  return reads.flatMap(({ object, store, name, key, path }) => {
    const writer = written.get(placeOf(store, object.namespace, name));
    const keys = writer ? writer.keys : keysOf(set.find('', store, object.namespace, name));
    if (keys === undefined || keys.has(key!)) return [];
    const has = `It has: ${firstOf([...keys], 12)}`;
    const fix = `${suggestion(key!, keys)} ${has}`.trim();
    return [{ object, field: path, message: `${store} '${name}' has no key '${key}'`, fix: uncapitalized(fix) }];
  });
}

function otherNamespaces(set: ObjectSet): FoundAt[] {
  const reads = readsIn(set).filter(({ object }) => isWorkload(object.group, object.kind) && object.namespace !== undefined);
  if (reads.length === 0) return [];
  const byName = new Map<string, Written[]>();
  for (const [place, writer] of writersIn(set)) {
    const name = place.slice(place.lastIndexOf('\n') + 1);
    const key = `${place.slice(0, place.indexOf('\n'))}\n${name}`;
    byName.set(key, [...(byName.get(key) ?? []), writer]);
  }
  return reads.flatMap(({ object, store, name, path }) => {
    const writers = byName.get(`${store}\n${name}`) ?? [];
    const other = writers.find(({ by }) => by.namespace !== undefined && by.namespace !== object.namespace);
    const isHere = writers.some(({ by }) => by.namespace === object.namespace) || set.find('', store, object.namespace, name);
    if (!other || isHere) return [];
    return [{
      object,
      field: path,
      severity: OF_THE_LIBRARY.test(name) ? undefined : 'warning' as const,
      message: `${store} '${name}' is written by ${titleOf(other.by)} in namespace '${other.by.namespace}', and the pods are in '${object.namespace}'`,
      fix: 'move one of the two, or copy the value into the namespace of the pods',
    }];
  });
}

/** The values that pods and Azure objects read and have to find. */
function readsIn(set: ObjectSet): Read[] {
  const ofPods = set.objects.filter(({ group, kind }) => isWorkload(group, kind))
    .flatMap((object) => readsOfPods(object.group, object.kind, object.spec).map((value): Read => ({ ...value, object })))
    .filter(({ optional }) => !optional);
  return [...ofPods, ...set.azure.flatMap((object) => object.facts.reads.map((value): Read => ({ ...value, object })))];
}

function writersIn(set: ObjectSet): Map<string, Written> {
  const written = new Map<string, Written>();
  for (const by of set.azure) {
    for (const { store, name, key, path } of by.facts.writes) {
      const place = placeOf(store, by.namespace, name);
      const known = written.get(place) ?? { by, path, keys: new Set<string>() };
      if (key === undefined) written.set(place, { ...known, keys: undefined });
      else written.set(place, { ...known, keys: known.keys?.add(key) });
    }
  }
  return written;
}

function placeOf(store: string, namespace: string | undefined, name: string): string {
  return `${store}\n${namespace ?? ''}\n${name}`;
}

/** The keys of a ConfigMap or Secret of the set; undefined where something else may fill it. */
function keysOf(store: SetObject | undefined): Set<string> | undefined {
  const manifest = store?.manifest;
  // Of the controller's settings an app writes those that are no secrets; ASO's chart, or a tool, has written the others.
  if (store?.name === SETTINGS_SECRET) return undefined;
  if (!manifest || isRecord(struct(manifest.metadata)?.annotations) || text(manifest, 'type')?.startsWith('kubernetes.io/')) return undefined;
  const keys = ['data', 'stringData', 'binaryData'].flatMap((part) => Object.keys(struct(member(manifest, part)) ?? {}));
  return keys.length > 0 ? new Set(keys) : undefined;
}
