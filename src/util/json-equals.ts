/**
 * Whether two values are equal once serialized as JSON: undefined members are dropped, and undefined in a list becomes null. For values
 * that JSON can represent.
 */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEquals(item ?? null, b[index] ?? null))
    );
  }
  return membersEqual(a as Members, b as Members);
}

type Members = Readonly<Record<string, unknown>>;

function membersEqual(a: Members, b: Members): boolean {
  for (const name of Object.keys(a)) {
    const inB = Object.hasOwn(b, name) ? b[name] : undefined;
    if (!jsonEquals(a[name], inB)) return false;
  }
  return Object.keys(b).every((name) => b[name] === undefined || (Object.hasOwn(a, name) && a[name] !== undefined));
}
