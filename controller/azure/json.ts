/** Reading JSON of which nobody promised the shape. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member whatever the case of its name: some providers answer `Error`, `Code`, `ProvisioningState`. */
export function member(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const lower = name.toLowerCase();
  const key = Object.keys(value).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? undefined : value[key];
}

/** A non-empty text member (numbers as their digits), or undefined. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}
