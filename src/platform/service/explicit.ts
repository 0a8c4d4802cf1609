/** The defaults, overridden by set values: `false`, 0 and '' are set, null and undefined are not. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T> | undefined): T {
  return { ...defaults, ...explicit(given) };
}

/** Leaves out null and undefined values. */
export function explicit<T extends object>(given: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>;
}
