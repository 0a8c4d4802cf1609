import { isObject } from '../objects';

/** RFC 7386: null removes, objects merge, everything else replaces. */
export function mergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(document) ? Object.entries(document) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
