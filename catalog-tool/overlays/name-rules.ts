import type { NameRuleOverlay } from './overlays';
import type { NameRuleFacts } from '../../src/catalog';
import { omitUndefined } from '../../src/util/records';
import { sortedKeys } from '../facts/sorted-keys';

/**
 * The rules for names of the catalog's ARM types, in the order of the types.
 * @throws when a pattern is no valid regular expression
 */
export function nameRules(overlays: readonly NameRuleOverlay[], armTypes: ReadonlySet<string>): Record<string, NameRuleFacts> {
  const rules = Object.fromEntries(overlays.flatMap((entry) => Object.entries(entry.rules)));
  const known = Object.entries(rules).filter(([type]) => armTypes.has(type));
  return sortedKeys(Object.fromEntries(known.map(([type, rule]) => [type, checked(type, rule)])));
}

/** ARM types with a rule, but without a kind in the catalog. */
export function namesWithoutKind(overlays: readonly NameRuleOverlay[], armTypes: ReadonlySet<string>): string[] {
  return overlays.flatMap(({ rules }) => Object.keys(rules)).filter((type) => !armTypes.has(type));
}

function checked(type: string, rule: NameRuleFacts): NameRuleFacts {
  try {
    if (rule.pattern !== undefined) new RegExp(rule.pattern, rule.flags);
  } catch (error) {
    throw new Error(`overlays/name-rules.yaml: ${type}: ${(error as Error).message}`, { cause: error });
  }
  const { scope, min, max, pattern, flags, text } = rule;
  return omitUndefined({ scope, min, max, pattern, flags, text });
}
