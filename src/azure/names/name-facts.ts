import { NAME_RULES } from './name-rules';
import { patternFor } from '../../util/character-classes';

/**
 * Azure's rules for names, beyond the catalog's patterns.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */

/** The scope in which a name has to be unique. */
export type NameScope = 'global' | 'tenant' | 'subscription' | 'region' | 'resourceGroup' | 'parent';

/** The rule for the names of one ARM type. */
export interface NameFacts {
  readonly scope?: NameScope;
  readonly min?: number;
  readonly max?: number;
  /** A JavaScript regular expression. A text, since a synth compiles only those of its kinds. */
  readonly pattern?: string;
  readonly flags?: string;
  /** The rule in words, after the lengths: `3 to 24` + ` ` + `letters and digits`. */
  readonly text?: string;
}

/** ARM type in lower case → rule. */
export const NAME_FACTS: Readonly<Record<string, NameFacts>> = NAME_RULES;

/** The rule for an ARM type, which is case-insensitive. */
export function nameFactsOf(armType: string): NameFacts {
  const type = armType.toLowerCase();
  return (Object.hasOwn(NAME_FACTS, type) ? NAME_FACTS[type] : undefined) ?? {};
}

/** The scope in which names of an ARM type have to be unique. */
export function nameScopeOf(armType: string): NameScope {
  return nameFactsOf(armType).scope ?? (armType.split('/').length > 2 ? 'parent' : 'resourceGroup');
}

/** Whether a text has the length and the characters of a name. */
export function isName({ min = 0, max = Infinity, pattern, flags }: NameFacts, text: string): boolean {
  return text.length >= min && text.length <= max && (pattern === undefined || patternFor(text, pattern, flags).test(text));
}

/** Why a text is no valid name for an ARM type; undefined if it may be valid. */
export function nameProblem(armType: string, name: string): string | undefined {
  const facts = nameFactsOf(armType);
  if (isName(facts, name)) return undefined;
  const { min = 0, max = Infinity, text } = facts;
  return `'${name}' is no name that Azure takes for ${armType}: ${min === max ? min : `${min} to ${max}`} ${text ?? 'characters'}.`;
}
