/** Looking into values of any shape: manifests, specs, answers of servers. */
export type Struct = Readonly<Record<string, unknown>>;

/** A JSON object: no list, no null. Every other guard of this kind is a call of this one. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A JSON object or list with nothing in it. */
export function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The value if it is a JSON object. */
export function struct(value: unknown): Struct | undefined {
  return isRecord(value) ? value : undefined;
}

/** A member of an object's own; `null` counts as absent, as it does for the API server. */
export function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] ?? undefined : undefined;
}

/** A member that is a text with something in it. */
export function text(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return isText(found) && found !== '' ? found : undefined;
}
