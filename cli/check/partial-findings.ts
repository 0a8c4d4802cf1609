import type { FieldPath } from '../../src/catalog/validate-spec';
import { valueAt } from '../manifests/inside/value-at';
import type { Manifest } from '../manifests/manifests';

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

/** Whether a finding is about an empty value of a chart that is rendered with its defaults: `vmSize: ""` is to be given. */
export function isOfEmptyDefault({ hasDefaults, object }: Manifest, path: FieldPath): boolean {
  if (!hasDefaults) return false;
  // A chart's defaults have no credentials.
  if (object.apiVersion === 'v1' && object.kind === 'Secret') return true;
  const value = valueAt(object, path);
  return value !== undefined && isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isEmpty));
}
