import { jsonEquals } from '../../../src/util/json-equals';
import type { JsonObject } from '../objects';
import { isKeyed, isSet, mergeKey } from './merge-keys';
import { isRecord } from '../../../src/util/records';

/**
 * The fields that one manager has applied, as paths of segments in the notation of FieldsV1: `f:name` a field,
 * `k:{"name":"x"}` an element of a keyed list, `v:"x"` an element of a set, `.` the element itself.
 */
export type FieldPath = readonly string[];

/** Whether lists below this path merge by element: always in metadata, otherwise only in Kubernetes' own types. */
export interface ListRules {
  readonly keyedLists: boolean;
}

const UNOWNED = new Set([
  'f:apiVersion',
  'f:kind',
  'f:metadata',
  'f:metadata/f:name',
  'f:metadata/f:generateName',
  'f:metadata/f:namespace',
  'f:metadata/f:uid',
  'f:metadata/f:resourceVersion',
  'f:metadata/f:generation',
  'f:metadata/f:creationTimestamp',
  'f:metadata/f:deletionTimestamp',
  'f:metadata/f:deletionGracePeriodSeconds',
  'f:metadata/f:managedFields',
  'f:metadata/f:selfLink',
]);

export const pathKey = (path: FieldPath): string => path.join('/');

/** The leaves of a configuration. */
export function fieldsOf(value: unknown, rules: ListRules, path: FieldPath = []): FieldPath[] {
  if (UNOWNED.has(pathKey(path)) && path.at(-1) !== 'f:metadata') return [];
  if (isRecord(value)) {
    const fields = Object.entries(value).flatMap(([name, field]) => fieldsOf(field, rules, [...path, `f:${name}`]));
    return fields.length > 0 || path.length === 0 || path.at(-1) === 'f:metadata' ? fields : [path];
  }
  const elements = Array.isArray(value) ? elementsOf(value, path, rules) : undefined;
  if (!elements?.length) return [path];
  return elements.flatMap(([segment, element]) => {
    const at = [...path, segment];
    return segment.startsWith('v:') ? [at] : [[...at, '.'], ...fieldsOf(element, rules, at)];
  });
}

/** The elements of a list that merges by element, each with its segment; undefined for a list that is one value. */
export function elementsOf(list: readonly unknown[], path: FieldPath, rules: ListRules): [segment: string, element: unknown][] | undefined {
  if (!rules.keyedLists && path[0] !== 'f:metadata') return undefined;
  const field = path.at(-1)?.replace(/^f:/, '') ?? '';
  if (isSet(field)) return list.map((element) => [`v:${JSON.stringify(element)}`, element]);
  if (list.length === 0 && isKeyed(field)) return [];
  const key = mergeKey(field, list);
  if (!key) return undefined;
  return list.map((element) => [`k:${JSON.stringify({ [key]: (element as Record<string, unknown>)[key] })}`, element]);
}

export function toFieldsV1(paths: readonly FieldPath[]): JsonObject {
  const root: JsonObject = {};
  for (const path of paths) {
    path.reduce<JsonObject>((node, segment) => (node[segment] ??= {}) as JsonObject, root);
  }
  return root;
}

export function fromFieldsV1(fields: JsonObject, path: FieldPath = []): FieldPath[] {
  const entries = Object.entries(fields);
  if (entries.length === 0) return path.length > 0 ? [path] : [];
  return entries.flatMap(([segment, below]) => fromFieldsV1(below as JsonObject, [...path, segment]));
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((node, segment) => {
    if (segment === '.') return node;
    if (segment.startsWith('f:')) return isRecord(node) ? node[segment.slice(2)] : undefined;
    return Array.isArray(node) ? node[positionOf(node, segment)] : undefined;
  }, value);
}

function positionOf(list: readonly unknown[], segment: string): number {
  const wanted: unknown = JSON.parse(segment.slice(2));
  if (segment.startsWith('v:')) return list.findIndex((element) => jsonEquals(element, wanted));
  return list.findIndex((element) =>
    isRecord(element) && isRecord(wanted) && Object.entries(wanted).every(([key, value]) => jsonEquals(element[key], value)));
}

/** The value without what stands at the path; containers that it leaves empty go too. */
export function withoutPath(value: unknown, path: FieldPath): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  const element = rest.length === 0 || (rest.length === 1 && rest[0] === '.');
  if (segment.startsWith('f:')) {
    const name = segment.slice(2);
    if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
    const below = rest.length === 0 ? undefined : withoutPath(value[name], rest);
    const emptied =
      below === undefined || (isRecord(below) && Object.keys(below).length === 0) || (Array.isArray(below) && below.length === 0);
    const entries = Object.entries(value).filter(([key]) => key !== name || !emptied);
    return Object.fromEntries(entries.map(([key, field]) => [key, key === name ? below : field]));
  }
  if (!Array.isArray(value)) return value;
  const at = positionOf(value, segment);
  return element ? value.filter((_, index) => index !== at) : value.map((one, index) => (index === at ? withoutPath(one, rest) : one));
}
