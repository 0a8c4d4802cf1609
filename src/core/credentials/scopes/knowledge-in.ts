import { IConstruct } from 'constructs';
import type { CredentialSource } from './credential-source';
import type { DeclaredRole } from './declared-role';
import type { EvaluationOptions } from './evaluation-options';
import { CustomRole } from '../../custom-role';
import { isResource } from '../../resource-internals';
import { AsoCredential } from '../aso-credential';
import { ExternalAsoCredential } from '../external-aso-credential';

/** Facts about roles and credentials that constructs know but their manifests do not contain. */
export function credentialKnowledgeIn(scope: IConstruct): Pick<EvaluationOptions, 'roles' | 'declared'> {
  const roles = new Map<string, DeclaredRole>();
  const declared: CredentialSource[] = [];
  const add = (role: CustomRole) => roles.set(role.roleDefinitionId, declaredRole(role));
  for (const construct of scope.node.root.node.findAll()) {
    if (isResource(construct)) {
      // Another copy of this library may have created the construct.
      for (const value of Object.values((construct._given as object | undefined) ?? {})) if (CustomRole._is(value)) add(value);
    } else if (AsoCredential._is(construct)) {
      (construct as AsoCredential)._customRoles.forEach(add);
    } else if (ExternalAsoCredential._is(construct)) {
      const external = construct as ExternalAsoCredential;
      external._customRoles.forEach(add);
      declared.push(external._source);
    }
  }
  return { roles: [...roles.values()], declared };
}

export function declaredRole({ roleDefinitionId, roleName, actions, notActions }: CustomRole): DeclaredRole {
  return { id: roleDefinitionId, name: roleName, permissions: [{ actions, notActions }] };
}
