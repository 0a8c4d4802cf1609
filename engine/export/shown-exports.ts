import { configMapDestinations, expressions, secretDestinations } from './destinations';
import { findInStatus } from './secret-source';
import { secretSourceOf } from './secret-values';
import type { KindVersion } from '../../src/catalog';

type Spec = Readonly<Record<string, unknown>> | undefined;

/**
 * The paths in the status of all values that an object exports from it; undefined where these are not known: an expression or the kind's
 * own code may read any part of the status.
 */
export function exportedPaths(version: KindVersion, spec: Spec): readonly (readonly string[])[] | undefined {
  if (expressions(spec, 'secretExpressions').length + expressions(spec, 'configMapExpressions').length > 0) return undefined;
  const configMaps = configMapDestinations(version, spec).map(([name]) => version.facts.exports?.configMaps?.[name]?.split('.'));
  if (!configMaps.every((path) => path !== undefined)) return undefined;
  const secrets = secretDestinations(version, spec).flatMap(([name]) => {
    const source = secretSourceOf(version, name);
    return source?.from === 'status' ? [source.path] : [];
  });
  return [...configMaps, ...secrets];
}

/** Whether a status has every value that the object exports from it. */
export function showsExports(version: KindVersion, spec: Spec, status: unknown): boolean {
  return exportedPaths(version, spec)?.every((path) => typeof findInStatus(status, path) !== 'string') ?? false;
}
