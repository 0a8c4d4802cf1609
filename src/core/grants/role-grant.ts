import { Construct } from 'constructs';
import { AzureResourceReference, IAzureResourceRef } from '../resource-reference';
import { grantName } from './grant-name';
import { PrincipalType } from './principal-type';
import { AzureResource } from '../azure-resource';
import { AzureResourceProps } from '../azure-resource-props';
import { ConfigMapValue } from '../config-map-value';
import { Output } from '../output';
import { referenceOf } from '../schema/references';

/** Who gets which role on what. */
export interface RoleGrantProps extends AzureResourceProps {
  /** On which resource, with all that is in it: a construct, or what `fromName` and `fromArmId` give. */
  readonly on: IAzureResourceRef;

  /** The role: a `BuiltInRole`, or a role definition of your own. */
  readonly role: IAzureResourceRef;

  /**
   * To whom, where Azure makes the principal only with the app: `identity.outputs.principalId`.
   * @default - `principalId`; one of the two is needed
   */
  readonly to?: ConfigMapValue;

  /**
   * To whom, where the principal is known: object id of a user, a group or a service principal in Entra, a UUID.
   * @default - `to`; one of the two is needed
   */
  readonly principalId?: string;

  /**
   * What the principal is. Azure looks the principal up where it is not told, and then does not find one that was made seconds ago.
   * @default - `SERVICE_PRINCIPAL` for the output of a resource, else left to Azure
   */
  readonly principalType?: PrincipalType;

  /**
   * Why the grant is there, for those who find it in Azure.
   * @default - none
   */
  readonly description?: string;

  /**
   * A condition that narrows the role, in Azure's language for conditions (version 2.0).
   * @default - none
   */
  readonly condition?: string;
}

/**
 * Lets a principal act on a resource: one role assignment, named after what it grants. The same grant given twice in a
 * namespace is therefore found at synth.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/role-assignments
 */
export class RoleGrant extends AzureResource {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props who gets which role on what
   * @throws when `on` or `role` is no reference, or not just one of `to` and `principalId` is given
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
    const metadata = { ...common.metadata, name: common.metadata?.name ?? grantName(on.azureResourceRef, role.azureResourceRef, to ?? principalId!) };
    const own: AzureResourceProps = { ...common, ...spec, metadata };
    super(scope, id, { group: 'authorization.azure.com', kind: 'RoleAssignment', version: 'v20220401' }, own);
  }

  /** What identifies the role assignment: a grant can be given wherever one is taken. */
  public get roleAssignmentRef(): AzureResourceReference {
    return this.reference;
  }
}

function assertGrant({ on, role, to, principalId }: RoleGrantProps, where: string): void {
  if (!referenceOf(on)) throw new Error(`${where} on: is no reference to a resource. Give the construct, or what its class's fromName or fromArmId gives.`);
  if (!referenceOf(role)) throw new Error(`${where} role: is no role. Give a BuiltInRole, BuiltInRole.custom(id) or a RoleDefinition.`);
  if (to === undefined && principalId === undefined) throw new Error(`${where}: to whom? Give 'to' (identity.outputs.principalId) or 'principalId' (the object id of a user, group or service principal).`);
  if (to !== undefined && principalId !== undefined) throw new Error(`${where}: 'to' and 'principalId' are two ways to say to whom. Give one of them.`);
  if (to !== undefined && !(to instanceof ConfigMapValue)) throw new Error(`${where} to: is no output. Give identity.outputs.principalId or ConfigMapValue.fromConfigMap(name, key); an id that is known goes to 'principalId'.`);
}
