import { advice } from './advice';
import { type Advice, type RoleChange } from './changes';
import { describe, identityOf, meaningsOf, ownerIdentity, roleOf } from './meanings';
import { specChanges } from './property-changes';
import { identityRefusals, policyAtRemoval, refusals, stays, type Comparison } from './resource-changes';
import { foldedId, nameOf, type AzureItem, type Synth } from './synth';
import { objectTitleOf, type WrittenObjectId } from '../../src/object-id';
import { member, struct, text } from '../../src/util/records';

/** The principal, role and scope of a role assignment. Keys are equal for the same thing in both synths. */
interface Grant {
  readonly item: AzureItem;
  readonly principal: Named;
  readonly role: Named;
  readonly scope: Named;
}

interface Named {
  readonly key: string;
  readonly name: string;
}

/** Properties of an assignment that Azure does not update, with the names that the spec uses. */
const FIXED = ['principal', 'role', 'scope'] as const;
const FIXED_PROPERTIES: ReadonlySet<string> = new Set(['principalId', 'principalIdFromConfig', 'roleDefinitionReference']);

export function isRoleAssignment({ group, kind }: WrittenObjectId): boolean {
  return group === 'authorization.azure.com' && kind === 'RoleAssignment';
}

/**
 * Roles that principals gain and lose.
 * @param deleted resources that the operator deletes, by key and by ARM id
 */
export function roleChanges(comparison: Comparison, deleted: ReadonlyMap<string, AzureItem>): RoleChange[] {
  const { old, next } = comparison;
  const before = grantsOf(old, comparison);
  const after = grantsOf(next, comparison);
  const newKeys = new Set(after.map(({ item }) => item.key));
  const oldByObject = new Map(before.map((grant) => [grant.item.key, grant]));
  const oldByGrant = byGrant(before);
  const newByGrant = byGrant(after);
  const changes: RoleChange[] = [];
  for (const grant of after) {
    const same = oldByObject.get(grant.item.key);
    const twin = oldByGrant.get(grantKey(grant));
    if (same && grantKey(same) === grantKey(grant)) changes.push(...changed(same, grant, comparison));
    else if (same) changes.push(...exchanged(same, grant, twin !== undefined, comparison));
    else if (!twin) changes.push(granted(grant, next));
    else if (!newKeys.has(twin.item.key)) changes.push(renamed(twin, grant, comparison));
    else changes.push({ ...roleChange('renamed', grant, [advice.assignmentTwice(twin.item)]), from: nameOf(twin.item) });
  }
  for (const grant of before) {
    if (newKeys.has(grant.item.key)) continue;
    const twin = newByGrant.get(grantKey(grant));
    if (twin) {
      // A new twin is already reported; a twin that existed before now grants the role alone.
      if (oldByObject.has(twin.item.key)) {
        changes.push({ ...roleChange('moved', twin, [advice.duplicateGoes(grant.item, twin.item)]), from: nameOf(grant.item) });
      }
      continue;
    }
    const policy = policyAtRemoval(grant.item, comparison);
    changes.push(stays(grant.item, comparison, deleted)
      ? roleChange('kept', grant, [policy === 'manage' ? advice.protectedObject() : advice.roleStays(policy)])
      : roleChange('revoked', grant, []));
  }
  return changes;
}

function granted(grant: Grant, next: Synth): RoleChange {
  return roleChange('granted', grant, next.policyOf(grant.item) === 'skip' ? [advice.onlyRead()] : []);
}

function changed(before: Grant, after: Grant, comparison: Comparison): RoleChange[] {
  const { old, next, pairing } = comparison;
  const notes = refusals(before.item, after.item, comparison);
  const properties = specChanges(
    { ...before.item, meanings: meaningsOf(before.item, old, pairing) },
    { ...after.item, meanings: meaningsOf(after.item, next, pairing) },
  ).filter(({ path }) => !FIXED_PROPERTIES.has(path));
  return properties.length + notes.length === 0 ? [] : [{ ...roleChange('changed', after, notes), properties }];
}

