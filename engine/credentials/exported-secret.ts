import { ALLOWS_CREDENTIAL_EXPORTS } from '../../src/azure/annotations';
import type { KubernetesObject } from '../kubernetes/types';
import { ownerReferencesOf } from '../objects/owner-references';

/**
 * On a Namespace: names of the Secrets there that exports may write and that may still be credentials, comma-separated; `*` for all.
 * Kubernetes roles of teams do not permit changes to Namespaces, so only the platform team sets the annotation.
 */

/** Whether the Namespace lets an export write this credential. An unknown Namespace allows nothing. */
export function allowsCredentialExport(namespace: KubernetesObject | undefined, name: string): boolean {
  const names = namespace?.metadata.annotations?.[ALLOWS_CREDENTIAL_EXPORTS]?.split(',').map((part) => part.trim()) ?? [];
  return names.includes('*') || names.includes(name);
}

/** The Azure object that has written a Secret by an export, or could have: the owner of the Secret. */
export function exporterOf(secret: KubernetesObject): string | undefined {
  const owner = ownerReferencesOf(secret).find(({ apiVersion }) => /(^|\.)azure\.com\//.test(apiVersion));
  return owner && `${owner.kind} ${owner.name}`;
}
