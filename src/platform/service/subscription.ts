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

const KIND: Kind = ['servicebus.azure.com', 'NamespacesTopicsSubscription'];

/**
 * Settings of a subscription, under the names of Azure. Times are ISO 8601 durations.
 * @see https://learn.microsoft.com/azure/templates/microsoft.servicebus/namespaces/topics/subscriptions
 */
export interface SubscriptionSettings {
  /**
   * How long a subscription that nobody uses is kept.
   * @default - for ever
   */
  readonly autoDeleteOnIdle?: string;
  /**
   * Whether messages go to the dead-letter queue on which a filter fails.
   * @default false
   */
  readonly deadLetteringOnFilterEvaluationExceptions?: boolean;
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
   * How far back duplicates are looked for.
   * @default PT10M
   */
  readonly duplicateDetectionHistoryTimeWindow?: string;
  /**
   * Whether the server batches operations.
   * @default true
   */
  readonly enableBatchedOperations?: boolean;
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
   * Whether the subscription belongs to one client id of JMS.
   * @default false
   */
  readonly isClientAffine?: boolean;
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
   * Whether messages belong to sessions. Cannot be changed.
   * @default false
   */
  readonly requiresSession?: boolean;
}

/** What a subscription is like. */
export interface SubscriptionOptions extends Lifecycle {
  /**
   * Settings.
   * @default - as each setting says
   */
  readonly settings?: SubscriptionSettings;
  /**
   * Which messages the subscription gets: those that pass any of its rules.
   * @default - all messages
   */
  readonly rules?: RuleRequest[];
}

/** A subscription that a service asks for. */
export interface SubscriptionRequest extends SubscriptionOptions {
  /** What the team calls the subscription. */
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
  readonly name: string;
  readonly armId: string;
  readonly resource?: NamespacesTopic;
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

  /** What the team calls the subscription. */
  public readonly subscriptionName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The subscription's object. */
  public readonly resource: NamespacesTopicsSubscription;
  private readonly objects: ServiceObjects;
  private readonly topicName: string;

  private constructor(
    scope: Construct, objects: ServiceObjects, topic: TopicOfSubscription, request: SubscriptionRequest, field: string, problems: PlatformProblems,
  ) {
    super(scope, `subscription-${request.name.toLowerCase()}`);
    const { team } = objects.id;
    const names = team.environment.naming.subscription(team, topic.name, request.name);
    this.objects = objects;
    this.topicName = topic.name;
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
    (request.rules ?? []).forEach((rule, index) => this.make(rule, `${field}.rules[${index}]`, problems));
  }

  /**
   * Adds a rule.
   * @param name name of the rule
   * @param options which messages pass
   * @throws when there is no filter, or there are two
   */
  public addRule(name: string, options: RuleOptions): NamespacesTopicsSubscriptionsRule {
    const problems = new PlatformProblems(`[${this.node.path}] Subscription '${this.subscriptionName}'`);
    const field = `rules['${name}']`;
    checkRule({ ...options, name }, field, problems);
    if (this.node.tryFindChild(`rule-${name.toLowerCase()}`)) problems.add(`${field}.name`, 'is another rule\'s name too. Give each its own.');
    problems.throwIfAny();
    const rule = this.make({ ...options, name }, field, problems);
    problems.throwIfAny();
    return rule;
  }

  private make(request: RuleRequest, field: string, problems: PlatformProblems): NamespacesTopicsSubscriptionsRule {
    const { objects, topicName: topic, subscriptionName: subscription } = this;
    const owner = objects.owner(this.resource, (id) => NamespacesTopicsSubscription.fromArmId(id), this.armId);
    return makeRule({ scope: this, objects, topic, subscription, owner }, request, field, problems);
  }
}

function checkSubscription({ name, settings, rules = [] }: SubscriptionRequest, field: string, problems: PlatformProblems): void {
  problems.require(`${field}.name`, name, 'Give the subscription a name.');
  checkSettings(settings, SETTINGS, field, problems);
  const names = new Set<string>();
  rules.forEach((rule, index) => {
    checkRule(rule, `${field}.rules[${index}]`, problems);
    const key = String(rule.name).toLowerCase();
    if (rule.name && names.has(key)) problems.add(`${field}.rules[${index}].name`, `'${rule.name}' is another rule's name too. Give each its own.`);
    names.add(key);
  });
}
