import { jsonEquals } from '../../../src/util/json-equals';
import { without } from '../objects';
import { isSet, mergeKey } from './merge-keys';
import { isRecord } from '../../../src/util/records';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

/**
 * Kubernetes' merge patch for its own types: lists with a merge key are merged by element. The directives `$patch`,
 * `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList` are understood.
 */
export function strategicMergePatch(document: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  if (patch[DIRECTIVE] === 'replace') return without(patch, DIRECTIVE);
  if (patch[DIRECTIVE] === 'delete') return {};
  const retained = patch[RETAIN_KEYS];
  const merged = new Map(
    Object.entries(isRecord(document) ? document : {}).filter(([name]) => !Array.isArray(retained) || retained.includes(name)),
  );
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(DELETE_FROM)) {
      const field = name.slice(DELETE_FROM.length);
      const list = merged.get(field);
      if (Array.isArray(list) && Array.isArray(value)) merged.set(field, list.filter((item) => !value.includes(item)));
    } else if (!name.startsWith('$')) {
      if (value === null) merged.delete(name);
      else merged.set(name, mergeField(name, merged.get(name), value));
    }
  }
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(ORDER) || !Array.isArray(order)) continue;
    const field = name.slice(ORDER.length);
    const list = merged.get(field);
    if (Array.isArray(list)) merged.set(field, inOrder(field, list, order));
  }
  return Object.fromEntries(merged);
}

function mergeField(field: string, current: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) return strategicMergePatch(current, patch);
  const list = Array.isArray(current) ? current : [];
  if (isSet(field)) return [...list, ...patch.filter((item) => !list.includes(item))];
  if (patch.some((item) => isRecord(item) && item[DIRECTIVE] === 'replace' && Object.keys(item).length === 1)) {
    return patch.filter((item) => !(isRecord(item) && item[DIRECTIVE] === 'replace' && Object.keys(item).length === 1));
  }
  const key = mergeKey(field, patch);
  return key ? mergeList(key, list, patch as Record<string, unknown>[]) : patch;
}

function mergeList(key: string, list: readonly unknown[], patch: readonly Record<string, unknown>[]): unknown[] {
  return patch.reduce<unknown[]>((merged, element) => {
    const at = merged.findIndex((item) => isRecord(item) && jsonEquals(item[key], element[key]));
    if (element[DIRECTIVE] === 'delete') return merged.filter((_, index) => index !== at);
    if (at < 0) return [...merged, without(element, DIRECTIVE)];
    return merged.map((item, index) => (index === at ? strategicMergePatch(item, element) : item));
  }, [...list]);
}

/** Elements that the order names come first and in that order; the others keep theirs. */
function inOrder(field: string, list: readonly unknown[], order: readonly unknown[]): unknown[] {
  const key = mergeKey(field, order);
  const rank = (item: unknown): number => {
    const at = order.findIndex((one) => (key && isRecord(one) && isRecord(item) ? jsonEquals(one[key], item[key]) : jsonEquals(one, item)));
    return at < 0 ? order.length : at;
  };
  return [...list].sort((a, b) => rank(a) - rank(b));
}
