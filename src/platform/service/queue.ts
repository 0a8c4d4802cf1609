import { Construct } from 'constructs';
import { explicit, withDefaults } from './explicit';
import { Offer } from './offer';
import type { QueueSettings, QueueRequest } from './queue-request';
import { noteProblems } from './request-problems';
import { checkRoles } from './role-definitions';
import { QueueRole } from './roles';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { checkReference, checkSettings, flags, type SettingNames } from './settings';
import type { AzureResourceReference, IAzureResourceRef, RoleGrant } from '../../core';
import { Namespace } from '../../services/servicebus/namespace';
import { NamespacesQueue } from '../../services/servicebus/namespaces-queue';
import { elementAt } from '../../util/elements';
import type { PlatformProblems } from '../model/problems';
import type { TeamInEnvironment } from '../model/team-in-environment';

const KIND: Kind = ['servicebus.azure.com', 'NamespacesQueue'];

const DEFAULTS = {
  deadLetteringOnMessageExpiration: false,
  defaultMessageTimeToLive: 'P14D',
  duplicateDetectionHistoryTimeWindow: 'PT10M',
  enableBatchedOperations: true,
  enableExpress: false,
  enablePartitioning: false,
  lockDuration: 'PT1M',
  maxDeliveryCount: 10,
  maxMessageSizeInKilobytes: 1024,
  maxSizeInMegabytes: 1024,
  requiresDuplicateDetection: false,
  requiresSession: false,
} satisfies QueueSettings;

const SETTINGS: SettingNames<QueueSettings> = {
  ...flags(DEFAULTS),
  autoDeleteOnIdle: true,
  forwardDeadLetteredMessagesTo: true,
  forwardTo: true,
};

/** A queue in the shared Service Bus namespace. */
export class Queue extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(service: Service, request: QueueRequest, field: string, problems: PlatformProblems): Queue | undefined {
    const { shared } = service.team.environment;
    problems.require(`${field}.name`, request.name, 'Give the queue a name.');
    if (!shared.serviceBus) {
      problems.add('shared.serviceBus', 'required for queues. Give the environment a Service Bus namespace, or leave queues out there.');
    }
    checkRoles(request.roles, QueueRole, field, problems);
    if (request.owned === false) checkReference(request, ['settings', 'removalPolicy', 'reconcilePolicy'], 'queue', field, problems);
    else checkSettings(request.settings, SETTINGS, field, problems);
    return problems.none ? new Queue(service, request, field, problems) : undefined;
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
  private readonly service: Service;

  private constructor(service: Service, request: QueueRequest, field: string, problems: PlatformProblems) {
    super(service, `queue-${request.name.toLowerCase()}`);
    const { team } = service;
    const { environment } = team;
    const names = environment.naming.queue(team, request.name);
    const namespaceId = environment.armIdOf(environment.shared.serviceBus!);
    this.service = service;
    this.queueName = request.name;
    this.azureName = names.azureName;
    this.armId = `${namespaceId}/queues/${names.azureName}`;
    this.azureResourceRef = { armId: this.armId };
    if (request.owned !== false) {
      this.resource = new NamespacesQueue(this, 'resource', {
        ...service._objects.inTeam(KIND, names.objectName, request),
        azureName: names.azureName,
        owner: Namespace.fromArmId(namespaceId),
        ...explicit(withDefaults<QueueSettings>(DEFAULTS, request.settings)),
      });
      noteProblems(this.resource, { 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.settings` }, problems);
    }
    service._grants.give({ armId: this.armId, name: this.azureName }, request.roles ?? []);
  }

  /**
   * Grants a service of the same team a role on the queue.
   * @param service the service
   * @param role the role
   * @throws when the service belongs to another team, which needs an offer
   */
  public grant(service: Service, role: QueueRole): RoleGrant {
    assertOwnTeam(this.service.team, service.team, `Queue '${this.queueName}'`, this);
    return elementAt(service._grants.give({ armId: this.armId, name: this.azureName }, [role]), 0);
  }

  /**
   * Offers roles on the queue to another team. They are assigned only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param roles the offered roles
   * @throws when the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, ...roles: QueueRole[]): Offer {
    assertSameEnvironment(this.service.team, team, `Queue '${this.queueName}'`);
    return Offer._of({ by: this.service.team, to: team, on: this, resource: this.azureName, roles });
  }
}
