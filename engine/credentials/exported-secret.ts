import { ALLOWS_CREDENTIAL_EXPORTS } from '../../src/azure/annotations';
import type { KubernetesObject } from '../kubernetes/types';
import { ownerReferencesOf } from '../objects/owner-references';

/**
 * On a Namespace: names of the Secrets there that may be credentials although exports write them, comma-separated; `*` for all. Kubernetes'
 * roles for teams do not allow to change Namespaces, so the annotation is the platform's word.
 */

/** Whether the Namespace allows that an export writes this credential. A Namespace that is not known allows nothing. */
export function allowsCredentialExport(namespace: KubernetesObject | undefined, name: string): boolean {
  const names = namespace?.metadata.annotations?.[ALLOWS_CREDENTIAL_EXPORTS]?.split(',').map((part) => part.trim()) ?? [];
  return names.includes('*') || names.includes(name);
}

/** The Azure object that has written a Secret with an export, or could have: it owns the Secret. */
export function exporterOf(secret: KubernetesObject): string | undefined {
  const owner = ownerReferencesOf(secret).find(({ apiVersion }) => /(^|\.)azure\.com\//.test(apiVersion));
  return owner && `${owner.kind} ${owner.name}`;
}
