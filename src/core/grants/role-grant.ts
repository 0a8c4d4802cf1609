import { Construct } from 'constructs';
import { AzureResourceReference, IAzureResourceRef } from '../resource-reference';
import { grantName } from './grant-name';
import { PrincipalType } from './principal-type';
import { AzureResource } from '../azure-resource';
import { AzureResourceProps } from '../azure-resource-props';
import { ConfigMapValue } from '../config-map-value';
import { Output } from '../output';
import { referenceOf } from '../schema/references';

/** Props of `RoleGrant`: the resource, the role and the principal. */
export interface RoleGrantProps extends AzureResourceProps {
  /** The resource on which the role is granted, including all that it contains: a construct, or the result of `fromName` or `fromArmId`. */
  readonly on: IAzureResourceRef;

  /** The role: a `BuiltInRole`, or your own role definition. */
  readonly role: IAzureResourceRef;

  /**
   * The principal, if the app itself creates it in Azure: `identity.outputs.principalId`.
   * @default - `principalId`; exactly one of the two is required
   */
  readonly to?: ConfigMapValue;

  /**
   * The principal, if it is known: object id of a user, a group or a service principal in Entra, a UUID.
   * @default - `to`; exactly one of the two is required
   */
  readonly principalId?: string;

  /**
   * The type of the principal. Without it Azure looks the principal up, and does not find one that was created seconds ago.
   * @default - `SERVICE_PRINCIPAL` for the output of a resource, else left to Azure
   */
  readonly principalType?: PrincipalType;

  /**
   * The reason for the grant, shown in Azure.
   * @default - none
   */
  readonly description?: string;

  /**
   * A condition that restricts the role, in Azure's condition language (version 2.0).
   * @default - none
   */
  readonly condition?: string;
}

/**
 * Lets a principal act on a resource: one role assignment, named after its grant. Synth therefore detects the same grant twice in a
 * namespace.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/role-assignments
 */
export class RoleGrant extends AzureResource {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the resource, the role and the principal
   * @throws when `on` or `role` is no reference, or not exactly one of `to` and `principalId` is set
   */
  public constructor(scope: Construct, id: string, props: RoleGrantProps) {
    const { on, role, to, principalId, principalType, description, condition, ...common } = props;
    assertGrant(props, `[${scope.node.path}/${id}] RoleGrant`);
    const spec = {
      owner: on,
      roleDefinitionReference: role,
      principalIdFromConfig: to,
      principalId,
      principalType: principalType ?? (to instanceof Output ? PrincipalType.SERVICE_PRINCIPAL : undefined),
      description,
      condition,
      conditionVersion: condition === undefined ? undefined : '2.0',
    };
    const metadata = {
      ...common.metadata,
      name: common.metadata?.name ?? grantName(on.azureResourceRef, role.azureResourceRef, to ?? principalId!),
    };
    const own: AzureResourceProps = { ...common, ...spec, metadata };
    super(scope, id, { group: 'authorization.azure.com', kind: 'RoleAssignment', version: 'v20220401' }, own);
  }

  /** The reference to the role assignment, so that a grant can be used wherever a role assignment is expected. */
  public get roleAssignmentRef(): AzureResourceReference {
    return this.reference;
  }
}

function assertGrant({ on, role, to, principalId }: RoleGrantProps, where: string): void {
  if (!referenceOf(on)) {
    throw new Error(`${where} on: is no reference to a resource. Give the construct, or what its class's fromName or fromArmId gives.`);
  }
  if (!referenceOf(role)) throw new Error(`${where} role: is no role. Give a BuiltInRole, BuiltInRole.custom(id) or a RoleDefinition.`);
  if (to === undefined && principalId === undefined) {
    throw new Error(
      `${where}: to whom? Give 'to' (identity.outputs.principalId) or 'principalId' (the object id of a user, group or service principal).`,
    );
  }
  if (to !== undefined && principalId !== undefined) {
    throw new Error(`${where}: 'to' and 'principalId' are two ways to say to whom. Give one of them.`);
  }
  if (to !== undefined && !(to instanceof ConfigMapValue)) {
    throw new Error(
      `${where} to: is no output. Give identity.outputs.principalId or ConfigMapValue.fromConfigMap(name, key); an id that is known goes to 'principalId'.`,
    );
  }
}
