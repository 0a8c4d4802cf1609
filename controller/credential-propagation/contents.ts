import { labelsOf, type ManagedBy } from './managed-by';
import type { IdentityIds } from './values';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { WORKLOAD_CLIENT_ID, WORKLOAD_TENANT_ID } from '../../src/azure/annotations';
import type { PropagationTarget } from '../../src/azure/credential-propagation';
import { encodeSecretData } from '../../src/util/secret-data';

/** The write that brings a target to its content: create, replace, or patch. */
export type PropagationWrite =
  | { readonly do: 'create'; readonly object: KubernetesObject }
  | { readonly do: 'replace'; readonly object: KubernetesObject }
  | { readonly do: 'patch'; readonly patch: { readonly metadata: Readonly<Record<string, unknown>> } }
  | { readonly do: 'none' };

/** The data of the Secret or ConfigMap, as the API server returns it. */
export function dataFor({ kind }: Pick<PropagationTarget, 'kind'>, ids: IdentityIds): Record<string, string> {
  const { clientId = '', principalId = '', tenantId = '', subscriptionId = '' } = ids;
  if (kind === 'ConfigMap') return { clientId, principalId, tenantId };
  const texts = {
    AZURE_CLIENT_ID: clientId,
    AZURE_TENANT_ID: tenantId,
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    USE_WORKLOAD_IDENTITY_AUTH: 'true',
  };
  return encodeSecretData(texts);
}

/**
 * Computes the write of a Secret or ConfigMap. Labels, annotations and finalizers of other owners are kept: one of the finalizers
 * protects credentials.
 */
export function writeData(
  target: PropagationTarget,
  ids: IdentityIds,
  owner: ManagedBy,
  existing: KubernetesObject | undefined,
): PropagationWrite {
  const data = dataFor(target, ids);
  const { kind, namespace, name } = target;
  const type = kind === 'Secret' ? { type: 'Opaque' } : {};
  if (!existing) {
    return { do: 'create', object: { apiVersion: 'v1', kind, metadata: { name, namespace, labels: labelsOf(owner) }, ...type, data } };
  }
  if (hasAll(existing.metadata.labels, labelsOf(owner)) && equal(existing.data, data) && !('binaryData' in existing)) return { do: 'none' };
  const metadata = { ...existing.metadata, labels: { ...existing.metadata.labels, ...labelsOf(owner) } };
  return { do: 'replace', object: { apiVersion: 'v1', kind, metadata, ...type, data } };
}

/** Computes the patch that annotates a service account with the identity. */
export function writeAnnotations(ids: IdentityIds, owner: ManagedBy, { metadata }: KubernetesObject): PropagationWrite {
  const annotations = { [WORKLOAD_CLIENT_ID]: ids.clientId ?? '', [WORKLOAD_TENANT_ID]: ids.tenantId ?? '' };
  const labels = labelsOf(owner);
  if (hasAll(metadata.annotations, annotations) && hasAll(metadata.labels, labels)) return { do: 'none' };
  return { do: 'patch', patch: { metadata: { resourceVersion: metadata.resourceVersion, annotations, labels } } };
}

/** The patch that removes the annotations from a service account. */
export function withoutAnnotations(
  owner: ManagedBy,
  { metadata }: KubernetesObject,
): { readonly metadata: Readonly<Record<string, unknown>> } {
  const nothing = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]));
  const { resourceVersion } = metadata;
  const annotations = nothing([WORKLOAD_CLIENT_ID, WORKLOAD_TENANT_ID]);
  return { metadata: { resourceVersion, annotations, labels: nothing(Object.keys(labelsOf(owner))) } };
}

type Texts = Readonly<Record<string, string>> | undefined;

function hasAll(texts: Texts, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => texts !== undefined && Object.hasOwn(texts, key) && texts[key] === value);
}

function equal(a: Texts, b: Readonly<Record<string, string>>): boolean {
  return hasAll(a, b) && Object.keys(a ?? {}).length === Object.keys(b).length;
}
