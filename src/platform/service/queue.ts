import { Construct } from 'constructs';
import { Offer } from './offer';
import type { QueueSettings, QueueRequest } from './queue-request';
import { noteProblems } from './request-problems';
import { checkRoles, rolesNamed } from './role-definitions';
import { QueueRole } from './roles';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { checkReference, checkSettings, type SettingNames } from './settings';
import { checkFixed, kindNamed, placeId, placeOf, propertiesOf, sharedServiceFor, type SharedPlace, type SharedTypeNeeded } from './shared-place';
import type { AzureResourceReference, IAzureResourceRef, RoleGrant } from '../../core';
import { Namespace } from '../../services/servicebus/namespace';
import { NamespacesQueue } from '../../services/servicebus/namespaces-queue';
import { elementAt } from '../../util/elements';
import type { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { SERVICE_BUS } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';

const KIND: Kind = ['servicebus.azure.com', 'NamespacesQueue'];
const NEEDED: SharedTypeNeeded = { armType: SERVICE_BUS, what: 'queues', factory: 'serviceBus' };

const SETTINGS: SettingNames<QueueSettings> = {
  deadLetteringOnMessageExpiration: true,
  defaultMessageTimeToLive: true,
  duplicateDetectionHistoryTimeWindow: true,
  enableBatchedOperations: true,
  enableExpress: true,
  enablePartitioning: true,
  lockDuration: true,
  maxDeliveryCount: true,
  maxMessageSizeInKilobytes: true,
  maxSizeInMegabytes: true,
  requiresDuplicateDetection: true,
  requiresSession: true,
  autoDeleteOnIdle: true,
  forwardDeadLetteredMessagesTo: true,
  forwardTo: true,
};

/** A queue in the shared Service Bus namespace. */
export class Queue extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(service: Service, request: QueueRequest, field: string, problems: PlatformProblems): Queue | undefined {
    problems.requireName(`${field}.name`, request.name, 'Give the queue a name.');
    const on = sharedServiceFor(service.team, NEEDED, request.on, field, problems);
    checkRoles(request.roles, Object.values(QueueRole), field, problems);
    if (request.owned === false) checkReference(request, ['settings', 'removalPolicy', 'reconcilePolicy'], 'queue', field, problems);
    else checkSettings(request.settings, SETTINGS, field, problems);
    if (on) checkFixed(request.settings, kindNamed(on, KIND[1]).fixed, `${field}.settings`, problems);
    return on && problems.none ? new Queue(service, on, request, field, problems) : undefined;
  }

  /** The team's name for the queue. */
  public readonly queueName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The queue's object, if the service owns the queue. */
  public readonly resource?: NamespacesQueue;
  /** Reference to the queue. */
  public readonly azureResourceRef: AzureResourceReference;
  /** The shared service. */
  public readonly on: SharedService;
  private readonly service: Service;
  private readonly place: SharedPlace;

  private constructor(service: Service, on: SharedService, request: QueueRequest, field: string, problems: PlatformProblems) {
    super(service, placeId('queue', on, request.name));
    const { team } = service;
    this.on = on;
    this.place = placeOf(team, on, kindNamed(on, KIND[1]), request.name);
    const { names, armId, ownerId } = this.place;
    this.service = service;
    this.queueName = request.name;
    this.azureName = names.azureName;
    this.armId = armId;
    this.azureResourceRef = { armId: this.armId };
    if (request.owned !== false) {
      this.resource = new NamespacesQueue(this, 'resource', {
        ...service._objects.inTeam(KIND, names.objectName, request),
        azureName: names.azureName,
        owner: Namespace.fromArmId(ownerId),
        ...propertiesOf(this.place, request.settings),
      });
      service._objects.keep(this.resource, on);
      noteProblems(this.resource, { 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.settings` }, problems);
    }
    service._grants.give(this.place.target, rolesNamed(this.place.kind, request.roles ?? []));
  }

  /**
   * Grants a service of the same team a role on the queue.
   * @param service the service
   * @param role the role
   * @throws when the service belongs to another team, which needs an offer
   */
  public grant(service: Service, role: QueueRole): RoleGrant {
    assertOwnTeam(this.service.team, service.team, `Queue '${this.queueName}'`, this);
    return elementAt(service._grants.give(this.place.target, rolesNamed(this.place.kind, [role])), 0) as RoleGrant;
  }

  /**
   * Offers roles on the queue to another team. They are assigned only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param roles the offered roles
   * @throws when the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, ...roles: QueueRole[]): Offer {
    assertSameEnvironment(this.service.team, team, `Queue '${this.queueName}'`);
    const { kind, target } = this.place;
    return Offer._of({ by: this.service.team, to: team, on: this, target, roleNames: roles, roles: rolesNamed(kind, roles) });
  }
}
