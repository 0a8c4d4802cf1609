import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type { IAzureResourceRef } from '../resource-reference';
import { GrantedRole, grantedRolesText } from './granted-role';
import { assertUuid } from './ids';
import { CREDENTIAL_IDENTITY, CREDENTIAL_PRINCIPAL, CREDENTIAL_ROLES } from '../../azure/annotations';
import { armTypeOf } from '../../azure/arm-id';
import { referenceOf } from '../schema/references';

const IDENTITY = 'UserAssignedIdentity';

/** The declared facts about the principal of a credential. */
export interface PrincipalFacts {
  readonly identity?: IAzureResourceRef;
  readonly principalId?: string;
  readonly grantedRoles?: readonly GrantedRole[];
}

/**
 * Annotations of a Secret that describe its credential, for reports over manifests. They contain no secret, and the controller does not
 * read them.
 * @throws when a value is invalid
 */
export function reportAnnotations({ identity, principalId, grantedRoles }: PrincipalFacts, construct: IConstruct): Record<string, string> {
  const where = construct.node.path;
  if (principalId !== undefined) assertUuid(`principal id of [${where}]`, principalId);
  return {
    ...(identity !== undefined && { [CREDENTIAL_IDENTITY]: identityText(identity, construct) }),
    ...(principalId !== undefined && { [CREDENTIAL_PRINCIPAL]: principalId.toLowerCase() }),
    ...(grantedRoles !== undefined && { [CREDENTIAL_ROLES]: grantedRolesText(grantedRoles, where) }),
  };
}

/** An identity as `namespace/name` or ARM id. */
export function identityText(identity: IAzureResourceRef, construct: IConstruct): string {
  const found = referenceOf(identity);
  const fix = `Give a ${IDENTITY}: the construct, or ${IDENTITY}.fromArmId(id).`;
  if (found?.armId !== undefined && armTypeOf(found.armId)?.toLowerCase() === 'microsoft.managedidentity/userassignedidentities') {
    return found.armId;
  }
  if (found?.kind !== IDENTITY || found.name === undefined) {
    throw new Error(`[${construct.node.path}] identity: is no managed identity. ${fix}`);
  }
  const target = found.construct as IConstruct | undefined;
  if (target === undefined || !ApiObject.isApiObject(target)) {
    throw new Error(`[${construct.node.path}] identity: of '${found.name}' the namespace is not known. ${fix}`);
  }
  return `${(target as ApiObject).metadata.namespace ?? ''}/${found.name}`;
}
