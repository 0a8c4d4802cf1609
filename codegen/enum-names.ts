import type { EnumModel } from './model';
import { wordsOf } from './words';

/** The name of a type or property ends in one of these words for want of a better one: they say nothing about an enum. */
const VAGUE_WORDS = new Set([
  'config', 'configuration', 'contract', 'data', 'default', 'details', 'embedded', 'info', 'options', 'parameters', 'profile', 'properties',
  'resource', 'setting', 'settings', 'spec',
]);

/**
 * Names that people can guess for the enums of a service, by the names that struct and property give them.
 *
 * An enum is called as its property where all properties of that name in the service allow the same values (`MinimumTlsVersion`, which is
 * mostly Azure's name of it too), so these properties share it. One word says too little: there it is the last word of the structs and the
 * property that several share (`IdentityType`), under the same condition; else the whole of both (`StorageAccountKind`).
 * @param taken names of types and classes of the service, in lower case
 */
export function guessableNames(enums: readonly EnumModel[], taken: ReadonlySet<string>): ReadonlyMap<string, string> {
  const distinct = [...new Map(enums.map((model) => [model.name, model])).values()];
  const bySuffix = new Map<string, EnumModel[]>();
  const spellings = new Map<string, string>();
  for (const model of distinct) {
    for (const suffix of suffixesOf(model.name)) {
      const key = suffix.toLowerCase();
      bySuffix.set(key, [...bySuffix.get(key) ?? [], model]);
    }
  }
  return new Map(distinct.map((model) => [model.name, nameOf(model)]));

  function nameOf(model: EnumModel): string {
    const found = candidatesOf(model).find(({ suffix, users }) => {
      const sharing = bySuffix.get(suffix.toLowerCase()) ?? [];
      return sharing.length >= users && new Set(sharing.map(valuesOf)).size === 1 && !taken.has(suffix.toLowerCase());
    });
    const name = found?.suffix ?? model.name;
    // Names that differ only in capitals are one name to Java, Windows and people.
    const spelling = spellings.get(name.toLowerCase()) ?? name;
    spellings.set(name.toLowerCase(), spelling);
    return spelling;
  }
}

interface Candidate {
  readonly suffix: string;
  /** How many enums have to share the name for it to be better than the long one. */
  readonly users: number;
}

/** Shorter names of an enum, the best first. */
function candidatesOf({ name, propName }: EnumModel): readonly Candidate[] {
  const suffixes = suffixesOf(name);
  const length = wordsOf(propName).length;
  const ofProperty = suffixes[length - 1];
  const withStruct = suffixes[length];
  if (ofProperty?.toLowerCase() !== propName.toLowerCase()) return [];
  if (length > 1) return [{ suffix: ofProperty, users: 1 }];
  const [first = ''] = wordsOf(withStruct ?? '');
  return withStruct === undefined || VAGUE_WORDS.has(first.toLowerCase()) ? [] : [{ suffix: withStruct, users: 2 }];
}

/** `SkuTierName` → `Name`, `TierName`, `SkuTierName`. */
function suffixesOf(name: string): readonly string[] {
  const lengths = wordsOf(name).map((word) => word.length);
  return lengths.map((_, index) => name.slice(name.length - lengths.slice(lengths.length - 1 - index).reduce((sum, one) => sum + one, 0)));
}

function valuesOf({ members }: EnumModel): string {
  return JSON.stringify(members.map(({ value }) => value).sort());
}
