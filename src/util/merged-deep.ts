import { isRecord } from './records';

/** The first record with the values of the second: objects are merged, all other values replaced. */
export function mergedDeep(
  first: Readonly<Record<string, unknown>>, second: Readonly<Record<string, unknown>>,
): { [name: string]: unknown } {
  const changed = Object.entries(second).map(([name, value]) => {
    const before = Object.hasOwn(first, name) ? first[name] : undefined;
    return [name, isRecord(before) && isRecord(value) ? mergedDeep(before, value) : value];
  });
  return { ...first, ...Object.fromEntries(changed) as Record<string, unknown> };
}
