/** Looking into what may be anything. */
export type Struct = Readonly<Record<string, unknown>>;

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function struct(value: unknown): Struct | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Struct) : undefined;
}

/** A member of an object's own; `null` counts as absent, as it does for the API server. */
export function member(value: unknown, key: string): unknown {
  const object = struct(value);
  return object && Object.hasOwn(object, key) ? object[key] ?? undefined : undefined;
}

/** A member that is a text with something in it. */
export function text(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return isText(found) && found !== '' ? found : undefined;
}
