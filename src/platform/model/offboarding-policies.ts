import type { IConstruct } from 'constructs';
import { Offboarding } from './offboarding';
import { ReconcilePolicy, RemovalPolicies, RemovalPolicy } from '../../core';

/** Kinds that give access and hold nothing. */
const ACCESS_KINDS = [
  'authorization.azure.com/RoleAssignment', 'managedidentity.azure.com/FederatedIdentityCredential', 'managedidentity.azure.com/UserAssignedIdentity',
];

/** Gives all Azure resources of a scope the policy with which the team leaves; `lasting`: kinds that nobody may delete. */
export function applyOffboarding(scope: IConstruct, offboarding: Offboarding | undefined, lasting: readonly string[] = []): void {
  if (offboarding === undefined) return;
  const policies = RemovalPolicies.of(scope);
  if (offboarding === Offboarding.DELETE) {
    policies.apply(RemovalPolicy.DESTROY, { exceptKinds: [...lasting] });
    return;
  }
  policies.apply(RemovalPolicy.RETAIN, { exceptKinds: ACCESS_KINDS });
  policies.applyTo(ACCESS_KINDS, RemovalPolicy.DESTROY);
}

/** What the team's namespace says for objects that the team has made itself and that say nothing. */
export function namespacePolicyWhenOffboarding(offboarding: Offboarding): ReconcilePolicy {
  return offboarding === Offboarding.DELETE ? ReconcilePolicy.MANAGE : ReconcilePolicy.DETACH_ON_DELETE;
}
