/** Access to values of any shape: manifests, specs, responses of servers. */
export type Struct = Readonly<Record<string, unknown>>;

/** A JSON object that is being made. Keys come from outside: none may have a special meaning for JavaScript. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: no list, no null. All other guards for objects use this one. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a value is an empty JSON object or list. */
export function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The value if it is a JSON object, else undefined. */
export function struct(value: unknown): Struct | undefined {
  return isRecord(value) ? value : undefined;
}

/** An object's own member; `null` counts as absent, as in the API server. */
export function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] ?? undefined : undefined;
}

/** A type whose properties that may be undefined are optional instead. */
type OmitUndefined<T> =
  & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The object without its undefined properties. */
export function omitUndefined<T extends object>(value: T): OmitUndefined<T> {
  // Graphs make an object for each node: this is twice as fast as `Object.fromEntries`.
  const kept: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) if (one !== undefined) kept[key] = one;
  return kept as OmitUndefined<T>;
}

/** A member that is a non-empty text. */
export function text(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return isText(found) && found !== '' ? found : undefined;
}

/** The object's own member; `constructor` and the like are absent unless the document has them. */
export function ownMember(object: Readonly<JsonObject>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A member by its name in ARM, else ignoring case: some services return other spellings than they document. */
export function memberIgnoringCase(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const lower = name.toLowerCase();
  for (const key of Object.keys(value)) {
    if (key.length === name.length && key.toLowerCase() === lower) return value[key];
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
