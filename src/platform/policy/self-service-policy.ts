import { IConstruct } from 'constructs';
import { problemsIn } from './check-objects';
import { componentCatalogue } from './component-catalogue';
import type { ComponentPolicies } from './component-policies';
import type { Limit } from './limit';
import { limitsOf } from './limits';
import { markAsPlatformMade } from './platform-made';
import type { SelfServicePolicyProps } from './self-service-options';
import { KnownEntry, knownEntries, TeamPolicy, teamPolicy } from './team-policy';
import type { TeamInEnvironment } from '../model/team-in-environment';

/**
 * The rights of a team to help itself: kinds, regions, SKUs, owners, credentials, roles, exports. A value object that is validated once and
 * may be used for many teams. One table of limits is evaluated at synth (`applyTo`) and by the API server (`SelfServiceGuardRails`).
 *
 * @see https://cdk8s-aso.github.io/cdk8s-aso/guard-rails
 */
export class SelfServicePolicy {
  /**
   * A catalogue of the components that most platforms offer: resource groups, PostgreSQL databases, managed identities, storage accounts
   * and their contents, Service Bus queues, topics, subscriptions and rules, role assignments, Front Door domains and routes.
   * @param props for each component whether teams create it, and whether they manage its base; and the other limits
   * @throws when a value is malformed
   */
  public static ofComponents(props: ComponentPolicies = {}): SelfServicePolicy {
    return new SelfServicePolicy(componentCatalogue(props));
  }

  /**
   * Marks a construct, with all constructs below it, as a platform bundle, wherever it is in the team's app. `applyTo` skips it; the API
   * server does not, unless a user of the platform applies it.
   * @param construct the bundle
   */
  public static madeByPlatform(construct: IConstruct): void {
    markAsPlatformMade(construct);
  }

  /** The properties of the policy. */
  public readonly props: SelfServicePolicyProps;

  private readonly entries: KnownEntry[];
  private claims: Pick<TeamPolicy, 'claimKinds' | 'protectedObjects'> = { claimKinds: [], protectedObjects: [] };

  /**
   * @param props the limits
   * @throws when a kind is unknown, or a value is malformed: one error that lists all problems
   */
  public constructor(props: SelfServicePolicyProps) {
    this.entries = knownEntries(props);
    this.props = props;
  }

  /**
   * Checks at synth all objects that the team creates at and below a construct. Each problem names the object, the limit, the requirement
   * and the team that may change the limit.
   * @param scope the team's chart or app
   * @param team the team, in the environment of the objects
   */
  public applyTo(scope: IConstruct, team: TeamInEnvironment): void {
    const policy = this._for(team);
    const limits = limitsOf(policy);
    scope.node.addValidation({ validate: () => problemsIn(scope, policy, limits) });
  }

  /**
   * The policy for a platform whose teams write claims.
   * @param claims kinds of the claims as `group/resource`, and the objects of their rights in the namespace, as `group/resource/name`
   * @internal
   */
  public _withClaims(claims: Pick<TeamPolicy, 'claimKinds' | 'protectedObjects'>): SelfServicePolicy {
    const policy = new SelfServicePolicy(this.props);
    policy.claims = claims;
    return policy;
  }

  /** @internal */
  public _for(team: TeamInEnvironment): TeamPolicy {
    const policy = teamPolicy(this.props, this.entries, team);
    const { claimKinds, protectedObjects } = this.claims;
    return { ...policy, claimKinds, protectedObjects: [...policy.protectedObjects, ...protectedObjects] };
  }

  /** @internal */
  public _limits(team: TeamInEnvironment): Limit[] {
    return limitsOf(this._for(team));
  }
}
