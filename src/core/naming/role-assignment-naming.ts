import { IConstruct } from 'constructs';
import { applyRoleAssignmentNaming } from './applied-naming';
import { invalidateChecks } from './invalidate-checks';
import { predictedId } from './predicted-id';
import { BUILT_IN_ROLES } from '../../azure/built-in-roles';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { uuidV5 } from '../../azure/uuid-names';
import type { ResourceInternals } from '../resource-internals';
import type { Conversion, Link } from '../schema/conversion';

/** Facts that distinguish equal manifests of two clusters. */
export interface TenantUniqueOptions {
  /**
   * The subscription of scopes that are resources of the app. An ARM id as scope contains its subscription.
   * @default - not known
   */
  readonly subscriptionId?: string;
  /**
   * A text that differs wherever names have to differ, such as the name of the cluster. With it, no other fact is required.
   * @default - none
   */
  readonly seed?: string;
}

const NAMESPACE = '2b9d6a0c-54a8-5c1e-8f57-0d6b1f3c7a94';

/**
 * Derives the name of role assignments without `azureName`, which is a UUID and unique in the Entra tenant.
 *
 * By default, Azure Service Operator derives the name from kinds, namespace and names in Kubernetes. Two clusters with equal manifests for
 * different subscriptions therefore get the same name, and Azure refuses the second assignment.
 */
export class RoleAssignmentNaming {
  /** The default of Azure Service Operator: the operator derives `azureName`. */
  public static readonly OPERATOR = new RoleAssignmentNaming();

  /**
   * UUIDs from scope, principal and role by their ARM ids. For apps whose scopes are given by ARM id, and whose principals are given by id
   * or are identities of the app.
   */
  public static readonly TENANT_UNIQUE = RoleAssignmentNaming.tenantUnique();

  /**
   * UUIDs (version 5) from scope, principal and role. An assignment whose name would not be unique in the tenant is an error.
   * @param options facts that distinguish equal manifests of two clusters
   */
  public static tenantUnique(options: TenantUniqueOptions = {}): RoleAssignmentNaming {
    return new RoleAssignmentNaming(options);
  }

  private constructor(private readonly options?: TenantUniqueOptions) {}

  /**
   * Names the role assignments below the scope. It may be applied again further down; the nearest naming counts.
   *
   * Azure cannot rename an assignment, and allows only one per role, principal and scope: do not change the naming of assignments that are
   * in use.
   * @param scope an app, a chart or any other construct
   */
  public applyTo(scope: IConstruct): void {
    applyRoleAssignmentNaming(scope, this);
    invalidateChecks(scope);
  }

  /**
   * The name of a role assignment; undefined if the operator derives it.
   * @internal
   */
  public _nameOf(resource: ResourceInternals, spec: Record<string, unknown>, run: Conversion): string | undefined {
    const { options } = this;
    if (!options) return undefined;
    const seeded = options.seed !== undefined;
    const link = (path: string) => run.links.find((one) => one.path === path);
    const where = scopeText(resource, link('owner'), options, run);
    const who = principalText(resource, spec, link('principalIdFromConfig'), options, run);
    // Missing parts of an assignment are reported elsewhere.
    if (where === undefined || who === undefined) return undefined;
    const unknown = [where, who].filter(({ everywhere }) => !everywhere && !seeded);
    for (const { why } of unknown) {
      run.problems.push(
        `azureName: no name that is unique in the tenant: ${why}, or a seed: RoleAssignmentNaming.tenantUnique({ seed: … }).`,
      );
    }
    if (unknown.length > 0) return undefined;
    return uuidV5(
      NAMESPACE,
      [options.seed ?? '', where.text, who.text, roleText(resource, spec)].map((text) => text.toLowerCase()).join('\n'),
    );
  }
}

/** The text for a part of the assignment, and whether it has the same meaning everywhere in the tenant. */
interface Part {
  readonly text: string;
  readonly everywhere: boolean;
  readonly why: string;
}

function scopeText(
  resource: ResourceInternals,
  link: Link | undefined,
  { subscriptionId }: TenantUniqueOptions,
  run: Conversion,
): Part | undefined {
  if (!link) return undefined;
  const id = predictedId(link.reference, subscriptionId, run);
  if (id !== undefined) return { text: withoutTrailingSlashes(id), everywhere: true, why: '' };
  const why = subscriptionId === undefined
    ? 'the ARM id of its owner is not known. Give the subscription, RoleAssignmentNaming.tenantUnique({ subscriptionId: … })'
    : 'the ARM id of its owner is not known, as it or an owner of it is not in the app. Give the owner by ARM id (fromArmId)';
  return { text: objectText(resource, link), everywhere: false, why };
}

function principalText(
  resource: ResourceInternals,
  spec: Record<string, unknown>,
  link: Link | undefined,
  { subscriptionId }: TenantUniqueOptions,
  run: Conversion,
): Part | undefined {
  if (typeof spec.principalId === 'string') return { text: spec.principalId, everywhere: true, why: '' };
  const source = spec.principalIdFromConfig as { name?: string; key?: string } | null | undefined;
  if (!source) return undefined;
  const id = link && predictedId(link.reference, subscriptionId, run);
  if (id !== undefined) return { text: id, everywhere: true, why: '' };
  const text = `${resource.metadata.namespace ?? ''}/${source.name}/${source.key}`;
  const why = link
    ? 'the ARM id of the identity is not known. Give the subscription, RoleAssignmentNaming.tenantUnique({ subscriptionId: … })'
    : `whose id ConfigMap '${source.name}' holds is not known. Give principalId or the output of an identity in the app`;
  return { text, everywhere: false, why };
}

function roleText(resource: ResourceInternals, spec: Record<string, unknown>): string {
  const role = (spec.roleDefinitionReference ?? {}) as {
    armId?: string;
    wellKnownName?: string;
    group?: string;
    kind?: string;
    name?: string;
  };
  if (role.armId !== undefined) return role.armId.slice(role.armId.lastIndexOf('/') + 1);
  if (role.wellKnownName !== undefined) {
    return (BUILT_IN_ROLES as Readonly<Record<string, string>>)[role.wellKnownName] ?? role.wellKnownName;
  }
  return `${role.group}/${role.kind}/${resource.metadata.namespace ?? ''}/${role.name}`;
}

function objectText(resource: ResourceInternals, { reference }: Link): string {
  return `${reference.group}/${reference.kind}/${resource.metadata.namespace ?? ''}/${reference.name ?? ''}`;
}
