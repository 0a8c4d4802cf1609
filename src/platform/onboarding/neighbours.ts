import type { IConstruct } from 'constructs';
import type { Cluster } from '../model/cluster';
import type { PlatformProblems } from '../model/problems';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** App → what teams have taken there, and by whom. */
const taken = new WeakMap<IConstruct, Map<string, TeamInEnvironment>>();

/**
 * Notes what another onboarding of the app has already: two teams in one namespace would share a credential, two in one resource group what
 * is in it. One team may be onboarded by several constructs, each with other parts.
 */
export function checkNeighbours(root: IConstruct, team: TeamInEnvironment, cluster: Cluster, problems: PlatformProblems): void {
  const known = taken.get(root) ?? new Map<string, TeamInEnvironment>();
  taken.set(root, known);
  const claim = (field: string, key: string, what: string, cure: string) => {
    const other = known.get(key);
    if (other === undefined) {known.set(key, team);} else if (!same(other, team)) {
      problems.add(field, `${what} is that of team '${other.team.name}' in '${other.environment.name}' too. ${cure}`);
    }
  };
  const at = cluster.oidcIssuerUrl;
  claim('namespace', `namespace\n${at}\n${team.namespace}`, `'${team.namespace}' of cluster '${cluster.name}'`, 'Give each team in each environment a namespace of its own, by its name or by namespace.');
  claim('resourceGroup', `group\n${at}\n${team.resourceGroupId.toLowerCase()}`, `'${team.resourceGroup}'`, 'Give each team a resource group of its own: a team is Contributor of the whole group.');
}

function same(one: TeamInEnvironment, other: TeamInEnvironment): boolean {
  const { name, instance } = one.environment;
  return one.team.name === other.team.name && name === other.environment.name && instance === other.environment.instance;
}
