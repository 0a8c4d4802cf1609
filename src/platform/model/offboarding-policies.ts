import type { IConstruct } from 'constructs';
import { Offboarding } from './offboarding';
import { ACCESS_WITHOUT_DATA } from '../../azure/access-control-kinds';
import { ReconcilePolicy, RemovalPolicies, RemovalPolicy } from '../../core';

/** Sets the offboarding policy on all Azure resources of a scope. */
export function applyOffboarding(scope: IConstruct, offboarding: Offboarding | undefined): void {
  if (offboarding === undefined) return;
  const policies = RemovalPolicies.of(scope);
  if (offboarding === Offboarding.DELETE) {
    policies.apply(RemovalPolicy.DESTROY);
    return;
  }
  policies.apply(RemovalPolicy.RETAIN, { exceptKinds: [...ACCESS_WITHOUT_DATA] });
  policies.applyTo([...ACCESS_WITHOUT_DATA], RemovalPolicy.DESTROY);
}

/**
 * The reconcile policy of the team's namespace, for objects that the team has created without a policy. It is one for all kinds: if data
 * stays, so do the team's own identities, what they trust and their roles. `cdk8s-aso diff` names them.
 */
export function namespacePolicyWhenOffboarding(offboarding: Offboarding): ReconcilePolicy {
  return offboarding === Offboarding.DELETE ? ReconcilePolicy.MANAGE : ReconcilePolicy.DETACH_ON_DELETE;
}
