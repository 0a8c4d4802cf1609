import type { IConstruct } from 'constructs';
import { Offboarding } from './offboarding';
import { ReconcilePolicy, RemovalPolicies, RemovalPolicy } from '../../core';

/** Kinds that grant access and hold no data. */
const ACCESS_KINDS = [
  'authorization.azure.com/RoleAssignment',
  'managedidentity.azure.com/FederatedIdentityCredential',
  'managedidentity.azure.com/UserAssignedIdentity',
];

/** Sets the offboarding policy on all Azure resources of a scope. */
export function applyOffboarding(scope: IConstruct, offboarding: Offboarding | undefined): void {
  if (offboarding === undefined) return;
  const policies = RemovalPolicies.of(scope);
  if (offboarding === Offboarding.DELETE) {
    policies.apply(RemovalPolicy.DESTROY);
    return;
  }
  policies.apply(RemovalPolicy.RETAIN, { exceptKinds: ACCESS_KINDS });
  policies.applyTo(ACCESS_KINDS, RemovalPolicy.DESTROY);
}

/** The reconcile policy of the team's namespace, for objects that the team has created without a policy. */
export function namespacePolicyWhenOffboarding(offboarding: Offboarding): ReconcilePolicy {
  return offboarding === Offboarding.DELETE ? ReconcilePolicy.MANAGE : ReconcilePolicy.DETACH_ON_DELETE;
}
