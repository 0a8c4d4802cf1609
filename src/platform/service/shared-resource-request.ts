import type { Lifecycle } from './lifecycle';

/** A resource within a resource in a shared service, e.g. a consumer group. */
export interface SharedChildRequest extends Lifecycle {
  /** Name of the resource, which no other team sees. */
  readonly name: string;
  /**
   * Kind, e.g. `NamespacesEventhubsConsumerGroup`.
   * @default - the only kind that the table offers there
   */
  readonly kind?: string;
  /**
   * Properties of the resource in Azure, as in the kind's `spec`.
   * @default - the defaults of the shared service
   */
  readonly settings?: { [property: string]: any };
}

/** A resource in a shared service, or, without a name, roles on the whole service. */
export interface SharedResourceRequest extends Lifecycle {
  /** Name of the shared service, e.g. `event-hubs`. */
  readonly on: string;
  /**
   * The team's name for the resource. The Azure name has the prefix of the team.
   * @default - none: the roles are on the whole service
   */
  readonly name?: string;
  /**
   * Kind, e.g. `NamespacesEventhub`.
   * @default - the only kind that the shared service offers
   */
  readonly kind?: string;
  /**
   * Whether the service owns the resource. If not, another service of the same team owns it; this service gets roles, and creates what is
   * within the resource.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * The service's roles on the resource, by the names in the table of the shared service, e.g. `EventHubSender`.
   * @default - none
   */
  readonly roles?: string[];
  /**
   * Properties of the resource in Azure, as in the kind's `spec`.
   * @default - the defaults of the shared service
   */
  readonly settings?: { [property: string]: any };
  /**
   * Resources within the resource, e.g. the consumer groups of an event hub.
   * @default - none
   */
  readonly children?: SharedChildRequest[];
}
