import type { QueueRole, StorageRole, TopicRole } from './roles';
import type { IAzureResourceRef } from '../../core';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** What an offer consists of. */
interface OfferFacts {
  readonly by: TeamInEnvironment;
  readonly to: TeamInEnvironment;
  readonly on: IAzureResourceRef;
  readonly resource: string;
  readonly roles: (QueueRole | TopicRole | StorageRole)[];
}

/**
 * One half of a grant across teams: its owner offers a role on something to another team. It becomes a grant when a service of that team
 * accepts it with `service.use(offer)`; the role assignment is made with that service.
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
  /** On what. */
  public readonly on: IAzureResourceRef;
  /** How that is called in Azure. */
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
