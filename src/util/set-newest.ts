/**
 * Sets the entry of a map that may have `max` entries, as its newest one: the entries that were set longest ago are dropped. A map keeps
 * the place of a key that it has, so without this an entry that is used all the time would be dropped first.
 */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
