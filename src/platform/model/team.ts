import type { Environment } from './environment';
import type { Grant } from './grant';
import type { Offboarding } from './offboarding';
import { PlatformProblems } from './problems';
import type { Quotas } from './quotas';
import { reservedEverywhere } from './reserved-namespaces';
import type { SharedService } from './shared-service';
import { TeamInEnvironment } from './team-in-environment';
import { DNS_LABEL } from '../../azure/dns-name';


const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** What may differ from environment to environment. */
export interface TeamOverrides {
  /**
   * The team's namespace.
   * @default - as the naming strategy has it
   */
  readonly namespace?: string;
  /**
   * Name of the team's resource group.
   * @default - as the naming strategy has it
   */
  readonly resourceGroup?: string;
  /**
   * How much of the cluster the team may use.
   * @default - as the team has it everywhere
   */
  readonly quotas?: Quotas;
  /**
   * Shared services that the team uses: its identity gets the role on them that the environment chose. What an environment adds
   * comes to what the team uses everywhere.
   * @default - none
   */
  readonly uses?: SharedService[];
  /**
   * Roles besides those that the team has everywhere.
   * @default - none
   */
  readonly grants?: Grant[];
  /**
   * The team is about to leave: what becomes of its resources in Azure when its objects are deleted. Apply that first, then take the team from
   * the list. On passive clusters everything only watches all the same.
   * @default - the team stays: each resource has its own policy
   */
  readonly offboarding?: Offboarding;
}

/** What a team is. */
export interface TeamProps extends TeamOverrides {
  /** Name of the team, a DNS label, e.g. `fin-ledger`. Its namespace, group and identity are called after it. */
  readonly name: string;
  /**
   * How the team is called in labels.
   * @default - `<name>-team`
   */
  readonly displayName?: string;
  /**
   * The programme that the team belongs to.
   * @default - none
   */
  readonly programme?: string;
  /**
   * Finance code of the team's services, for tags.
   * @default - none
   */
  readonly serviceCode?: string;
  /**
   * Groups of Entra (object ids) or of the cluster's identity provider whose members are the team.
   * @default - none: nobody but the platform may write to the namespace
   */
  readonly groups?: string[];
  /**
   * Tags of everything of the team that can have tags.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
}

/** A team: a plain value that is checked once. `team.in(environment)` is what can be onboarded. */
export class Team {
  /** Name of the team. */
  public readonly name: string;
  /** How the team is called in labels. */
  public readonly displayName: string;
  /** What it was made from. */
  public readonly props: TeamProps;

  /**
   * @param props what the team is
   * @throws when a value is missing or malformed
   */
  public constructor(props: TeamProps) {
    const problems = new PlatformProblems(`Team '${props.name}'`);
    if (!DNS_LABEL.test(props.name ?? '')) problems.add('name', `'${props.name ?? ''}' is no DNS label. Write lower-case letters, digits and '-', 63 characters at most.`);
    const reserved = reservedEverywhere(props.name ?? '');
    if (reserved !== undefined) problems.add('name', `'${props.name}' is reserved: ${reserved}. Give the team another name.`);
    this.displayName = props.displayName ?? `${props.name ?? ''}-team`;
    if (!LABEL_VALUE.test(this.displayName)) {
      problems.add('displayName', `'${this.displayName}' is no label value. Write letters, digits, '-', '_' and '.', a letter or digit first and last, 63 characters at most.`);
    }
    problems.throwIfAny();
    this.name = props.name;
    this.props = props;
  }

  /**
   * The team in an environment.
   * @param environment the environment
   * @param overrides what differs there
   * @throws when a value is missing or malformed
   */
  public in(environment: Environment, overrides: TeamOverrides = {}): TeamInEnvironment {
    return new TeamInEnvironment(this, environment, overrides);
  }

  /**
   * A namespace of its own for a developer or a branch, with a resource group and an identity of its own: a team that is called
   * `<team>-<name>` and is otherwise like this one.
   * @param name what is appended, e.g. `alice`
   * @param overrides what differs
   * @throws when the name is malformed
   */
  public workspace(name: string, overrides: TeamOverrides = {}): Team {
    const { namespace: _namespace, resourceGroup: _resourceGroup, ...props } = this.props;
    return new Team({
      ...props,
      ...overrides,
      name: `${this.name}-${name}`,
      displayName: this.displayName,
      quotas: { ...props.quotas, ...overrides.quotas },
      uses: [...(props.uses ?? []), ...(overrides.uses ?? [])],
      grants: [...(props.grants ?? []), ...(overrides.grants ?? [])],
    });
  }
}
