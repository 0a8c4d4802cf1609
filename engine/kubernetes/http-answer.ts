/** Header names in lower case; repeated headers are joined as HTTP joins them. */
export function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value!]));
}

/** Seconds (or date) of a Retry-After header in milliseconds from now; undefined when there is none. */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after'];
  if (!value) return undefined;
  if (/^[0-9]+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
