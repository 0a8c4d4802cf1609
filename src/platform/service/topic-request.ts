import type { Lifecycle } from './lifecycle';
import { TopicRole } from './roles';
import type { SubscriptionRequest } from './subscription';

/**
 * Settings of a topic, under the names of Azure. Times are ISO 8601 durations.
 * @see https://learn.microsoft.com/azure/templates/microsoft.servicebus/namespaces/topics
 */
export interface TopicSettings {
  /**
   * How long a topic that nobody uses is kept.
   * @default - for ever
   */
  readonly autoDeleteOnIdle?: string;
  /**
   * How long messages live that do not say it themselves.
   * @default P14D
   */
  readonly defaultMessageTimeToLive?: string;
  /**
   * How far back duplicates are looked for, if `requiresDuplicateDetection`.
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
   * Size of a message at most; more than 1024 needs the Premium tier.
   * @default 1024
   */
  readonly maxMessageSizeInKilobytes?: number;
  /**
   * Size of the topic.
   * @default 1024
   */
  readonly maxSizeInMegabytes?: number;
  /**
   * Whether duplicates are dropped. Cannot be changed.
   * @default false
   */
  readonly requiresDuplicateDetection?: boolean;
  /**
   * Whether messages keep their order.
   * @default true
   */
  readonly supportOrdering?: boolean;
}

/** What a topic is like, who may use it, and its subscriptions. */
export interface TopicOptions extends Lifecycle {
  /**
   * Whether the service has the topic. If not, it is another service's of the same team: roles are given, and subscriptions are made.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * What the service may do with the topic.
   * @default - nothing
   */
  readonly roles?: TopicRole[];
  /**
   * Settings.
   * @default - as each setting says
   */
  readonly settings?: TopicSettings;
  /**
   * Subscriptions.
   * @default - none
   */
  readonly subscriptions?: SubscriptionRequest[];
}

/** A topic that a service asks for. */
export interface TopicRequest extends TopicOptions {
  /** What the team calls the topic. The name in Azure has the team's namespace before it. */
  readonly name: string;
}
