import { Construct } from 'constructs';
import { explicit, withDefaults } from './explicit';
import { Offer } from './offer';
import { noteProblems } from './request-problems';
import { checkRoles } from './role-definitions';
import { TopicRole } from './roles';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { checkReference, checkSettings, flags, type SettingNames } from './settings';
import { Subscription, type SubscriptionOptions, type SubscriptionRequest } from './subscription';
import type { TopicSettings, TopicRequest } from './topic-request';
import type { AzureResourceReference, IAzureResourceRef, RoleGrant } from '../../core';
import { Namespace } from '../../services/servicebus/namespace';
import { NamespacesTopic } from '../../services/servicebus/namespaces-topic';
import { elementAt } from '../../util/elements';
import { PlatformProblems } from '../model/problems';
import type { TeamInEnvironment } from '../model/team-in-environment';

const KIND: Kind = ['servicebus.azure.com', 'NamespacesTopic'];

const DEFAULTS = {
  defaultMessageTimeToLive: 'P14D',
  duplicateDetectionHistoryTimeWindow: 'PT10M',
  enableBatchedOperations: true,
  enableExpress: false,
  enablePartitioning: false,
  maxMessageSizeInKilobytes: 1024,
  maxSizeInMegabytes: 1024,
  requiresDuplicateDetection: false,
  supportOrdering: true,
} satisfies TopicSettings;

const SETTINGS: SettingNames<TopicSettings> = { ...flags(DEFAULTS), autoDeleteOnIdle: true };

/** A topic in the shared Service Bus namespace. */
export class Topic extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(service: Service, request: TopicRequest, field: string, problems: PlatformProblems): Topic | undefined {
    const { shared } = service.team.environment;
    problems.require(`${field}.name`, request.name, 'Give the topic a name.');
    if (!shared.serviceBus) {
      problems.add('shared.serviceBus', 'required for topics. Give the environment a Service Bus namespace, or leave topics out there.');
    }
    checkRoles(request.roles, TopicRole, field, problems);
    if (request.owned === false) checkReference(request, ['settings', 'removalPolicy', 'reconcilePolicy'], 'topic', field, problems);
    else checkSettings(request.settings, SETTINGS, field, problems);
    checkNamesDiffer(request.subscriptions ?? [], field, problems);
    return request.name && shared.serviceBus ? new Topic(service, request, field, problems) : undefined;
  }

  /** The team's name for the topic. */
  public readonly topicName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The topic's object, if the service owns the topic. */
  public readonly resource?: NamespacesTopic;
  /** Reference to the topic. */
  public readonly azureResourceRef: AzureResourceReference;
  private readonly service: Service;

  private constructor(service: Service, request: TopicRequest, field: string, problems: PlatformProblems) {
    super(service, `topic-${request.name.toLowerCase()}`);
    const { team } = service;
    const { environment } = team;
    const names = environment.naming.topic(team, request.name);
    const namespaceId = environment.armIdOf(environment.shared.serviceBus!);
    this.service = service;
    this.topicName = request.name;
    this.azureName = names.azureName;
    this.armId = `${namespaceId}/topics/${names.azureName}`;
    this.azureResourceRef = { armId: this.armId };
    if (request.owned !== false) {
      this.resource = new NamespacesTopic(this, 'resource', {
        ...service._objects.inTeam(KIND, names.objectName, request),
        azureName: names.azureName,
        owner: Namespace.fromArmId(namespaceId),
        ...explicit(withDefaults<TopicSettings>(DEFAULTS, request.settings)),
      });
      noteProblems(this.resource, { 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.settings` }, problems);
    }
    (request.subscriptions ?? []).forEach((subscription, index) =>
      this.subscribe(subscription, `${field}.subscriptions[${index}]`, problems),
    );
    if (problems.none) service._grants.give({ armId: this.armId, name: this.azureName }, request.roles ?? []);
  }

  /**
   * Adds a subscription.
   * @param name the team's name for the subscription
   * @param options settings and rules of the subscription
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public addSubscription(name: string, options: SubscriptionOptions = {}): Subscription {
    const problems = new PlatformProblems(`[${this.node.path}] Topic '${this.topicName}'`);
    const field = `subscriptions['${name}']`;
    if (name && this.node.tryFindChild(`subscription-${name.toLowerCase()}`)) {
      problems.add(`${field}.name`, "is another subscription's name too. Give each its own.");
    }
    problems.throwIfAny();
    const subscription = this.subscribe({ ...options, name }, field, problems);
    problems.throwIfAny();
    return subscription!;
  }

  /**
   * Grants a service of the same team a role on the topic.
   * @param service the service
   * @param role the role
   * @throws when the service belongs to another team, which needs an offer
   */
  public grant(service: Service, role: TopicRole): RoleGrant {
    assertOwnTeam(this.service.team, service.team, `Topic '${this.topicName}'`, this);
    return elementAt(service._grants.give({ armId: this.armId, name: this.azureName }, [role]), 0);
  }

  /**
   * Offers roles on the topic to another team. They are assigned only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param roles the offered roles
   * @throws when the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, ...roles: TopicRole[]): Offer {
    assertSameEnvironment(this.service.team, team, `Topic '${this.topicName}'`);
    return Offer._of({ by: this.service.team, to: team, on: this, resource: this.azureName, roles });
  }

  private subscribe(request: SubscriptionRequest, field: string, problems: PlatformProblems): Subscription | undefined {
    const { topicName: name, armId, resource } = this;
    return Subscription._of(this, this.service._objects, { name, armId, resource }, request, field, problems);
  }
}

function checkNamesDiffer(subscriptions: readonly SubscriptionRequest[], field: string, problems: PlatformProblems): void {
  const names = new Set<string>();
  subscriptions.forEach(({ name }, index) => {
    const key = String(name).toLowerCase();
    if (name && names.has(key)) {
      problems.add(`${field}.subscriptions[${index}].name`, `'${name}' is another subscription's name too. Give each its own.`);
    }
    names.add(key);
  });
}
