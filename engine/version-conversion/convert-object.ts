import { createHash } from 'node:crypto';
import { fit, specTree, statusTree, type Kept, type TypeTree } from './fit';
import { isPath, restore } from './restore';
import { KEPT_MEMBERS } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';
import { isDeeperThan, isRecord, type JsonObject, setMember } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';

/**
 * Annotation with what the version at hand has no place for: `{"spec": [[path, value], …], "status": {"of": digest, "members": […]}}`. It
 * is there only while there is something to keep. Versions have no other place: a conversion may change nothing of the metadata but this.
 */

/** Paths and values of objects nest some twenty levels. */
const DEEPEST_KEPT = 100;

export interface Keeping {
  readonly spec: readonly Kept[];
  readonly status: readonly Kept[];
}

const NOTHING: Keeping = { spec: [], status: [] };

/**
 * An object in another version of its kind. Members go by their names, as far as the other version has them with such a type; everything
 * else is kept in an annotation, and comes back in a version that has it. So nothing is lost on the way from one version to another and
 * back, and a change made in one version leaves alone what only another version shows. Pure.
 */
export function convertObject(object: KubernetesObject, to: KindVersion): KubernetesObject {
  const known = keptOf(object);
  const spec = object.spec === undefined ? undefined : fitAndRestore(specTree(to), object.spec, known.spec);
  const status = object.status === undefined ? undefined : fitAndRestore(statusTree(to), object.status, known.status);
  const { annotations: _, ...metadata } = object.metadata;
  const annotations = withKept(object.metadata.annotations, { spec: spec?.kept ?? [], status: status?.kept ?? [] }, status?.value);
  return {
    ...object,
    apiVersion: to.apiVersion,
    metadata: { ...metadata, ...(annotations && { annotations }) },
    ...(spec && { spec: spec.value as NonNullable<KubernetesObject['spec']> }),
    ...(status && { status: status.value as NonNullable<KubernetesObject['status']> }),
  };
}

export interface Converted {
  readonly value: unknown;
  /** Members that the version has no place for. */
  readonly kept: readonly Kept[];
}

/** A value as a version has it, with what was kept of it for this version. */
export function fitAndRestore(tree: TypeTree, value: unknown, known: readonly Kept[]): Converted {
  const fitted = fit(tree, tree.root, value, []);
  // Not an object: the server's schema has let it through, and the conversion does not change it.
  if (!fitted) return { value, kept: known };
  const copy = deepCopy(fitted.value);
  const kept = restore(tree, copy, known);
  return { value: copy, kept: [...fitted.left, ...kept] };
}

/** The members that the annotation of an object keeps. */
export function keptOf({ metadata, status }: KubernetesObject): Keeping {
  const text = metadata.annotations?.[KEPT_MEMBERS];
  if (!text) return NOTHING;
  const value = parsed(text);
  // Every writer of the object can write its annotations. A record that nests deeper was not written here, and no answer could hold it.
  if (!isRecord(value) || isDeeperThan(value, DEEPEST_KEPT)) return NOTHING;
  const ofStatus = isRecord(value.status) ? value.status : {};
  // The status was replaced since: the kept members belong to the old one.
  const current = status !== undefined && ofStatus.of === digestOf(status);
  return { spec: entries(value.spec), status: current ? entries(ofStatus.members) : [] };
}

/** The annotations with what is kept; undefined: none. */
export function withKept(
  annotations: Readonly<Record<string, string>> | undefined,
  kept: Keeping,
  status: unknown,
): Record<string, string> | undefined {
  const { [KEPT_MEMBERS]: before, ...others } = annotations ?? {};
  if (kept.spec.length + kept.status.length === 0) {
    // Annotations that were there for ours alone go with it.
    return before !== undefined && Object.keys(others).length === 0 ? undefined : annotations && others;
  }
  const text = JSON.stringify({
    ...(kept.spec.length > 0 && { spec: kept.spec }),
    ...(kept.status.length > 0 && { status: { of: digestOf(status), members: kept.status } }),
  });
  return { ...others, [KEPT_MEMBERS]: text };
}

function entries(value: unknown): Kept[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry: unknown): entry is Kept => Array.isArray(entry) && entry.length === 2 && isPath(entry[0]));
}

/** Of a status without its conditions: those change while the rest stays. */
function digestOf(status: unknown): string {
  const { conditions: _, ...rest } = status as JsonObject;
  return createHash('sha256').update(JSON.stringify(ordered(rest))).digest('hex').slice(0, 16);
}

/** The same value with members in one order: the server writes them in its own. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  return Object.keys(value).sort().map((key) => [key, ordered(value[key])]);
}

function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (!isRecord(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setMember(copy, key, deepCopy(item));
  return copy;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
