import type { QueueRole, StorageRole, TopicRole } from './roles';
import type { IAzureResourceRef } from '../../core';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** The content of an offer. */
interface OfferFacts {
  readonly by: TeamInEnvironment;
  readonly to: TeamInEnvironment;
  readonly on: IAzureResourceRef;
  readonly resource: string;
  readonly roles: (QueueRole | TopicRole | StorageRole)[];
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
  private readonly roles: OfferFacts['roles'];

  private constructor({ by, to, on, resource, roles }: OfferFacts) {
    this.by = by;
    this.to = to;
    this.on = on;
    this.resourceName = resource;
    this.roles = roles;
    this.roleNames = [...roles];
  }

  /** @internal */
  public get _roles(): OfferFacts['roles'] {
    return this.roles;
  }
}
