import type { KubernetesObject, ResourceType } from './types';
import { KUBECTL_LAST_APPLIED } from '../../src/azure/annotations';

interface ManagedFields {
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}


/**
 * The apiVersion in which the spec of a custom resource was last written; undefined when the object does not record it. The API server
 * answers in the version of the URL, not in that of the last write, but the Azure api-version follows the version that the user wrote
 * (docs/spec/reconcile.md#payload).
 */
export function appliedVersionOf(type: ResourceType, object: KubernetesObject): string | undefined {
  const { managedFields } = object.metadata as { managedFields?: unknown };
  const ofSpec = (Array.isArray(managedFields) ? (managedFields as (ManagedFields | null)[]) : []).filter(
    (entry): entry is ManagedFields =>
      !entry?.subresource && Boolean(entry?.fieldsV1) && Object.hasOwn(entry!.fieldsV1!, 'f:spec') && isOfGroup(type, entry!.apiVersion),
  );
  const newest = ofSpec.reduce<ManagedFields | undefined>(
    (best, entry) => (best && (best.time ?? '') > (entry.time ?? '') ? best : entry),
    undefined,
  );
  return newest?.apiVersion ?? lastApplied(type, object.metadata.annotations?.[KUBECTL_LAST_APPLIED]);
}

/** The apiVersion in the annotation of client-side apply. */
function lastApplied(type: ResourceType, text: string | undefined): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const { apiVersion } = JSON.parse(text) as { apiVersion?: unknown };
    return typeof apiVersion === 'string' && isOfGroup(type, apiVersion) ? apiVersion : undefined;
  } catch {
    return undefined;
  }
}

function isOfGroup(type: ResourceType, apiVersion: unknown): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith(`${type.group}/`);
}
