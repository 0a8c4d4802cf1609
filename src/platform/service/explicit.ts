/** Properties that may be absent, or undefined or null, which counts as absent. */
type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** The defaults, overridden by set values: `false`, 0 and '' are set, null and undefined are not. */
export function withDefaults<T extends object>(defaults: T, given: Given<T> | undefined): T {
  return { ...defaults, ...explicit(given) };
}

/** Leaves out null and undefined values. */
export function explicit<T extends object>(given: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(set) as { [K in keyof T]?: NonNullable<T[K]> };
}