/** One object that grants another role: the intended grants, and the refusal by Azure. */
function exchanged(before: Grant, after: Grant, wasGiven: boolean, comparison: Comparison): RoleChange[] {
  const what = FIXED.filter((part) => before[part].key !== after[part].key);
  const byWebhook = identityRefusals(before.item, after.item, comparison);
  const notes = byWebhook.length > 0 ? byWebhook : [advice.assignmentRefused(what.join(' and '))];
  return [roleChange('revoked', before, notes), ...(wasGiven ? [] : [roleChange('granted', after, notes)])];
}

function renamed(before: Grant, after: Grant, comparison: Comparison): RoleChange {
  const same = foldedId(before.item.armId) !== undefined && foldedId(before.item.armId) === foldedId(after.item.armId);
  const policy = policyAtRemoval(before.item, comparison);
  const moved = policy === 'manage' ? advice.moveDeletes(before.item, after.item) : advice.moveIsSafe(before.item, policy);
  const notes = [same ? moved : advice.assignmentRenamed(before.item.facts.azureName, policy)];
  return { ...roleChange(same ? 'moved' : 'renamed', after, notes), from: nameOf(before.item) };
}

function roleChange(change: RoleChange['change'], { item, principal, role, scope }: Grant, notes: readonly Advice[]): RoleChange {
  return { change, principal: principal.name, role: role.name, scope: scope.name, object: nameOf(item), properties: [], advice: notes };
}

function grantKey({ principal, role, scope }: Grant): string {
  return [scope.key, role.key, principal.key].join('\n');
}

function byGrant(grants: readonly Grant[]): Map<string, Grant> {
  return new Map([...grants].reverse().map((grant) => [grantKey(grant), grant]));
}

function grantsOf(side: Synth, comparison: Comparison): Grant[] {
  return side.azure.filter(isRoleAssignment).map((item) => ({
    item,
    principal: principalOf(item, side, comparison),
    role: roleIn(item, side, comparison),
    scope: {
      key: ownerIdentity(item, side, comparison.pairing) ?? 'none',
      name: item.facts.owner ? describe(item.facts.owner, item, side) : '(no scope)',
    },
  }));
}

function principalOf(item: AzureItem, side: Synth, { pairing }: Comparison): Named {
  const id = text(item.spec, 'principalId');
  if (id !== undefined) return { key: `id ${id.toLowerCase()}`, name: `principal ${id}` };
  const source = struct(member(item.spec, 'principalIdFromConfig'));
  const [name, key] = [text(source, 'name'), text(source, 'key')];
  if (name === undefined || key === undefined) return { key: 'none', name: '(no principal)' };
  // The principal is the resource that exports the id; the ConfigMap only passes it on.
  const writer = side.writerOf(item.inNamespace, { store: 'ConfigMap', name, key });
  if (!writer) {
    return { key: `ConfigMap ${item.inNamespace}/${name}/${key}`, name: `principal in ConfigMap ${item.inNamespace}/${name}, key ${key}` };
  }
  const property = writer.property.split('.').at(-1)!;
  const more = property === 'principalId' ? '' : ` (${property})`;
  return { key: `${pairing.identityOf(writer.item, side)} ${property}`, name: `${objectTitleOf(writer.item)}${more}` };
}

function roleIn(item: AzureItem, side: Synth, { pairing }: Comparison): Named {
  const reference = struct(member(item.spec, 'roleDefinitionReference')) ?? {};
  const role = roleOf(reference);
  if (role) return role;
  const [armId, name] = [text(reference, 'armId'), text(reference, 'name')];
  if (armId === undefined && name === undefined) return { key: 'none', name: '(no role)' };
  const [group, kind] = [text(reference, 'group'), text(reference, 'kind')];
  const target = armId !== undefined
    ? { armId }
    : {
      ...(group === undefined ? {} : { group }), ...(kind === undefined ? {} : { kind }), ...(name === undefined ? {} : { name }),
    };
  return { key: identityOf(target, item, side, pairing) ?? 'none', name: describe(target, item, side) };
}
