/** Access to elements that exist by construction. An absent one is a mistake in this package, so the error says which one it is. */

/**
 * The element at an index that was computed from the list itself, or a group that every match of a regular expression has.
 * @throws RangeError when the list has no such element
 */
export function elementAt<T>(list: readonly (T | undefined)[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`a list of ${list.length} has no element ${index}`);
  return element;
}

/**
 * The value of a key that was read from the record itself.
 * @throws RangeError when the record has no such key of its own
 */
export function valueAt<T>(record: Readonly<Record<string, T>>, key: string): T {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (value === undefined) throw new RangeError(`a record has no value of ${JSON.stringify(key)}`);
  return value;
}

/**
 * The value of a key that was put into the map before.
 * @throws RangeError when the map has no such key
 */
export function entryAt<K, T>(map: ReadonlyMap<K, T>, key: K): T {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`a map has no value of ${String(key)}`);
  return value;
}
