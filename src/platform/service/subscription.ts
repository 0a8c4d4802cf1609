import { Construct } from 'constructs';
import { explicit, withDefaults } from './explicit';
import type { Lifecycle } from './lifecycle';
import { makeRule } from './make-rule';
import { noteProblems } from './request-problems';
import { checkRule, type RuleOptions, type RuleRequest } from './rule';
import type { Kind, ServiceObjects } from './service-objects';
import { checkSettings, flags, type SettingNames } from './settings';
import { NamespacesTopic } from '../../services/servicebus/namespaces-topic';
import { NamespacesTopicsSubscription } from '../../services/servicebus/namespaces-topics-subscription';
import type { NamespacesTopicsSubscriptionsRule } from '../../services/servicebus/namespaces-topics-subscriptions-rule';
import { PlatformProblems } from '../model/problems';
import type { SharedResourceOfTeam } from '../naming/service-naming';

const KIND: Kind = ['servicebus.azure.com', 'NamespacesTopicsSubscription'];
const RULES: readonly Kind[] = [['servicebus.azure.com', 'NamespacesTopicsSubscriptionsRule']];

/**
 * Settings of a subscription, with Azure's names. Times are ISO 8601 durations.
 * @see https://learn.microsoft.com/azure/templates/microsoft.servicebus/namespaces/topics/subscriptions
 */
export interface SubscriptionSettings {
  /**
   * Idle time after which Azure deletes the subscription.
   * @default - never
   */
  readonly autoDeleteOnIdle?: string;
  /**
   * Whether messages go to the dead-letter queue if the evaluation of a filter fails.
   * @default false
   */
  readonly deadLetteringOnFilterEvaluationExceptions?: boolean;
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
   * Time window for detecting duplicates.
   * @default PT10M
   */
  readonly duplicateDetectionHistoryTimeWindow?: string;
  /**
   * Whether the server batches operations.
   * @default true
   */
  readonly enableBatchedOperations?: boolean;
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
   * Whether the subscription belongs to a single JMS client id.
   * @default false
   */
  readonly isClientAffine?: boolean;
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
   * Whether the subscription supports sessions. Cannot be changed.
   * @default false
   */
  readonly requiresSession?: boolean;
}

/** Settings of a subscription. */
export interface SubscriptionOptions extends Lifecycle {
  /**
   * Settings of the subscription in Azure.
   * @default - the default of each setting
   */
  readonly settings?: SubscriptionSettings;
  /**
   * Filters of the subscription's messages: a message must pass at least one rule.
   * @default - all messages
   */
  readonly rules?: RuleRequest[];
}

/** A subscription of a service. */
export interface SubscriptionRequest extends SubscriptionOptions {
  /** The team's name for the subscription. */
  readonly name: string;
}

const DEFAULTS = {
  deadLetteringOnFilterEvaluationExceptions: false,
  deadLetteringOnMessageExpiration: false,
  defaultMessageTimeToLive: 'P14D',
  duplicateDetectionHistoryTimeWindow: 'PT10M',
  enableBatchedOperations: true,
  isClientAffine: false,
  lockDuration: 'PT1M',
  maxDeliveryCount: 10,
  requiresSession: false,
} satisfies SubscriptionSettings;

const SETTINGS: SettingNames<SubscriptionSettings> = {
  ...flags(DEFAULTS), autoDeleteOnIdle: true, forwardDeadLetteredMessagesTo: true, forwardTo: true,
};

/** The topic of a subscription. */
interface TopicOfSubscription {
  readonly of: SharedResourceOfTeam;
  readonly armId: string;
  readonly resource?: NamespacesTopic | undefined;
}

/** A subscription of a topic. */
export class Subscription extends Construct {
  /** @internal */
  public static _of(
    scope: Construct, objects: ServiceObjects, topic: TopicOfSubscription,
    request: SubscriptionRequest, field: string, problems: PlatformProblems,
  ): Subscription | undefined {
    checkSubscription(request, field, problems);
    return problems.none ? new Subscription(scope, objects, topic, request, field, problems) : undefined;
  }

  /** The team's name for the subscription. */
  public readonly subscriptionName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The subscription's object. */
  public readonly resource: NamespacesTopicsSubscription;
  private readonly objects: ServiceObjects;
  private readonly topic: SharedResourceOfTeam;

  private constructor(
    scope: Construct,
    objects: ServiceObjects,
    topic: TopicOfSubscription,
    request: SubscriptionRequest,
    field: string,
    problems: PlatformProblems,
  ) {
    super(scope, `subscription-${request.name.toLowerCase()}`);
    const { team } = objects.id;
    const names = team.environment.naming.subscription(topic.of, request.name);
    this.objects = objects;
    this.topic = topic.of;
    this.subscriptionName = request.name;
    this.azureName = names.azureName;
    this.armId = `${topic.armId}/subscriptions/${names.azureName}`;
    this.resource = new NamespacesTopicsSubscription(this, 'resource', {
      ...objects.plain(KIND, names.objectName, team.namespace, request),
      azureName: names.azureName,
      owner: objects.owner(topic.resource, (id) => NamespacesTopic.fromArmId(id), topic.armId),
      ...explicit(withDefaults<SubscriptionSettings>(DEFAULTS, request.settings)),
    });
    noteProblems(this.resource, { 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.settings` }, problems);
    objects.endContents(this, RULES, request);
    (request.rules ?? []).forEach((rule, index) => this.make(rule, `${field}.rules[${index}]`, problems));
  }

  /**
   * Adds a rule.
   * @param name name of the rule
   * @param options the filter
   * @throws when the rule has no filter, or two
   */
  public addRule(name: string, options: RuleOptions): NamespacesTopicsSubscriptionsRule {
    const problems = new PlatformProblems(`[${this.node.path}] Subscription '${this.subscriptionName}'`);
    const field = `rules['${name}']`;
    checkRule({ ...options, name }, field, problems);
    if (this.node.tryFindChild(`rule-${name.toLowerCase()}`)) {
      problems.add(`${field}.name`, "is another rule's name too. Give each its own.");
    }
    problems.throwIfAny();
    const rule = this.make({ ...options, name }, field, problems);
    problems.throwIfAny();
    return rule;
  }

  private make(request: RuleRequest, field: string, problems: PlatformProblems): NamespacesTopicsSubscriptionsRule {
    const { objects, topic, subscriptionName: subscription } = this;
    const owner = objects.owner(this.resource, (id) => NamespacesTopicsSubscription.fromArmId(id), this.armId);
    return makeRule({ scope: this, objects, topic, subscription, owner }, request, field, problems);
  }
}

function checkSubscription({ name, settings, rules = [] }: SubscriptionRequest, field: string, problems: PlatformProblems): void {
  problems.requireName(`${field}.name`, name, 'Give the subscription a name.');
  checkSettings(settings, SETTINGS, field, problems);
  const names = new Set<string>();
  rules.forEach((rule, index) => {
    checkRule(rule, `${field}.rules[${index}]`, problems);
    const key = String(rule.name).toLowerCase();
    if (rule.name && names.has(key)) {
      problems.add(`${field}.rules[${index}].name`, `'${rule.name}' is another rule's name too. Give each its own.`);
    }
    names.add(key);
  });
}
