import { IConstruct } from 'constructs';
import { problemsIn } from './check-objects';
import type { Limit } from './limit';
import { limitsOf } from './limits';
import { modelCatalogue } from './model-catalogue';
import type { ModelPlatformPolicyProps } from './model-platform-policy-props';
import { markAsPlatformMade } from './platform-made';
import type { SelfServicePolicyProps } from './self-service-options';
import { KnownEntry, knownEntries, TeamPolicy, teamPolicy } from './team-policy';
import type { TeamInEnvironment } from '../model/team-in-environment';

/**
 * What a team may do by itself: kinds, regions, SKUs, owners, credentials, roles, exports. A plain value that is checked once and may be
 * given to many teams. One table of limits is evaluated at synth (`applyTo`) and by the API server (`SelfServiceGuardRails`).
 *
 * @see https://cdk8s-aso.github.io/cdk8s-aso/guard-rails
 */
export class SelfServicePolicy {
  /**
   * The catalogue of the model platform: resource groups, PostgreSQL databases, managed identities, storage accounts and what is in them, Service
   * Bus queues, topics, subscriptions and rules, role assignments, Front Door domains and routes.
   * @param props for each component whether teams serve themselves, and whether they manage what it is based on; and the other limits
   * @throws when a value is malformed
   */
  public static modelPlatform(props: ModelPlatformPolicyProps = {}): SelfServicePolicy {
    return new SelfServicePolicy(modelCatalogue(props));
  }

  /**
   * Says that a construct, with all below it, is the platform's: what a platform's own bundle makes for a team, wherever in the team's app it
   * stands. `applyTo` passes it by; the API server does not, unless it is applied by somebody of the platform.
   * @param construct the bundle
   */
  public static madeByPlatform(construct: IConstruct): void {
    markAsPlatformMade(construct);
  }

  /** What it was made from. */
  public readonly props: SelfServicePolicyProps;

  private readonly entries: KnownEntry[];

  /**
   * @param props the limits
   * @throws when a kind is not known, or a value is malformed: one error that names all of them
   */
  public constructor(props: SelfServicePolicyProps) {
    this.entries = knownEntries(props);
    this.props = props;
  }

  /**
   * Checks, when the app is synthesized, everything that the team makes at and below a construct. Each finding names the object, the limit,
   * what is asked for and who may change the limit.
   * @param scope the team's chart or app
   * @param team the team, in the environment for which the objects are
   */
  public applyTo(scope: IConstruct, team: TeamInEnvironment): void {
    const policy = this._for(team);
    const limits = limitsOf(policy);
    scope.node.addValidation({ validate: () => problemsIn(scope, policy, limits) });
  }

  /** @internal */
  public _for(team: TeamInEnvironment): TeamPolicy {
    return teamPolicy(this.props, this.entries, team);
  }

  /** @internal */
  public _limits(team: TeamInEnvironment): Limit[] {
    return limitsOf(this._for(team));
  }
}
