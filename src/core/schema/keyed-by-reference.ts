import type { Convert } from './conversion';
import { armTypeOf } from '../../azure/arm-id';
import { member, text } from '../../util/records';

const IDENTITY = {
  group: 'managedidentity.azure.com',
  kind: 'UserAssignedIdentity',
  armType: 'Microsoft.ManagedIdentity/userAssignedIdentities',
};
const GIVE = 'Give a UserAssignedIdentity: the construct, UserAssignedIdentity.fromName(name) or UserAssignedIdentity.fromArmId(id)';

/**
 * The conversion of a list whose elements become keys of an object in Azure, by their references. Elements without a reference are an
 * error, because the operator would silently omit them. References to identities have to be identities.
 */
export function keyedConvert(convert: Convert, keyProperty: string, name: string): Convert {
  return (value, run) => {
    const converted = convert(value, run);
    if (!Array.isArray(converted)) return converted;
    converted.forEach((item: unknown, index) => {
      run.enter(index);
      const problem = elementProblem(item, keyProperty, name === 'userAssignedIdentities');
      if (problem !== undefined) run.problem(problem);
      run.leave();
    });
    return converted;
  };
}

function elementProblem(item: unknown, keyProperty: string, isIdentity: boolean): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  // An invalid reference was reported, and is null here.
  const reference = (item as Record<string, unknown>)[keyProperty];
  if (reference === undefined) return `has no '${keyProperty}', so the operator would leave it out in silence. ${isIdentity ? GIVE : 'Give the resource that is meant'}.`;
  if (!isIdentity || reference === null) return undefined;
  const armId = text(reference, 'armId');
  const got = armId === undefined ? member(reference, 'kind') : armTypeOf(armId);
  const fits =
    armId === undefined
      ? got === IDENTITY.kind && member(reference, 'group') === IDENTITY.group
      : (got as string | undefined)?.toLowerCase() === IDENTITY.armType.toLowerCase();
  return fits ? undefined : `refers to a ${String(got)}, but only managed identities can be assigned. ${GIVE}.`;
}
