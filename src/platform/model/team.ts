import type { Environment } from './environment';
import type { Grant } from './grant';
import type { Offboarding } from './offboarding';
import { PlatformProblems } from './problems';
import type { Quotas } from './quotas';
import { reservedEverywhere } from './reserved-namespaces';
import type { PrivateAccess } from './shared-services';
import { TeamInEnvironment } from './team-in-environment';
import type { ExistingTeamIdentities, TeamResourceGroup } from './team-resource-group';
import { DNS_LABEL } from '../../azure/dns-name';


const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Settings of a team that may differ between environments. */
export interface TeamOverrides {
  /**
   * The team's namespace.
   * @default - the name from the naming strategy
   */
  readonly namespace?: string;
  /**
   * Name of the team's resource group.
   * @default - the name from the naming strategy
   */
  readonly resourceGroup?: string;
  /**
   * The subscription of the team's resource groups and identities, a UUID. If it is another one than the environment's, the platform's
   * namespace needs a credential for it: `PlatformCredential` with `subscriptionId`. The operator then creates nothing for the team in
   * shared services of other subscriptions.
   * @default - that of the environment
   */
  readonly subscriptionId?: string;
  /**
   * Region of the team's resource group and identities, e.g. `ukwest`.
   * @default - that of the environment
   */
  readonly location?: string;
  /**
   * Whether the team's resource group exists already. It is not created or deleted then; the team only gets its role on it.
   * @default false
   */
  readonly existingResourceGroup?: boolean;
  /**
   * Further resource groups, e.g. in another region. The team gets the same role on each as on its resource group, and may own resources in
   * each. Those of an environment are added to those for all environments.
   * @default - none
   */
  readonly resourceGroups?: TeamResourceGroup[];
  /**
   * Identities that exist already.
   * @default - none: they are created
   */
  readonly identities?: ExistingTeamIdentities;
  /**
   * Private endpoints of the team's resources in a network of its own that exists already. The subnet may be in any subscription in which
   * the platform's identity may join it, in the region of the resources; private DNS zones are those of the environment.
   * @default - those of the environment (`shared.privateAccess`)
   */
  readonly privateAccess?: PrivateAccess;
  /**
   * The team's resource quotas. Each replaces that of the team for all environments, and this that of the environment.
   * @default - the quotas of the environment
   */
  readonly quotas?: Quotas;
  /**
   * Names of the shared services that the team uses, e.g. `service-bus`: its identity gets the role on them that the environment defines,
   * and its services may ask for what they offer. Those of an environment are added to those for all environments.
   * @default - none
   */
  readonly uses?: string[];
  /**
   * Host names that the team's domains and DNS records may have: `shop.example.com` for that name, `*.ledger.example.com` for all names
   * below `ledger.example.com`. Those of an environment are added to those for all environments.
   * @default - none: the team may have no domain and no DNS record
   */
  readonly hostNames?: string[];
  /**
   * Roles in addition to those for all environments.
   * @default - none
   */
  readonly grants?: Grant[];
  /**
   * The fate of the team's Azure resources when its objects are deleted. Set this if the team is about to leave, apply it, and then remove
   * the team from the list. Objects on passive clusters still only watch.
   * @default - the team stays: each resource has its own policy
   */
  readonly offboarding?: Offboarding;
}

/** Properties of a `Team`. */
export interface TeamProps extends TeamOverrides {
  /** Name of the team, a DNS label, e.g. `fin-ledger`. The names of its namespace, group and identity are derived from it. */
  readonly name: string;
  /**
   * The team's name in labels.
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
   * @default - none: only the platform may write to the namespace
   */
  readonly groups?: string[];
  /**
   * Tags of all taggable resources of the team.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
}

/** A team: a value object that is validated once. `team.in(environment)` returns the input of `TeamOnboarding`. */
export class Team {
  /** Name of the team. */
  public readonly name: string;
  /** The team's name in labels. */
  public readonly displayName: string;
  /** The properties of the team. */
  public readonly props: TeamProps;

  /**
   * @param props name and settings of the team
   * @throws when a value is missing or malformed
   */
  public constructor(props: TeamProps) {
    const problems = new PlatformProblems(`Team '${props.name}'`);
    if (!DNS_LABEL.test(props.name ?? '')) {
      problems.add('name', `'${props.name ?? ''}' is no DNS label. Write lower-case letters, digits and '-', 63 characters at most.`);
    }
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
   * @param overrides settings of the team that differ in the environment
   * @throws when a value is missing or malformed
   */
  public in(environment: Environment, overrides: TeamOverrides = {}): TeamInEnvironment {
    return new TeamInEnvironment(this, environment, overrides);
  }

  /**
   * A workspace for a developer or a branch, with its own namespace, resource group and identity: a team with the name `<team>-<name>` and
   * otherwise the properties of this one.
   * @param name suffix of the name, e.g. `alice`
   * @param overrides properties that differ
   * @throws when the name is malformed
   */
  public workspace(name: string, overrides: TeamOverrides = {}): Team {
    const {
      namespace: _namespace, resourceGroup: _resourceGroup, existingResourceGroup: _existing, resourceGroups: _groups,
      identities: _identities, ...props
    } = this.props;
    return new Team({
      ...props,
      ...overrides,
      name: `${this.name}-${name}`,
      displayName: this.displayName,
      quotas: { ...props.quotas, ...overrides.quotas },
      uses: [...(props.uses ?? []), ...(overrides.uses ?? [])],
      hostNames: [...(props.hostNames ?? []), ...(overrides.hostNames ?? [])],
      grants: [...(props.grants ?? []), ...(overrides.grants ?? [])],
    });
  }
}
