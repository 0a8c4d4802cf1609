/* Access to elements of lists and records. */

/**
 * The element that exists by construction: at an index that was computed from the list itself, or a group that every match of a regular
 * expression has.
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
  const value = ownValue(record, key);
  if (value === undefined) throw new RangeError(`a record has no value of ${JSON.stringify(key)}`);
  return value;
}

/** The value of a key of the record itself: a name from outside may be `constructor`, which every object inherits. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
