import { ObjectSet } from './object-set';
import { FoundAt, ofEach, ofSet } from './rule';
import { AzureObject, isNamesake, titleOf } from './set-object';
import { armTypeOf } from '../../azure/arm-id';
import { builtInRoleId, builtInRoleNames } from '../../azure/built-in-roles';
import { nameScopeOf } from '../../azure/names/name-facts';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { isUuidNamed } from '../../azure/uuid-names';
import { suggestion } from '../../util/nearest';
import { member, struct, text } from '../../util/records';

const PRIVILEGED = ['Owner', 'User Access Administrator', 'Role Based Access Control Administrator'];

/** Roles that are useful for one type of resource only: beginning of the role's name → ARM type. */
const FOR_ONE_TYPE: readonly [RegExp, string][] = [
  [/^Storage (Blob|File|Queue|Table) /, 'Microsoft.Storage/storageAccounts'],
  [/^Acr(Pull|Push|Delete|ImageSigner)$/, 'Microsoft.ContainerRegistry/registries'],
  [/^Key Vault /, 'Microsoft.KeyVault/vaults'],
  [/^Azure Service Bus Data /, 'Microsoft.ServiceBus/namespaces'],
  [/^Azure Event Hubs Data /, 'Microsoft.EventHub/namespaces'],
  [/^App Configuration Data /, 'Microsoft.AppConfiguration/configurationStores'],
  [/^Azure Kubernetes Service (Cluster|RBAC) /, 'Microsoft.ContainerService/managedClusters'],
  [/^Search Index Data /, 'Microsoft.Search/searchServices'],
  [/^Cognitive Services OpenAI /, 'Microsoft.CognitiveServices/accounts'],
];

const RESOURCE_GROUP = 'Microsoft.Resources/resourceGroups';
const SUBSCRIPTION = 'Microsoft.Resources/subscriptions';
const MANAGEMENT_GROUP = 'Microsoft.Management/managementGroups';

/** A role assignment is owned by a subscription or management group. */
export const roleScope = ofEach((object) => {
  const scope = isAssignment(object) ? scopeTypeOf(object) : undefined;
  if (scope !== SUBSCRIPTION && scope !== MANAGEMENT_GROUP) return [];
  return [
    {
      field: 'spec.owner',
      message: `the role is given in a whole ${scope === SUBSCRIPTION ? 'subscription' : 'management group'}`,
      fix: 'own it by the resource group or the resource that is meant',
    },
  ];
});

/** A role for one type of resource (blobs, vault, registry, …) is assigned in a resource group. */
export const roleWiderThanResource = ofEach((object, set) => {
  if (!isAssignment(object) || scopeTypeOf(object) !== RESOURCE_GROUP) return [];
  const role = object.facts.builtInRoles[0] ?? '';
  const type = FOR_ONE_TYPE.find(([names]) => names.test(role))?.[1];
  if (type === undefined) return [];
  const candidates = set.azure.filter(({ version, namespace }) => namespace === object.namespace && version.facts.arm?.type === type);
  const [candidate, ...others] = candidates;
  const example = candidate && others.length === 0 ? ` (${titleOf(candidate)})` : '';
  return [
    { field: 'spec.owner', message: `${role} is given in a whole resource group`, fix: `own it by the ${type} that is meant${example}` },
  ];
});

/** A well-known name that is not one of Azure's built-in roles known to the catalog. */
export const roleUnknown = ofEach((object) => {
  const name = isAssignment(object) ? text(struct(member(object.spec, 'roleDefinitionReference')), 'wellKnownName') : undefined;
  if (name === undefined || builtInRoleId(name) !== undefined) return [];
  const fix = suggestion(name, builtInRoleNames()).trim() || 'write the name of a built-in role, or give the armId of a role of your own';
  return [{ field: 'spec.roleDefinitionReference.wellKnownName', message: `'${name}' is none of the built-in roles that are known`, fix }];
});

/** Owner, User Access Administrator or Role Based Access Control Administrator without a condition. */
export const rolePrivileged = ofEach((object) => {
  const role = isAssignment(object) ? object.facts.builtInRoles.find((name) => PRIVILEGED.includes(name)) : undefined;
  return role === undefined || text(object.spec, 'condition') !== undefined
    ? []
    : [
      {
        field: 'spec.roleDefinitionReference',
        message: `gives ${role}`,
        fix: 'give the role that is needed, or add a condition that restricts the roles it can give',
      },
    ];
});

