import { ApiError } from '../api-error';
import type { Target } from '../operations/request';
import type { Registry } from '../resources/registry';

/** The subresources that are served. */
const SUBRESOURCES = new Set(['status']);

/**
 * The meaning of a resource's path: `/api/v1/namespaces/NS/secrets/NAME`, `/apis/GROUP/VERSION/PLURAL`, …
 *
 * @throws ApiError 404
 */
export function routeOf(registry: Registry, segments: readonly string[]): Target {
  const core = segments[0] === 'api';
  const [group = '', version = '', ...rest] = core ? ['', ...segments.slice(1)] : segments.slice(1);
  const inNamespace = rest[0] === 'namespaces' && rest.length >= 3 && !(core && rest.length === 3 && SUBRESOURCES.has(rest[2] ?? ''));
  const namespace = inNamespace ? rest[1] ?? '' : '';
  const [plural, name = '', subresource, ...more] = inNamespace ? rest.slice(2) : rest;
  const resolved = plural ? registry.find(group, version, plural) : undefined;
  if (!resolved || more.length > 0 || (inNamespace && !resolved.definition.namespaced)) throw ApiError.noSuchResource();
  if (name && resolved.definition.namespaced && !inNamespace) throw ApiError.noSuchResource();
  if (subresource === undefined) return { ...resolved, namespace, name };
  if (subresource !== 'status' || !resolved.version.status) {
    throw resolved.definition.custom ? ApiError.notFound(resolved.definition, name) : ApiError.noSuchResource();
  }
  return { ...resolved, namespace, name, subresource: 'status' };
}
