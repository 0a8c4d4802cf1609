/**
 * Rules about one value, which the rest of its object does not change. They alone judge what is a part of an object: a patch, an object of
 * a kustomization that was not built, a template that decides over parts of it.
 */
const OF_PARTS: ReadonlySet<string> = new Set([
  'unknown-group', 'unknown-kind', 'unknown-version', 'invalid-value', 'unknown-field', 'namespace-in-reference', 'deprecated-version', 'release',
]);

/** Whether a finding holds although other parts of its object are not known. */
export function holdsForPart(rule: string): boolean {
  return OF_PARTS.has(rule);
}