/** Two role assignments have the same UUID. */
export const roleNameTaken = ofSet((set) =>
  collisions(
    uuidNamed(set),
    set,
    uuidName,
    'spec.azureName',
    'has the same Azure name (UUID) as',
    'leave azureName out, or give another UUID',
  ),
);

/** Two role assignments give the same role to the same principal in the same scope. */
export const roleAssignmentTwice = ofSet((set) =>
  collisions(
    set.kinds.get('authorization.azure.com/RoleAssignment') ?? [],
    set,
    (object) => grantOf(object, set),
    undefined,
    'gives the same role to the same principal in the same scope as',
    'remove one of the two',
  ),
);

/** The derived name of a role assignment is the same in every cluster. */
export const roleNameInOtherClusters = ofEach((object) => {
  if (
    !isAssignment(object)
    || text(object.spec, 'azureName') !== undefined
    || object.facts.azureName === undefined
    || /^[0-9a-f-]{32,36}$/i.test(object.name)
  ) {
    return [];
  }
  return [
    {
      field: 'spec.azureName',
      message: 'the name is made from namespace, owner and object name only',
      fix: 'if other clusters apply the same manifest, give azureName or operatorSpec.namingConvention: random',
    },
  ];
});

function isAssignment({ group, kind }: AzureObject): boolean {
  return group === 'authorization.azure.com' && kind === 'RoleAssignment';
}

function scopeTypeOf({ facts: { owner } }: AzureObject): string | undefined {
  if (owner?.armId !== undefined) return armTypeOf(withoutTrailingSlashes(owner.armId));
  if (owner?.group === 'subscription.azure.com') return SUBSCRIPTION;
  return owner?.group === 'resources.azure.com' && owner.kind === 'ResourceGroup' ? RESOURCE_GROUP : undefined;
}

/** A key of scope, role and principal; undefined if one is not known. */
function grantOf(object: AzureObject, set: ObjectSet): string | undefined {
  const { spec, namespace, facts } = object;
  const scope = set.scopeKey(object);
  const reference = struct(member(spec, 'roleDefinitionReference'));
  const role =
    facts.builtInRoles[0] ?? text(reference, 'armId') ?? (text(reference, 'name') && `${namespace ?? ''}/${text(reference, 'name')}`);
  const source = struct(member(spec, 'principalIdFromConfig'));
  const principal =
    text(spec, 'principalId') ?? (source && `${namespace ?? ''}/${text(source, 'name') ?? ''}/${text(source, 'key') ?? ''}`);
  return scope === undefined || role === undefined || principal === undefined
    ? undefined
    : [scope, role, principal].join('\n').toLowerCase();
}

type KeyOf = (object: AzureObject) => string | undefined;

function collisions(
  objects: readonly AzureObject[], set: ObjectSet, keyOf: KeyOf, field: string | undefined, message: string, fix: string,
): FoundAt[] {
  const first = new Map<string, AzureObject>();
  return objects.flatMap((object): FoundAt[] => {
    const key = keyOf(object);
    const other = key === undefined ? undefined : first.get(key);
    if (key !== undefined && (!other || set.isOnlyRead(other))) first.set(key, object);
    if (!other || isNamesake(other, object) || set.isOnlyRead(other) || set.isOnlyRead(object)) return [];
    // Another rule reports equal names.
    if (keyOf !== uuidName && uuidName(object) !== undefined && uuidName(object) === uuidName(other)) return [];
    return [{ object, field, message: `${message} ${titleOf(other)}`, fix }];
  });
}

/** Role assignments, role definitions and other objects whose name is a UUID. */
function uuidNamed(set: ObjectSet): AzureObject[] {
  return [...set.kinds.values()].filter(([first]) => first && isUuidNamed(first.group, first.kind)).flat();
}

/** A key of the UUID name: these names are unique in the tenant, for each type. */
function uuidName({ group, kind, facts: { azureName }, version }: AzureObject): string | undefined {
  const type = version.facts.arm?.type;
  return azureName !== undefined && type !== undefined && isUuidNamed(group, kind) && nameScopeOf(type) === 'tenant'
    ? `${type} ${azureName}`.toLowerCase()
    : undefined;
}
