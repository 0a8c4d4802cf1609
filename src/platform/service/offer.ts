import type { GrantTarget } from './grant-target';
import type { IAzureResourceRef } from '../../core';
import type { SharedRole } from '../model/shared-role';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** The content of an offer. */
interface OfferFacts {
  readonly by: TeamInEnvironment;
  readonly to: TeamInEnvironment;
  readonly on: IAzureResourceRef;
  readonly target: GrantTarget;
  readonly roleNames: readonly string[];
  readonly roles: readonly SharedRole[];
}

/**
 * One half of a grant across teams: the owner of a resource offers a role on it to another team. The grant is complete when a service of
 * that team accepts it with `service.use(offer)`, which creates the role assignment.
 */
export class Offer {
  /** @internal */
  public static _of(facts: OfferFacts): Offer {
    return new Offer(facts);
  }

  /** The team that offers. */
  public readonly by: TeamInEnvironment;
  /** The team that may accept. */
  public readonly to: TeamInEnvironment;
  /** The offered resource. */
  public readonly on: IAzureResourceRef;
  /** Name of the offered resource in Azure. */
  public readonly resourceName: string;
  /** Names of the roles in the catalogue. */
  public readonly roleNames: string[];

  private constructor(private readonly facts: OfferFacts) {
    this.by = facts.by;
    this.to = facts.to;
    this.on = facts.on;
    this.resourceName = facts.target.azureName;
    this.roleNames = [...facts.roleNames];
  }

  /** @internal */
  public get _target(): GrantTarget {
    return this.facts.target;
  }

  /** @internal */
  public get _roles(): readonly SharedRole[] {
    return this.facts.roles;
  }
}
