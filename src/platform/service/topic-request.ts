import type { Lifecycle } from './lifecycle';
import { TopicRole } from './roles';
import type { SubscriptionRequest } from './subscription';

/**
 * Settings of a topic, with Azure's names. Times are ISO 8601 durations.
 * @see https://learn.microsoft.com/azure/templates/microsoft.servicebus/namespaces/topics
 */
export interface TopicSettings {
  /**
   * Idle time after which Azure deletes the topic.
   * @default - never
   */
  readonly autoDeleteOnIdle?: string;
  /**
   * Time to live of messages without one of their own.
   * @default P14D
   */
  readonly defaultMessageTimeToLive?: string;
  /**
   * Time window for detecting duplicates, if `requiresDuplicateDetection`.
   * @default PT10M
   */
  readonly duplicateDetectionHistoryTimeWindow?: string;
  /**
   * Whether the server batches operations.
   * @default true
   */
  readonly enableBatchedOperations?: boolean;
  /**
   * Whether messages are held in memory before they are stored.
   * @default false
   */
  readonly enableExpress?: boolean;
  /**
   * Whether the topic is partitioned. Cannot be changed.
   * @default false
   */
  readonly enablePartitioning?: boolean;
  /**
   * Maximum size of a message; more than 1024 needs the Premium tier.
   * @default 1024
   */
  readonly maxMessageSizeInKilobytes?: number;
  /**
   * Maximum size of the topic.
   * @default 1024
   */
  readonly maxSizeInMegabytes?: number;
  /**
   * Whether Azure drops duplicates. Cannot be changed.
   * @default false
   */
  readonly requiresDuplicateDetection?: boolean;
  /**
   * Whether messages keep their order.
   * @default true
   */
  readonly supportOrdering?: boolean;
}

/** Settings of a topic, the service's roles on it, and its subscriptions. */
export interface TopicOptions extends Lifecycle {
  /**
   * Name of the shared Service Bus namespace.
   * @default - the only one that the team uses
   */
  readonly on?: string;
  /**
   * Whether the service owns the topic. If not, another service of the same team owns it; this service gets roles, and creates
   * subscriptions.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * The service's roles on the topic.
   * @default - none
   */
  readonly roles?: TopicRole[];
  /**
   * Settings of the topic in Azure.
   * @default - the default of each setting
   */
  readonly settings?: TopicSettings;
  /**
   * Subscriptions.
   * @default - none
   */
  readonly subscriptions?: SubscriptionRequest[];
}

/** A topic of a service. */
export interface TopicRequest extends TopicOptions {
  /** The team's name for the topic. The Azure name has the team's namespace as prefix. */
  readonly name: string;
}
