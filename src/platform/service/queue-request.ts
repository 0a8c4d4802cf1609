import type { Lifecycle } from './lifecycle';
import { QueueRole } from './roles';

/**
 * Settings of a queue, under the names of Azure. Times are ISO 8601 durations.
 * @see https://learn.microsoft.com/azure/templates/microsoft.servicebus/namespaces/queues
 */
export interface QueueSettings {
  /**
   * How long a queue that nobody uses is kept, e.g. `P30D`.
   * @default - for ever
   */
  readonly autoDeleteOnIdle?: string;
  /**
   * Whether messages that expire go to the dead-letter queue.
   * @default false
   */
  readonly deadLetteringOnMessageExpiration?: boolean;
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
   * Whether the queue is partitioned. Cannot be changed.
   * @default false
   */
  readonly enablePartitioning?: boolean;
  /**
   * The queue or topic to which dead-lettered messages go: its name in Azure.
   * @default - none
   */
  readonly forwardDeadLetteredMessagesTo?: string;
  /**
   * The queue or topic to which messages go: its name in Azure.
   * @default - none
   */
  readonly forwardTo?: string;
  /**
   * How long a receiver has a message for itself; five minutes at most.
   * @default PT1M
   */
  readonly lockDuration?: string;
  /**
   * How often a message is delivered before it goes to the dead-letter queue.
   * @default 10
   */
  readonly maxDeliveryCount?: number;
  /**
   * Size of a message at most; more than 1024 needs the Premium tier.
   * @default 1024
   */
  readonly maxMessageSizeInKilobytes?: number;
  /**
   * Size of the queue.
   * @default 1024
   */
  readonly maxSizeInMegabytes?: number;
  /**
   * Whether duplicates are dropped. Cannot be changed.
   * @default false
   */
  readonly requiresDuplicateDetection?: boolean;
  /**
   * Whether messages belong to sessions. Cannot be changed.
   * @default false
   */
  readonly requiresSession?: boolean;
}

/** What a queue is like, and who may use it. */
export interface QueueOptions extends Lifecycle {
  /**
   * Whether the service has the queue. If not, it is another service's of the same team, and only roles are given.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * What the service may do with the queue.
   * @default - nothing
   */
  readonly roles?: QueueRole[];
  /**
   * Settings.
   * @default - as each setting says
   */
  readonly settings?: QueueSettings;
}

/** A queue that a service asks for. */
export interface QueueRequest extends QueueOptions {
  /** What the team calls the queue. The name in Azure has the team's namespace before it. */
  readonly name: string;
}
