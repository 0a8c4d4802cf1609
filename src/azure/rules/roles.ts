import { atMost, lengthBetween } from './finders';
import { LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const DEFINITION = 'authorization.azure.com/RoleDefinition';
const CUSTOM = `${LEARN}/role-based-access-control/custom-roles`;
const ROLES = [CUSTOM, 'InvalidRoleDefinition'] as const;

const scopesOf = (spec: Parameters<typeof valuesAt>[0]) => valuesAt(spec, 'assignableScopesReferences[]')
  .map(({ field, value }) => ({ field, armId: isRecord(value) && typeof value.armId === 'string' ? value.armId : undefined }));
const isManagementGroup = (armId: string | undefined) => /^\/providers\/Microsoft\.Management\/managementGroups\//i.test(armId ?? '');

export const ROLE_RULES: readonly AzureRule[] = [
  rule('role-definition-scope', DEFINITION, 'A custom role has a scope that it can be assigned in.', ROLES, ({ spec }) => {
    const scopes = valueAtPath(spec, 'assignableScopesReferences');
    return Array.isArray(scopes) && scopes.length > 0 ? [] : violation('assignableScopesReferences', 'is empty', 'give a subscription, resource group or management group');
  }, atMost('assignableScopesReferences', 2000, 'scopes')),
  rule('role-definition-root', DEFINITION, 'A custom role is not for the root scope, and for one management group at most.', ROLES, ({ spec }) => {
    const scopes = scopesOf(spec);
    const groups = scopes.filter(({ armId }) => isManagementGroup(armId));
    return [
      ...scopes.filter(({ armId }) => armId === '/').flatMap(({ field }) => violation(field, 'is the root scope', 'give a management group or subscription')),
      ...(groups.length > 1 ? violation(groups[1]!.field, `is one of ${groups.length} management groups`, 'give one') : []),
    ];
  }),
  rule('role-definition-name', DEFINITION, 'The name of a role is unique in its tenant.', [CUSTOM, 'RoleDefinitionWithSameNameExists'], ({ spec, siblings }) => {
    const name = wordAt(spec, 'roleName');
    const other = name === undefined ? undefined : siblings.find((one) => wordAt(one.spec, 'roleName') === name);
    return other ? violation('roleName', `'${String(valueAtPath(spec, 'roleName'))}' is the name of '${other.name}' too`, 'give each role its own name') : [];
  }),
  rule('role-definition-length', DEFINITION, 'The name of a role has 512 characters at most, its description 2048.', ROLES,
    lengthBetween('roleName', 1, 512), lengthBetween('description', 0, 2048)),
  rule('role-definition-action', DEFINITION, 'An action is `Microsoft.Provider/type/verb`; `*` stands for any part.', [`${LEARN}/role-based-access-control/role-definitions#actions-format`, 'InvalidActionOrNotAction'], ({ spec }) =>
    ['actions', 'notActions', 'dataActions', 'notDataActions'].flatMap((list) => valuesAt(spec, `permissions[].${list}[]`)).flatMap(({ field, value }) =>
      (typeof value === 'string' && !/^(\*|[\w.*-]+(\/[\w.*-]+)+)$/.test(value) ? violation(field, `'${value}' is no action`, 'write it like Microsoft.Storage/storageAccounts/read') : []))),
];
