import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import type { EffectivePolicy, ReconcilePolicy } from '../../../engine/objects/reconcile-policy';
import { OPERATOR_NAMESPACE } from '../../../src/azure/annotations';
import type { ObjectReconcile } from '../object-reconcile';
import { policyFor } from '../observe';
import type { ReconcilerOptions } from '../reconciler-options';

/** Whether the object belongs to this controller, or to none yet. */
export function isOurs(object: KubernetesObject, { operatorNamespace }: Pick<ReconcilerOptions, 'operatorNamespace'>): boolean {
  return (annotation(object, OPERATOR_NAMESPACE) ?? operatorNamespace) === operatorNamespace;
}

/**
 * The policy that applies to the object; `skip` for an object of another controller, which needs no decision.
 * @throws UnknownStateError where the annotation of its Namespace applies and is not known
 */
export function ownPolicyOf(object: KubernetesObject, options: ReconcilerOptions): EffectivePolicy {
  return isOurs(object, options) ? policyFor(object, options.cluster, options.defaultPolicy) : { policy: 'skip' };
}

/** The policy that applies to the object. Warns of an annotation that is no policy. */
export function policyWithWarning({ object, options, key }: ObjectReconcile): ReconcilePolicy {
  const { policy, unknown } = ownPolicyOf(object, options);
  if (unknown !== undefined) options.onWarning?.(`unknown reconcile policy "${unknown}", using "${policy}"`, key);
  return policy;
}
