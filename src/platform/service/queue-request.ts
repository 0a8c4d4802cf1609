import type { Lifecycle } from './lifecycle';
import { QueueRole } from './roles';

/**
 * Settings of a queue, with Azure's names. Times are ISO 8601 durations.
 * @see https://learn.microsoft.com/azure/templates/microsoft.servicebus/namespaces/queues
 */
export interface QueueSettings {
  /**
   * Idle time after which Azure deletes the queue, e.g. `P30D`.
   * @default - never
   */
  readonly autoDeleteOnIdle?: string;
  /**
   * Whether expired messages go to the dead-letter queue.
   * @default false
   */
  readonly deadLetteringOnMessageExpiration?: boolean;
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
   * Whether the queue is partitioned. Cannot be changed.
   * @default false
   */
  readonly enablePartitioning?: boolean;
  /**
   * Azure name of the queue or topic to which dead-lettered messages are forwarded.
   * @default - none
   */
  readonly forwardDeadLetteredMessagesTo?: string;
  /**
   * Azure name of the queue or topic to which messages are forwarded.
   * @default - none
   */
  readonly forwardTo?: string;
  /**
   * Time for which a message is locked for its receiver; at most five minutes.
   * @default PT1M
   */
  readonly lockDuration?: string;
  /**
   * Number of deliveries of a message before it goes to the dead-letter queue.
   * @default 10
   */
  readonly maxDeliveryCount?: number;
  /**
   * Maximum size of a message; more than 1024 needs the Premium tier.
   * @default 1024
   */
  readonly maxMessageSizeInKilobytes?: number;
  /**
   * Maximum size of the queue.
   * @default 1024
   */
  readonly maxSizeInMegabytes?: number;
  /**
   * Whether Azure drops duplicates. Cannot be changed.
   * @default false
   */
  readonly requiresDuplicateDetection?: boolean;
  /**
   * Whether the queue supports sessions. Cannot be changed.
   * @default false
   */
  readonly requiresSession?: boolean;
}

/** Settings of a queue, and the service's roles on it. */
export interface QueueOptions extends Lifecycle {
  /**
   * Name of the shared Service Bus namespace.
   * @default - the only one that the team uses
   */
  readonly on?: string;
  /**
   * Whether the service owns the queue. If not, another service of the same team owns it, and only roles are assigned.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * The service's roles on the queue.
   * @default - none
   */
  readonly roles?: QueueRole[];
  /**
   * Settings of the queue in Azure.
   * @default - the default of each setting
   */
  readonly settings?: QueueSettings;
}

/** A queue of a service. */
export interface QueueRequest extends QueueOptions {
  /** The team's name for the queue. The Azure name has the team's namespace as prefix. */
  readonly name: string;
}
