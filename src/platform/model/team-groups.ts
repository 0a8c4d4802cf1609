import type { PlatformProblems } from './problems';
import { TeamIdentities } from './team-identities';
import type { ExistingTeamIdentities, TeamResourceGroup } from './team-resource-group';
import { armTypeOf, parseArmId } from '../../azure/arm-id';

const RESOURCE_GROUP = /^[-\w.()]{0,89}[-\w()]$/;
const IDENTITY = 'microsoft.managedidentity/userassignedidentities';

/** The parts of an environment that groups and identities depend on. */
interface Place {
  readonly name: string;
  readonly location: string;
  readonly teamIdentities: TeamIdentities;
}

/** A team's settings of its groups. */
interface GroupSettings {
  readonly location?: string;
  readonly existingResourceGroup?: boolean;
  readonly resourceGroups?: readonly TeamResourceGroup[];
}

/** The resource groups of a team, its main one first. Those of an environment are added to those for all environments. */
export function groupsOf(
  environment: Place, main: string, own: GroupSettings, overrides: GroupSettings, problems: PlatformProblems,
): TeamResourceGroup[] {
  problems.require('resourceGroup', main, "Give the name of the team's resource group, or leave it to the naming strategy.");
  const location = overrides.location ?? own.location ?? environment.location;
  const existing = overrides.existingResourceGroup ?? own.existingResourceGroup ?? false;
  const further = [...(own.resourceGroups ?? []), ...(overrides.resourceGroups ?? [])];
  if (main) assertGroup(main, 'resourceGroup', problems);
  const names = new Set([String(main).toLowerCase()]);
  further.forEach(({ name }, index) => {
    const field = `resourceGroups[${index}].name`;
    problems.require(field, name, 'Give the name of the resource group.');
    if (!name) return;
    assertGroup(name, field, problems);
    if (names.has(name.toLowerCase())) problems.add(field, `'${name}' is another group of the team too. Name each once.`);
    names.add(name.toLowerCase());
  });
  return [{ name: main, location, existing }, ...further].map((group) => ({
    name: group.name, location: group.location ?? environment.location, existing: group.existing ?? false,
  }));
}

function assertGroup(name: string, field: string, problems: PlatformProblems): void {
  if (RESOURCE_GROUP.test(name)) return;
  problems.add(field, `'${name}' is no name of a resource group. Write letters, digits and -_.(), no '.' at the end, 90 characters at most.`);
}

/** Adds problems for existing identities that no object of the platform's namespace can stand for. */
export function assertIdentities(
  identities: ExistingTeamIdentities, environment: Place, subscriptionId: string, problems: PlatformProblems,
): void {
  for (const [name, reference] of Object.entries(identities)) {
    const field = `identities.${name}`;
    const id: string | undefined = reference?.azureResourceRef?.armId;
    if (id === undefined || armTypeOf(id)?.toLowerCase() !== IDENTITY) {
      problems.add(field, 'is no identity by its ARM id. Give UserAssignedIdentity.fromArmId(id), or the construct as identity of the TeamOnboarding.');
    } else if (parseArmId(id)?.subscriptionId?.toLowerCase() !== subscriptionId.toLowerCase()) {
      problems.add(field, `is in another subscription than the team in environment '${environment.name}'. Give one of ${subscriptionId}.`);
    }
  }
  const { operator, workload } = identities;
  if (workload && environment.teamIdentities === TeamIdentities.SHARED) {
    problems.add('identities.workload', "the environment's identities are shared, so the pods have the operator's. Leave it out, or make the identities separate.");
  }
  const same = operator?.azureResourceRef.armId?.toLowerCase() === workload?.azureResourceRef.armId?.toLowerCase();
  if (operator && workload && same) {
    problems.add('identities.workload', "is the operator's identity: pods would have all its rights, past all guard rails. Give another one.");
  }
}
