import { namingOf, roleAssignmentNamingOf } from './applied-naming';
import { armNameProblem, quotedText } from '../../azure/arm-segment';
import { nameProblem } from '../../azure/names/name-facts';
import { segmentFix } from '../../azure/names/segment-fix';
import { capitalized } from '../../util/words';
import { childName } from '../children';
import { DefaultAzureName } from '../default-azure-name';
import type { ResourceInternals } from '../resource-internals';
import type { Conversion } from '../schema/conversion';
import type { KindSchema } from '../schema/kind-schema';

/**
 * The Azure name of a resource: the explicit one, one that a naming derives, or `metadata.name`. It is checked, and written to the spec
 * unless `DefaultAzureName` forbids it, so that the manifest does not depend on a default of the controller.
 */
export function nameInAzure(resource: ResourceInternals, spec: Record<string, unknown>, schema: KindSchema, run: Conversion): unknown {
  if (spec.azureName !== undefined) return checked(spec.azureName, schema, run);
  if (isRoleAssignment(schema)) {
    const name = roleAssignmentNamingOf(resource)?.naming._nameOf(resource, spec, run);
    if (name !== undefined) spec.azureName = name;
    return name;
  }
  if (!schema.azureNameIsFree || !schema.azureName) return undefined;
  if (schema.azureNameAlternative && spec[schema.azureNameAlternative] !== undefined) return undefined;
  const before = run.problems.length;
  const naming = derivedName(resource, schema, run);
  const derived = naming ?? childName(resource._given);
  if (run.problems.length > before) return undefined;
  run.enter('azureName');
  const azureName = schema.azureName(derived ?? resource.name, run);
  run.leave();
  if (run.problems.length === before) checked(azureName, schema, run);
  if (run.problems.length > before) {
    const origin =
      naming !== undefined
        ? "what the AzureNaming makes of the construct's path"
        : derived === undefined ? "the object's metadata.name, for want of an azureName" : "the construct's id, for want of an azureName";
    run.problems.push(`${run.problems.pop()} It is ${origin}: give azureName.`);
  }
  if (derived !== undefined || !DefaultAzureName._isLeftOut(resource)) spec.azureName = azureName;
  return azureName;
}

/** Checks the name against Azure's rules beyond those of the catalog. */
function checked(azureName: unknown, schema: KindSchema, run: Conversion): unknown {
  if (typeof azureName !== 'string') return azureName;
  const { arm, scope } = schema.version.facts;
  if (!arm) return azureName;
  const notInId = armNameProblem(azureName, scope);
  const problem = nameProblem(arm.type, azureName)
    ?? (notInId && `${quotedText(azureName)} ${notInId}. ${capitalized(segmentFix(arm.type, azureName))}.`);
  if (problem !== undefined) run.problems.push(`azureName: ${problem}`);
  return azureName;
}

function derivedName(resource: ResourceInternals, schema: KindSchema, run: Conversion): string | undefined {
  const applied = namingOf(resource);
  try {
    return applied?.naming._nameOf(resource, applied.scope, schema);
  } catch (error) {
    run.problems.push(`azureName: ${(error as Error).message}`);
    return undefined;
  }
}

function isRoleAssignment({ version: { kind } }: KindSchema): boolean {
  return kind.kind === 'RoleAssignment' && kind.group === 'authorization.azure.com';
}
