import { ALL_KINDS } from './all-kinds';
import type { SerialWrites } from './kind-behaviour';
import { parseArmId } from '../../src/azure/arm-id';

/** The lock that a resource shares with other resources. */
export interface ParentLockScope {
  /** Key of the lock: equal for all resources that share it. */
  readonly lockName: string;
  /** ARM id of the parent of these resources. */
  readonly parent: string;
  /** Whether the resource may be written at the same time as others with this flag. */
  readonly together: boolean;
  /** Whether the resource is the parent itself. */
  readonly isParent: boolean;
}

/** The locking rule of an ARM type. */
export interface ParentLockRule {
  /** Number of levels from the type up to its parent; 0: the type is the parent. */
  readonly levels: number;
  /** Whether its resources may be written at the same time as others with this flag. */
  readonly together: boolean;
}

let known: ReadonlyMap<string, ParentLockRule> | undefined;

/** ARM type in lower case → its locking rule. */
function rules(): ReadonlyMap<string, ParentLockRule> {
  return (known ??= new Map(Object.values(ALL_KINDS).flatMap(({ serialWrites }) => (serialWrites ? rulesOf(serialWrites) : []))));
}

function rulesOf({ parent, alone, together = [], itself }: SerialWrites): [string, ParentLockRule][] {
  const below = (child: string, asOne: boolean): [string, ParentLockRule] => [
    `${parent}/${child}`.toLowerCase(), { levels: child.split('/').length, together: asOne },
  ];
  return [
    ...(itself ? [[parent.toLowerCase(), { levels: 0, together: false }] as [string, ParentLockRule]] : []),
    ...alone.map((child) => below(child, false)),
    ...together.map((child) => below(child, true)),
  ];
}

/** Whether resources of an ARM type share a lock with others. */
export function needsParentLock(armType: string): boolean {
  return parentLockRuleOf(armType) !== undefined;
}

/** The locking rule of an ARM type; undefined: its resources need no lock. */
export function parentLockRuleOf(armType: string): ParentLockRule | undefined {
  return rules().get(armType.toLowerCase());
}

/** The lock of the resource with an ARM id; undefined: it needs none. */
export function parentLockScopeOf(armId: string): ParentLockScope | undefined {
  const parts = parseArmId(armId);
  const rule = parts?.provider ? rules().get([parts.provider, ...parts.types].join('/').toLowerCase()) : undefined;
  if (!rule) return undefined;
  const parent = armId.split('/').slice(0, -2 * rule.levels || undefined).join('/');
  return { lockName: parent.toLowerCase(), parent, together: rule.together, isParent: rule.levels === 0 };
}
