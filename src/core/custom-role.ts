import type { AzureResourceReference, IAzureResourceRef } from './resource-reference';
import { isArmId } from '../azure/arm-id';
import { roleDefinitionArmId } from '../azure/role-definition-id';
import { UUID } from '../azure/uuid';

const DEFINITION = /\/providers\/Microsoft\.Authorization\/roleDefinitions\/([^/]+)$/i;

/** A role that is not built into Azure, or a built-in one whose actions this library does not know. */
export interface CustomRoleProps {
  /** The UUID of the role definition, or its whole ARM id. */
  readonly id: string;
  /** The display name of the role, e.g. `Service Bus writer`. */
  readonly name: string;
  /** Actions that it allows, with `*` for any text, e.g. `Microsoft.ServiceBus/namespaces/queues/read`. */
  readonly actions: string[];
  /**
   * Actions that are excluded from `actions`.
   * @default - none
   */
  readonly notActions?: string[];
}

/**
 * An existing role definition, together with its actions, so that `CredentialScopes` and the rules can tell whether it suffices. Use it
 * wherever a role is expected: in a `RoleAssignment`, a `RoleGrant`, or the `grantedRoles` of a credential.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/custom-roles
 */
export class CustomRole implements IAzureResourceRef {
  /**
   * An existing role.
   * @param props its id, name and actions
   * @throws when the id is not that of a role definition, or the name is missing
   */
  public static of(props: CustomRoleProps): CustomRole {
    return new CustomRole(props);
  }

  /**
   * Whether something is a CustomRole, whichever copy of this library it is from.
   * @internal
   */
  public static _is(value: unknown): value is CustomRole {
    return typeof value === 'object' && value !== null && MARK in value;
  }

  /** The UUID of the role definition. */
  public readonly roleDefinitionId: string;

  /** The display name of the role. */
  public readonly roleName: string;

  /** Allowed actions. */
  public readonly actions: string[];

  /** Actions that are excluded from `actions`. */
  public readonly notActions: string[];

  /** The reference to the role definition. */
  public readonly azureResourceRef: AzureResourceReference;

  private constructor({ id, name, actions, notActions = [] }: CustomRoleProps) {
    const found = typeof id === 'string' && UUID.test(id) ? id : isArmId(String(id)) ? DEFINITION.exec(id)?.[1] : undefined;
    if (found === undefined) {
      throw new Error(`CustomRole: '${id}' is not the id of a role definition. Give its UUID, or /subscriptions/<id>/providers/Microsoft.Authorization/roleDefinitions/<uuid>.`);
    }
    if (typeof name !== 'string' || name.trim() === '' || /[;@\n]/.test(name)) {
      throw new Error(`CustomRole: '${name}' is not the name of a role. Give its name, without ';' and '@'.`);
    }
    const malformed = [...actions, ...notActions].find((action) => !/^(\*|[\w.*]+(\/[\w.*-]+)*)$/.test(action));
    if (malformed !== undefined) throw new Error(`CustomRole '${name}': '${malformed}' is no action. Write it like Microsoft.ServiceBus/namespaces/queues/write; data actions do not belong here.`);
    this.roleDefinitionId = found.toLowerCase();
    this.roleName = name;
    this.actions = [...actions];
    this.notActions = [...notActions];
    this.azureResourceRef = { armId: found === id ? roleDefinitionArmId(this.roleDefinitionId) : id };
    Object.defineProperty(this, MARK, { value: true });
  }
}

const MARK = Symbol.for('cdk8s-aso.CustomRole');
