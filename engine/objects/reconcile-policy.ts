import { RECONCILE_POLICY } from '../../src/azure/annotations';
import type { KubernetesObject } from '../kubernetes/types';

/** The changes that the controller may make in Azure (docs/spec/deletion.md#policies). */
export type ReconcilePolicy = 'manage' | 'skip' | 'detach-on-delete';

export const RECONCILE_POLICIES: readonly ReconcilePolicy[] = ['detach-on-delete', 'manage', 'skip'];

export interface EffectivePolicy {
  readonly policy: ReconcilePolicy;
  /** An invalid value, for the log: the default policy applies. */
  readonly unknown?: string;
}

export function isReconcilePolicy(text: string): text is ReconcilePolicy {
  return (RECONCILE_POLICIES as readonly string[]).includes(text);
}

/** The policy of the object's annotation, else of its Namespace's, else the default. */
export function effectivePolicy(
  object: KubernetesObject,
  namespace: KubernetesObject | undefined,
  byDefault: ReconcilePolicy,
): EffectivePolicy {
  const text = object.metadata.annotations?.[RECONCILE_POLICY] || namespace?.metadata.annotations?.[RECONCILE_POLICY];
  if (!text) return { policy: byDefault };
  return isReconcilePolicy(text) ? { policy: text } : { policy: byDefault, unknown: text };
}

export function allowsModification(policy: ReconcilePolicy): boolean {
  return policy !== 'skip';
}

export function allowsDeletion(policy: ReconcilePolicy): boolean {
  return policy === 'manage';
}
