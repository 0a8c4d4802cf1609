/** Defaults, and what was said instead: `false`, 0 and '' count, what is missing does not. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T> | undefined): T {
  return { ...defaults, ...explicit(given) };
}

/** Without what was not said. */
export function explicit<T extends object>(given: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>;
}
