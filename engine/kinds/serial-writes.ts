import { ALL_KINDS } from './all-kinds';
import type { SerialWrites } from './kind-behaviour';
import { parseArmId } from '../../src/azure/arm-id';

/** Where a resource stands in line with others. */
export interface ParentLockScope {
  /** The same text for all that take turns. */
  readonly line: string;
  /** ARM id of what they lie in. */
  readonly parent: string;
  /** May be written at the same time as others of which this is true too. */
  readonly together: boolean;
  /** The resource is the parent itself. */
  readonly isParent: boolean;
}

/** How a type takes turns. */
export interface ParentLockRule {
  /** How far above it its parent is; 0: it is the parent. */
  readonly levels: number;
  /** May be written at the same time as others of which this is true too. */
  readonly together: boolean;
}

let known: ReadonlyMap<string, ParentLockRule> | undefined;

/** ARM type in lower case → how it takes turns. */
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

/** Whether resources of an ARM type take turns with others. */
export function needsParentLock(armType: string): boolean {
  return parentLockRuleOf(armType) !== undefined;
}

/** How resources of an ARM type take turns; undefined: they do not. */
export function parentLockRuleOf(armType: string): ParentLockRule | undefined {
  return rules().get(armType.toLowerCase());
}

/** Where the resource of an ARM id stands in line; undefined: it need not. */
export function parentLockScopeOf(armId: string): ParentLockScope | undefined {
  const parts = parseArmId(armId);
  const rule = parts?.provider ? rules().get([parts.provider, ...parts.types].join('/').toLowerCase()) : undefined;
  if (!rule) return undefined;
  const parent = armId.split('/').slice(0, -2 * rule.levels || undefined).join('/');
  return { line: parent.toLowerCase(), parent, together: rule.together, isParent: rule.levels === 0 };
}
