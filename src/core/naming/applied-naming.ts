import { IConstruct } from 'constructs';
import type { AzureNaming } from './azure-naming';
import type { RoleAssignmentNaming } from './role-assignment-naming';

// The registry's symbols: an app may have the library twice. Found by them, a naming is loaded by those only who use one.
const NAMING = Symbol.for('cdk8s-aso.azureNaming');
const ROLE_ASSIGNMENT_NAMING = Symbol.for('cdk8s-aso.roleAssignmentNaming');

/** A naming, and the scope to which it was applied. */
export interface Applied<T> {
  readonly naming: T;
  readonly scope: IConstruct;
}

export function applyNaming(scope: IConstruct, value: AzureNaming): void {
  Object.defineProperty(scope, NAMING, { value, configurable: true });
}

export function applyRoleAssignmentNaming(scope: IConstruct, value: RoleAssignmentNaming): void {
  Object.defineProperty(scope, ROLE_ASSIGNMENT_NAMING, { value, configurable: true });
}

/** The nearest naming of a resource. */
export function namingOf(resource: IConstruct): Applied<AzureNaming> | undefined {
  return nearest<AzureNaming>(resource, NAMING);
}

/** The nearest naming of a role assignment. */
export function roleAssignmentNamingOf(resource: IConstruct): Applied<RoleAssignmentNaming> | undefined {
  return nearest<RoleAssignmentNaming>(resource, ROLE_ASSIGNMENT_NAMING);
}

function nearest<T>(resource: IConstruct, symbol: symbol): Applied<T> | undefined {
  for (let scope: IConstruct | undefined = resource; scope; scope = scope.node.scope) {
    const naming = (scope as unknown as Record<symbol, T | undefined>)[symbol];
    if (naming !== undefined) return { naming, scope };
  }
  return undefined;
}
