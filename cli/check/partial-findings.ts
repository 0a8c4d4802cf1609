/**
 * Rules about one value, which the rest of its object does not change. They alone judge what is a part of an object: a patch, an object of
 * a kustomization that was not built, a template that decides over parts of it.
 */
const OF_PARTS: ReadonlySet<string> = new Set([
  'unknown-group', 'unknown-kind', 'unknown-version', 'invalid-value', 'unknown-field', 'namespace-in-reference', 'deprecated-version', 'release',
]);

/** Those of them about a value that may be another one. */
const OF_VALUES: ReadonlySet<string> = new Set(['invalid-value']);

/**
 * Whether a finding holds although other parts of its object are not known.
 * @param hasOpenValues whether the values that are known may be replaced
 */
export function holdsForPart(rule: string, hasOpenValues = false): boolean {
  return OF_PARTS.has(rule) && !(hasOpenValues && OF_VALUES.has(rule));
}
