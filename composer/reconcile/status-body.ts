import type { KubernetesObject } from '../../engine/kubernetes';

/**
 * The body of a write of a claim's status. The API server takes nothing else of it, and the spec may be large, or nested more deeply than
 * it can be written.
 */
export function statusBody({ apiVersion, kind, metadata }: KubernetesObject, status: Record<string, unknown>): KubernetesObject {
  return { apiVersion, kind, metadata, status };
}
