/** JSON values with keys from outside: no key may have a special meaning for JavaScript. */
export type JsonObject = Record<string, unknown>;

/** The object's own member; `constructor` and the like are absent unless the document has them. */
export function member(object: Readonly<JsonObject>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A member by its ARM name, else ignoring case: some services return other spellings than they document. */
export function memberIgnoringCase(object: Readonly<JsonObject>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const lower = name.toLowerCase();
  for (const key of Object.keys(object)) {
    if (key.length === name.length && key.toLowerCase() === lower) return object[key];
  }
  return undefined;
}

/** Sets a member; `__proto__` becomes a member like any other. */
export function setMember(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Whether a value nests deeper than so many levels. Iterative, because it protects recursive functions. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const item of layer) {
      if (typeof item !== 'object' || item === null) continue;
      for (const inner of Object.values(item)) if (typeof inner === 'object' || depth === levels) next.push(inner);
    }
    layer = next;
  }
  return false;
}

/** The type of a value for error messages: `an object`, `a text`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { object: 'an object', string: 'a text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? typeof value;
}
