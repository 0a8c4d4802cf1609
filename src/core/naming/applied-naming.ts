import { IConstruct } from 'constructs';
import type { ResourceInternals } from '../resource-internals';
import type { Conversion } from '../schema/conversion';
import type { KindSchema } from '../schema/kind-schema';

// In the global symbol registry, because an app may load two copies of the library. The symbols also let apps without a naming skip its
// code.
const NAMING = Symbol.for('cdk8s-aso.azureNaming');
const ROLE_ASSIGNMENT_NAMING = Symbol.for('cdk8s-aso.roleAssignmentNaming');

/** The part of `AzureNaming` that the checks use. */
export interface Naming {
  _nameOf(resource: IConstruct, scope: IConstruct, schema: KindSchema): string | undefined;
}

/** The part of `RoleAssignmentNaming` that the checks use. */
export interface AssignmentNaming {
  _nameOf(resource: ResourceInternals, spec: Record<string, unknown>, run: Conversion): string | undefined;
}

/** A naming, and the scope to which it was applied. */
export interface Applied<T> {
  readonly naming: T;
  readonly scope: IConstruct;
}

export function applyNaming(scope: IConstruct, value: Naming): void {
  Object.defineProperty(scope, NAMING, { value, configurable: true });
}

export function applyRoleAssignmentNaming(scope: IConstruct, value: AssignmentNaming): void {
  Object.defineProperty(scope, ROLE_ASSIGNMENT_NAMING, { value, configurable: true });
}

/** The naming that was applied nearest to a resource. */
export function namingOf(resource: IConstruct): Applied<Naming> | undefined {
  return nearest<Naming>(resource, NAMING);
}

/** The naming that was applied nearest to a role assignment. */
export function roleAssignmentNamingOf(resource: IConstruct): Applied<AssignmentNaming> | undefined {
  return nearest<AssignmentNaming>(resource, ROLE_ASSIGNMENT_NAMING);
}

function nearest<T>(resource: IConstruct, symbol: symbol): Applied<T> | undefined {
  for (let scope: IConstruct | undefined = resource; scope; scope = scope.node.scope) {
    const naming = Reflect.get(scope, symbol) as T | undefined;
    if (naming !== undefined) return { naming, scope };
  }
  return undefined;
}
