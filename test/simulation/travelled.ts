/** A value as it arrives when it was sent as JSON: a copy, without members that are undefined. Of values that JSON has. */
export function travelled<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => travelled(item ?? null)) as T;
  const copy: Record<string, unknown> = {};
  const from = value as Record<string, unknown>;
  for (const name of Object.keys(from)) if (from[name] !== undefined) copy[name] = travelled(from[name]);
  return copy as T;
}
