import type { IConstruct } from 'constructs';
import type { OnboardingPart } from './onboarding-part';
import type { Cluster } from '../model/cluster';
import type { PlatformProblems } from '../model/problems';
import type { TeamInEnvironment } from '../model/team-in-environment';

interface Claim {
  readonly team: TeamInEnvironment;
  readonly parts: Set<OnboardingPart>;
}

/** The namespaces and resource groups that teams use, with the onboarding parts, by app. */
const taken = new WeakMap<IConstruct, Map<string, Claim>>();

/**
 * Adds problems for conflicts with other onboardings of the app: two teams in one namespace would share a credential, two teams in one
 * resource group its resources. Several constructs may onboard one team, each with other parts.
 */
export function checkNeighbours(
  root: IConstruct, team: TeamInEnvironment, cluster: Cluster, parts: ReadonlySet<OnboardingPart>, problems: PlatformProblems,
): void {
  const known = taken.get(root) ?? new Map<string, Claim>();
  taken.set(root, known);
  const claim = (what: string, value: string): Claim => {
    const key = [what, cluster.oidcIssuerUrl, value].join('\n');
    const made = known.get(key) ?? { team, parts: new Set() };
    known.set(key, made);
    return made;
  };
  const namespace = claim('namespace', team.namespace);
  if (!same(namespace.team, team) || namespace.team.resourceGroup !== team.resourceGroup) {
    problems.add('namespace', `'${team.namespace}' of cluster '${cluster.name}' is that of ${named(namespace.team)} too. Give each team in each environment a namespace of its own, by its name or by namespace.`);
  } else {
    const twice = [...parts].filter((part) => namespace.parts.has(part));
    if (twice.length > 0) problems.add('namespace', `'${team.namespace}' is onboarded by another construct already, which makes ${twice.join(', ')} too. Onboard the team once, or give each construct parts of its own (only, without).`);
  }
  team.resourceGroups.forEach(({ name }, index) => {
    const group = claim('resourceGroup', team._groupId(name).toLowerCase());
    if (same(group.team, team)) return;
    const field = index === 0 ? 'resourceGroup' : `resourceGroups[${index - 1}]`;
    problems.add(field, `'${name}' is that of ${named(group.team)} too. Give each team a resource group of its own: a team is Contributor of the whole group.`);
  });
  for (const part of parts) namespace.parts.add(part);
}

function same(one: TeamInEnvironment, other: TeamInEnvironment): boolean {
  const { name, instance } = one.environment;
  return one.team.name === other.team.name && name === other.environment.name && instance === other.environment.instance;
}

function named({ team, resourceGroup, environment }: TeamInEnvironment): string {
  return `team '${team.name}' (resource group '${resourceGroup}') in '${environment.name}${environment.instance}'`;
}
