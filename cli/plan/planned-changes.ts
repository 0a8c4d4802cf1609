import { parseArmId } from '../../src/azure/arm-id';
import { builtInRoleId } from '../../src/azure/built-in-roles';
import type { BodyChange, KindVersion } from '../../src/catalog';

/** A role of a name that no built-in role has. */
export class UnknownRoleError extends Error {
  public readonly fix = 'see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles, or give the role by armId';

  public constructor(role: string) {
    super(`${JSON.stringify(role)} is no built-in role that is known here`);
    this.name = 'UnknownRoleError';
  }
}

/** The changes of a converted body before it is sent, as far as they are known without Azure. */
export function applyPlannedChanges(
  version: KindVersion, body: Record<string, unknown>, id: string, subscriptionId: string,
): { body: unknown; notes: string[] } {
  const notes: string[] = [];
  let changed: unknown = body;
  for (const change of version.facts.bodyChanges ?? []) {
    const path = change.arm.split('/');
    switch (change.how) {
      case 'keepExisting':
      case 'mergeByName':
        notes.push(keptNote(change));
        break;
      case 'wellKnownRole':
        changed = replaced(changed, path, (role) =>
          typeof role === 'string' && !role.startsWith('/') ? roleId(role, parseArmId(id)?.subscriptionId ?? subscriptionId) : role,
        );
        break;
      case 'recoverOrCreate':
        changed = replaced(changed, path, (mode) => {
          if (mode !== 'createOrRecover' && mode !== 'purgeThenCreate') return mode;
          notes.push(mode === 'createOrRecover'
            ? `${change.arm} becomes "recover" instead when a deleted vault of this name can be recovered`
            : 'a deleted vault of this name is purged first');
          return 'default';
        });
        break;
    }
  }
  return { body: changed, notes };
}

function keptNote(change: BodyChange): string {
  return change.how === 'keepExisting'
    ? `when the resource exists, its ${change.arm} are kept: Azure's are put into the body`
    : `when the resource exists, its ${change.arm} of other names are kept: Azure's are added to the body`;
}

function roleId(role: string, subscriptionId: string): string {
  const guid = builtInRoleId(role);
  if (guid === undefined) throw new UnknownRoleError(role);
  return `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
}

/** The value with what stands at the path exchanged; where nothing stands there, the value as it is. */
function replaced(value: unknown, path: readonly string[], exchange: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value === undefined || value === null ? value : exchange(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: replaced((value as Record<string, unknown>)[step], rest, exchange) };
}
