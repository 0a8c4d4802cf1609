import { Construct } from 'constructs';
import { Offer } from './offer';
import { noteProblems } from './request-problems';
import { checkRoles, rolesNamed } from './role-definitions';
import { TopicRole } from './roles';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { checkReference, checkSettings, type SettingNames } from './settings';
import { checkFixed, kindNamed, placeId, placeOf, propertiesOf, sharedServiceFor, type SharedPlace, type SharedTypeNeeded } from './shared-place';
import { Subscription, type SubscriptionOptions, type SubscriptionRequest } from './subscription';
import type { TopicSettings, TopicRequest } from './topic-request';
import type { AzureResourceReference, IAzureResourceRef, RoleGrant } from '../../core';
import { Namespace } from '../../services/servicebus/namespace';
import { NamespacesTopic } from '../../services/servicebus/namespaces-topic';
import { elementAt } from '../../util/elements';
import { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { SERVICE_BUS } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';

const KIND: Kind = ['servicebus.azure.com', 'NamespacesTopic'];
const CONTENTS: readonly Kind[] = [
  ['servicebus.azure.com', 'NamespacesTopicsSubscription'], ['servicebus.azure.com', 'NamespacesTopicsSubscriptionsRule'],
];
const NEEDED: SharedTypeNeeded = { armType: SERVICE_BUS, what: 'topics', factory: 'serviceBus' };

const SETTINGS: SettingNames<TopicSettings> = {
  defaultMessageTimeToLive: true,
  duplicateDetectionHistoryTimeWindow: true,
  enableBatchedOperations: true,
  enableExpress: true,
  enablePartitioning: true,
  maxMessageSizeInKilobytes: true,
  maxSizeInMegabytes: true,
  requiresDuplicateDetection: true,
  supportOrdering: true,
  autoDeleteOnIdle: true,
};

/** A topic in the shared Service Bus namespace. */
export class Topic extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(service: Service, request: TopicRequest, field: string, problems: PlatformProblems): Topic | undefined {
    problems.requireName(`${field}.name`, request.name, 'Give the topic a name.');
    const on = sharedServiceFor(service.team, NEEDED, request.on, field, problems);
    checkRoles(request.roles, Object.values(TopicRole), field, problems);
    if (request.owned === false) checkReference(request, ['settings', 'removalPolicy', 'reconcilePolicy'], 'topic', field, problems);
    else checkSettings(request.settings, SETTINGS, field, problems);
    if (on) checkFixed(request.settings, kindNamed(on, KIND[1]).fixed, `${field}.settings`, problems);
    checkNamesDiffer(request.subscriptions ?? [], field, problems);
    return request.name && on ? new Topic(service, on, request, field, problems) : undefined;
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
  /** The shared service. */
  public readonly on: SharedService;
  private readonly service: Service;
  private readonly place: SharedPlace;

  private constructor(service: Service, on: SharedService, request: TopicRequest, field: string, problems: PlatformProblems) {
    super(service, placeId('topic', on, request.name));
    const { team } = service;
    this.on = on;
    this.place = placeOf(team, on, kindNamed(on, KIND[1]), request.name);
    const { names, armId, ownerId } = this.place;
    this.service = service;
    this.topicName = request.name;
    this.azureName = names.azureName;
    this.armId = armId;
    this.azureResourceRef = { armId: this.armId };
    if (request.owned !== false) {
      this.resource = new NamespacesTopic(this, 'resource', {
        ...service._objects.inTeam(KIND, names.objectName, request),
        azureName: names.azureName,
        owner: Namespace.fromArmId(ownerId),
        ...propertiesOf(this.place, request.settings),
      });
      service._objects.keep(this.resource, on);
      noteProblems(this.resource, { 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.settings` }, problems);
    }
    const lifecycle = this.resource ? service._objects.annotatedLifecycle(request) : {};
    service._objects.endContents(this, CONTENTS, lifecycle, on);
    (request.subscriptions ?? []).forEach((subscription, index) =>
      this.subscribe(subscription, `${field}.subscriptions[${index}]`, problems),
    );
    if (problems.none) service._grants.give(this.place.target, rolesNamed(this.place.kind, request.roles ?? []));
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
    return elementAt(service._grants.give(this.place.target, rolesNamed(this.place.kind, [role])), 0) as RoleGrant;
  }

  /**
   * Offers roles on the topic to another team. They are assigned only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param roles the offered roles
   * @throws when the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, ...roles: TopicRole[]): Offer {
    assertSameEnvironment(this.service.team, team, `Topic '${this.topicName}'`);
    const { kind, target } = this.place;
    return Offer._of({ by: this.service.team, to: team, on: this, target, roleNames: roles, roles: rolesNamed(kind, roles) });
  }

  private subscribe(request: SubscriptionRequest, field: string, problems: PlatformProblems): Subscription | undefined {
    const { place: { of }, armId, resource } = this;
    return Subscription._of(this, this.service._objects, { of, armId, resource }, request, field, problems);
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
