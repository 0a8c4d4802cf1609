import { CAF_ABBREVIATIONS } from '../../src/azure/names/abbreviations';
import type { Kind } from '../../src/catalog';

/**
 * Whether a word names a kind, whatever its case: `StorageAccount`, `storageaccounts`, either of them with `.storage.azure.com` (or the
 * beginning of the group: `.storage`), `storage.azure.com/StorageAccount`, or the abbreviation of the Cloud Adoption Framework (`st`).
 */
export function matchesKind(kind: Kind, word: string): boolean {
  const lower = word.toLowerCase();
  const slash = lower.indexOf('/');
  if (slash >= 0) return lower.slice(0, slash) === kind.group && names(kind).includes(lower.slice(slash + 1));
  const dot = lower.indexOf('.');
  if (dot >= 0) {
    const group = lower.slice(dot + 1);
    return names(kind).includes(lower.slice(0, dot)) && (kind.group === group || kind.group.startsWith(`${group}.`));
  }
  return names(kind).includes(lower) || abbreviationOf(kind) === lower;
}

function names({ kind, facts }: Kind): string[] {
  return [kind.toLowerCase(), facts.plural.toLowerCase()];
}

/** The abbreviation of a kind's ARM type: `rg`, `st`, `kv`. */
function abbreviationOf(kind: Kind): string | undefined {
  const type = kind.latest.facts.arm?.type.toLowerCase();
  return type === undefined || !Object.hasOwn(CAF_ABBREVIATIONS, type) ? undefined : CAF_ABBREVIATIONS[type];
}
