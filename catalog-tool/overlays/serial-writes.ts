import type { SerialWriteOverlay } from './overlays';
import type { SerialWriteFacts } from '../../src/catalog';

/** Rules of which the catalog has a kind. */
export function serialWrites(overlays: readonly SerialWriteOverlay[], armTypes: ReadonlySet<string>): Record<string, SerialWriteFacts> {
  const needed = overlays.filter((rule) => typesOf(rule).some((type) => armTypes.has(type)));
  const facts = ({ alone, together, itself }: SerialWriteOverlay) => ({ alone, ...(together ? { together } : {}), itself });
  return Object.fromEntries(needed.map((rule) => [rule.parent, facts(rule)]));
}

/** ARM types (in lower case) of rules that are no kind of the catalog. */
export function typesWithoutKind(overlays: readonly SerialWriteOverlay[], armTypes: ReadonlySet<string>): string[] {
  return overlays.flatMap(typesOf).filter((type) => !armTypes.has(type));
}

function typesOf({ parent, alone, together = [], itself }: SerialWriteOverlay): string[] {
  return [...(itself ? [parent] : []), ...[...alone, ...together].map((child) => `${parent}/${child}`)].map((type) => type.toLowerCase());
}
