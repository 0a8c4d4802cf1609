import type { Environment } from './environment';
import type { Grant } from './grant';
import { PlatformProblems } from './problems';
import type { Quotas } from './quotas';
import type { Team, TeamOverrides } from './team';

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A team in an environment: what `TeamOnboarding` and `Service` are made for. */
export class TeamInEnvironment {
  /** The team. */
  public readonly team: Team;
  /** The environment. */
  public readonly environment: Environment;
  /** The team's namespace. */
  public readonly namespace: string;
  /** Name of the team's resource group. */
  public readonly resourceGroup: string;
  /** How much of the cluster the team may use. */
  public readonly quotas: Quotas;
  /** The roles of the team's identity besides that on its own group. */
  public readonly grants: Grant[];

  /**
   * Use `team.in(environment)`.
   * @param team the team
   * @param environment the environment
   * @param overrides what differs there
   * @throws when a value is missing or malformed
   */
  public constructor(team: Team, environment: Environment, overrides: TeamOverrides) {
    this.team = team;
    this.environment = environment;
    const { props } = team;
    this.namespace = overrides.namespace ?? props.namespace ?? environment.naming.namespace(environment, team);
    this.resourceGroup = overrides.resourceGroup ?? props.resourceGroup ?? environment.naming.resourceGroup(environment, team);
    this.quotas = { ...props.quotas, ...overrides.quotas };
    this.grants = [...(props.grants ?? []), ...(overrides.grants ?? [])];
    const problems = new PlatformProblems(`Team '${team.name}' in '${environment.name}'`);
    if (!LABEL.test(this.namespace)) problems.add('namespace', `'${this.namespace}' is no DNS label. Write lower-case letters, digits and '-', 63 characters at most.`);
    if (this.namespace === environment.platformNamespace) problems.add('namespace', `'${this.namespace}' is the platform's own namespace. Give the team one of its own.`);
    problems.require('resourceGroup', this.resourceGroup, 'Give the name of the team\'s resource group, or leave it to the naming strategy.');
    problems.throwIfAny();
  }

  /** ARM id of the team's resource group. */
  public get resourceGroupId(): string {
    return `/subscriptions/${this.environment.subscriptionId}/resourceGroups/${this.resourceGroup}`;
  }
}
