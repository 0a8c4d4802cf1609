import type { SecretSourceOverlay } from './overlays';
import type { KindFacts, SecretSources } from '../../src/catalog';

/** The sources of a kind's secrets; undefined if none is ever exported. */
export function secretSources({ calls, values, base64 }: SecretSourceOverlay): SecretSources | undefined {
  const known = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
  if (known.length === 0) return undefined;
  return { ...(calls ? { calls } : {}), values: Object.fromEntries(known), ...(base64 ? { base64: [...base64] } : {}) };
}

/** Secret destinations of a kind's versions that the overlay does not describe. */
export function secretsWithoutSource(versions: KindFacts['versions'], overlay: SecretSourceOverlay | undefined): string[] {
  const names = new Set(Object.values(versions).flatMap(({ exports }) => exports?.secrets ?? []));
  return [...names].filter((name) => !overlay || !Object.hasOwn(overlay.values, name)).sort();
}
