import { Construct } from 'constructs';
import { Database } from './database';
import { databaseLoginOf } from './database-login';
import type { DatabaseRequest } from './database-request';
import { makeDnsRecord } from './dns-record';
import type { DnsRecordOptions } from './dns-record-request';
import { ServiceDomain } from './domain';
import type { DomainOptions } from './domain-request';
import { explicit } from './explicit';
import { Offer } from './offer';
import { makePrivateDnsRecords, type PrivateDnsRecordRequest } from './private-dns-record';
import { Queue } from './queue';
import type { QueueOptions } from './queue-request';
import { ServiceRoute } from './route';
import type { ServiceRouteOptions } from './route-request';
import { ServiceGrants } from './service-grants';
import { ServiceIdentity } from './service-identity';
import { ServiceObjects } from './service-objects';
import type { ServiceProps } from './service-props';
import { checkService, checkStruct, SHAPES } from './shapes';
import { placeId, placeOf, roleName, sharedServiceFor, type SharedPlace, type SharedTypeNeeded } from './shared-place';
import { constructIdOf, SharedResource } from './shared-resource';
import type { SharedResourceRequest } from './shared-resource-request';
import { ServiceStorageAccount } from './storage-account';
import type { StorageAccountOptions } from './storage-request';
import { Topic } from './topic';
import type { TopicOptions } from './topic-request';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { DefaultAzureName, type AzureResource, type IAzureResourceRef, type RoleGrant } from '../../core';
import { rememberPlace } from '../../core/checks/made-at';
import type { PrivateDnsZonesARecord } from '../../services/network/private-dns-zones-a-record';
import { PlatformProblems } from '../model/problems';
import { armTypeOfService } from '../model/shared-kind-facts';
import type { SharedResourceKind } from '../model/shared-resource-kind';
import type { SharedService } from '../model/shared-service';
import { KEY_VAULT } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { markAsBundle } from '../policy/platform-made';

const SECRETS_NEED: SharedTypeNeeded = { armType: KEY_VAULT, what: 'access to secrets', factory: 'keyVault' };
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i;

/**
 * A service of a team with its Azure resources: an identity, queues, topics, a database, storage accounts, access to secrets. The
 * platform's objects (identity, roles, private endpoints, DNS) are in the platform's namespace, the others in the team's.
 */
export class Service extends Construct {
  /** The team, in the environment. */
  public readonly team: TeamInEnvironment;
  /** Name of the service. */
  public readonly serviceName: string;
  /** The identity of the service's pods. */
  public readonly identity: ServiceIdentity;
  private readonly objects: ServiceObjects;
  private readonly grants: ServiceGrants;
  private theDatabase: Database | undefined;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props team, name and resources of the service
   * @throws when a value is missing or malformed: one error that lists all problems by their fields
   */
  public constructor(scope: Construct, id: string, props: ServiceProps) {
    super(scope, id);
    markAsBundle(this);
    // Findings about the objects of the service lead to the service.
    rememberPlace(this, new.target, 10);
    const { team, name, annotations, tags, cluster } = props;
    const problems = new PlatformProblems(`[${this.node.path}] Service '${name}'`);
    if (!NAME.test(name ?? '')) {
      problems.add('name', `'${name ?? ''}' is no name of a service. Write letters, digits and '-', 63 characters at most.`);
    }
    checkService(props, problems);
    problems.throwIfAny();
    this.team = team;
    this.serviceName = name;
    this.objects = new ServiceObjects({ team, service: name }, { annotations, tags, cluster });
    this.objects.apply(this);
    if (team.environment.conventions.azureNames === false) DefaultAzureName.leaveOut(this);
    this.identity = ServiceIdentity._of(this, this.objects, props.identity ?? {}, problems);
    this.grants = new ServiceGrants(this, this.objects, this.identity);
    this.addAll(props, problems);
    problems.throwIfAny();
  }

  /** The queues, in the order in which they were added. */
  public get queues(): Queue[] {
    return this.node.children.filter((child): child is Queue => child instanceof Queue);
  }

  /** The topics, in the order in which they were added. */
  public get topics(): Topic[] {
    return this.node.children.filter((child): child is Topic => child instanceof Topic);
  }

  /** The storage accounts, in the order in which they were added. */
  public get storageAccounts(): ServiceStorageAccount[] {
    return this.node.children.filter((child): child is ServiceStorageAccount => child instanceof ServiceStorageAccount);
  }

  /** The resources and roles in shared services that were asked for by name, in the order in which they were added. */
  public get resources(): SharedResource[] {
    return this.node.children.filter((child): child is SharedResource => child instanceof SharedResource);
  }

  /** The custom domains, in the order in which they were added. */
  public get domains(): ServiceDomain[] {
    return this.node.children.filter((child): child is ServiceDomain => child instanceof ServiceDomain);
  }

  /** The routes of Front Door, in the order in which they were added. */
  public get routes(): ServiceRoute[] {
    return this.node.children.filter((child): child is ServiceRoute => child instanceof ServiceRoute);
  }

  /** The database, if there is one. */
  public get database(): Database | undefined {
    return this.theDatabase;
  }

  /**
   * The name with which the service's pods log in to databases, with a token of its identity as the password: the name of the identity, or
   * of a long one the beginning and a hash.
   */
  public get databaseLogin(): string {
    return databaseLoginOf(this.objects.id);
  }

  /**
   * Adds a queue.
   * @param name the team's name for the queue
   * @param options settings of the queue, and the service's roles on it
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public addQueue(name: string, options: QueueOptions = {}): Queue {
    return this.add('queue', name, options, (field, problems) => Queue._of(this, { ...options, name }, field, problems));
  }

  /**
   * Adds a topic.
   * @param name the team's name for the topic
   * @param options settings of the topic, the service's roles on it, its subscriptions
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public addTopic(name: string, options: TopicOptions = {}): Topic {
    return this.add('topic', name, options, (field, problems) => Topic._of(this, { ...options, name }, field, problems));
  }

  /**
   * Adds a storage account.
   * @param name the team's name for the account: letters and digits
   * @param options settings of the account, the service's roles on its data, its contents
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public addStorageAccount(name: string, options: StorageAccountOptions = {}): ServiceStorageAccount {
    return this.add('storage', name, options, (field, problems) => ServiceStorageAccount._of(this, { ...options, name }, field, problems));
  }

  /**
   * Adds the database. A service has at most one.
   * @param request name and settings of the database
   * @throws when a value is missing or malformed, or the service already has a database
   */
  public addDatabase(request: DatabaseRequest): Database {
    const problems = this.problems();
    checkStruct(request, SHAPES.database, 'database', problems);
    if (this.theDatabase) problems.add('database', 'is there already. A service has one database; make another service for another one.');
    problems.throwIfAny();
    this.theDatabase = Database._of(this, request, problems);
    problems.throwIfAny();
    return this.theDatabase!;
  }

  /**
   * Adds a resource in a shared service, or roles on the whole of it: whatever the table of the shared service offers.
   * @param request the shared service, the resource's name and settings, and the service's roles on it
   * @throws when a value is missing or malformed, or the shared service does not offer this: one error that names all of them
   */
  public addResource(request: SharedResourceRequest): SharedResource {
    const problems = this.problems();
    const field = `resources['${request.name ?? request.on}']`;
    checkStruct(request, SHAPES.resource, field, problems);
    problems.throwIfAny();
    const resource = this.shared(request, field, problems);
    problems.throwIfAny();
    return resource!;
  }

  /**
   * Lets the service read a secret of a shared Key Vault. The naming strategy derives the secret's name from team, service and name.
   * @param name the team's name for the secret
   * @param on name of the shared Key Vault; default: the only one that the team uses
   * @throws when the environment shares no Key Vault, the team does not use it, or the name is malformed
   */
  public addKeyVaultSecret(name: string, on?: string): RoleGrant {
    const problems = this.problems();
    const grant = this.secret(name, on, `keyVaultSecrets['${name}']`, problems);
    problems.throwIfAny();
    return grant!;
  }

  /**
   * Adds records of a storage account in the private DNS zones of other regions.
   * @param request the account and its addresses
   * @throws when a value is missing or malformed
   */
  public addPrivateDnsRecord(request: PrivateDnsRecordRequest): PrivateDnsZonesARecord[] {
    const problems = this.problems();
    const records = makePrivateDnsRecords(this, this.objects, request, 'privateDnsRecord', problems);
    problems.throwIfAny();
    return records;
  }

  /**
   * Adds a custom domain to the shared Front Door, with its DNS records where the team uses the zone of its name.
   * @param hostName one of the host names that the team may have (`hostNames`), in lower case
   * @param options certificate, validation, records
   * @throws when the team may not have the host name, or a value is malformed: one error that names all of them
   */
  public addDomain(hostName: string, options: DomainOptions = {}): ServiceDomain {
    const field = `domain['${hostName}']`;
    const request = { ...options, hostName };
    return this.made(request, SHAPES.domain, field, (problems) => ServiceDomain._of(this, request, field, problems));
  }

  /**
   * Adds a route to the shared Front Door endpoint: for domains of the service, to an origin.
   * @param name the team's name for the route
   * @param options domains, origin, paths
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public addRoute(name: string, options: ServiceRouteOptions): ServiceRoute {
    const field = `route['${name}']`;
    const request = { ...options, name };
    return this.made(request, SHAPES.route, field, (problems) => ServiceRoute._of(this, request, field, problems));
  }

  /**
   * Adds a DNS record set to the shared zone of its name. The object is in the platform's namespace.
   * @param name the full name, under the host names that the team may have (`hostNames`)
   * @param options type and values
   * @throws when the team may not have the name, there is no zone for it, or a value is malformed: one error that names all of them
   */
  public addDnsRecord(name: string, options: DnsRecordOptions): AzureResource {
    const field = `dnsRecord['${name}']`;
    const request = { ...options, name };
    return this.made(request, SHAPES.dnsRecord, field, (problems) => makeDnsRecord(this, request, field, problems));
  }

  /**
   * Accepts an offer of another team: the other half of a grant across teams.
   * @param offer the result of `offerTo` of a queue, topic or storage account
   * @throws when the offer is for another team
   */
  public use(offer: Offer): AzureResource[] {
    return this.grants.accept(offer);
  }

  /**
   * Assigns the service's identity a role that is not in the catalogue. The platform's policy may reject it.
   * @param id part of the role assignment's name
   * @param on the scope of the role: the result of `fromArmId`, or a construct
   * @param role a `BuiltInRole`, `BuiltInRole.custom(id)`, or a role definition of the app
   */
  public addRole(id: string, on: IAzureResourceRef, role: IAzureResourceRef): RoleGrant {
    const armId = this.team.environment.armIdOf(on);
    const name = withoutTrailingSlashes(armId).split('/').pop()!;
    return this.grants.assign({ armId, name, azureName: name }, id, role);
  }

  /** @internal */
  public get _objects(): ServiceObjects {
    return this.objects;
  }

  /** @internal */
  public get _grants(): ServiceGrants {
    return this.grants;
  }

  /**
   * Names and ids of a resource in a shared service. The secrets of a vault are the service's own.
   * @internal
   */
  public _placeOf(on: SharedService, kind: SharedResourceKind, name: string): SharedPlace {
    const place = placeOf(this.team, on, kind, name);
    if (armTypeOfService(on)?.toLowerCase() !== KEY_VAULT.toLowerCase()) return place;
    const azureName = this.team.environment.naming.keyVaultSecret(this.objects.id, name);
    const armId = `${place.ownerId}/${kind.path!}/${azureName}`;
    const target = { ...place.target, armId, azureName, name: roleName(on, name) };
    return { ...place, names: { objectName: azureName, azureName }, armId, target };
  }

  private addAll(props: ServiceProps, problems: PlatformProblems): void {
    const {
      queues = [], topics = [], storageAccounts = [], keyVaultSecrets = [], privateDnsRecords = [], resources = [], database,
      domains = [], routes = [], dnsRecords = [],
    } = explicit(props);
    if (database) this.theDatabase = Database._of(this, database, problems);
    each(
      'queues',
      queues,
      problems,
      ({ on, name }) => keyOf(on, name),
      (request, field) => Queue._of(this, request, field, problems),
    );
    each(
      'topics',
      topics,
      problems,
      ({ on, name }) => keyOf(on, name),
      (request, field) => Topic._of(this, request, field, problems),
    );
    each(
      'storageAccounts',
      storageAccounts,
      problems,
      ({ name }) => name,
      (request, field) => ServiceStorageAccount._of(this, request, field, problems),
    );
    each(
      'keyVaultSecrets',
      keyVaultSecrets,
      problems,
      (name) => name,
      (name, field) => this.secret(name, undefined, field, problems),
    );
    each(
      'resources',
      resources,
      problems,
      () => undefined,
      (request, field) => this.shared(request, field, problems),
    );
    each(
      'privateDnsRecords',
      privateDnsRecords,
      problems,
      ({ storageAccount }) => storageAccount,
      (request, field) => makePrivateDnsRecords(this, this.objects, request, field, problems),
    );
    domains.forEach((request, index) => ServiceDomain._of(this, request, `domains[${index}]`, problems));
    routes.forEach((request, index) => ServiceRoute._of(this, request, `routes[${index}]`, problems));
    dnsRecords.forEach((request, index) => makeDnsRecord(this, request, `dnsRecords[${index}]`, problems));
  }

  private made<T>(
    request: object, shape: Parameters<typeof checkStruct>[1], field: string, make: (problems: PlatformProblems) => T | undefined,
  ): T {
    const problems = this.problems();
    checkStruct(request, shape, field, problems);
    problems.throwIfAny();
    const made = make(problems);
    problems.throwIfAny();
    return made!;
  }

  private add<T>(
    what: 'queue' | 'topic' | 'storage', name: string, options: object, make: (field: string, problems: PlatformProblems) => T | undefined,
  ): T {
    const problems = this.problems();
    const field = `${what}['${name}']`;
    checkStruct({ ...options, name }, SHAPES[what], field, problems);
    if (typeof name === 'string' && name && this.isTaken(what, name, (options as QueueOptions).on)) {
      problems.add(`${field}.name`, 'is there already. Give each its own name.');
    }
    problems.throwIfAny();
    const made = make(field, problems);
    problems.throwIfAny();
    return made!;
  }

  /** Whether the service has a resource of that name already, in the same shared service. */
  private isTaken(what: string, name: string, on: string | undefined): boolean {
    const service = on === undefined ? undefined : this.team.environment.sharedService(on);
    return this.node.tryFindChild(service ? placeId(what, service, name) : `${what}-${name.toLowerCase()}`) !== undefined;
  }

  private shared(request: SharedResourceRequest, field: string, problems: PlatformProblems): SharedResource | undefined {
    const { on, kind, name } = request;
    // The kind may be left out where there is only one.
    const only = this.team.environment.sharedService(on)?.resources;
    const kindName = kind ?? (only?.length === 1 && name !== undefined ? only[0]!.kind : undefined);
    if (on && this.node.tryFindChild(constructIdOf(on, kindName, name))) {
      problems.add(name === undefined ? `${field}.on` : `${field}.name`, 'is there already. Ask for all roles on it at once.');
      return undefined;
    }
    return SharedResource._of(this, request, field, problems);
  }

  private secret(name: string, on: string | undefined, field: string, problems: PlatformProblems): RoleGrant | undefined {
    const vault = sharedServiceFor(this.team, SECRETS_NEED, on, field, problems);
    this.checkSecret(name, field, problems);
    if (!vault || !problems.none) return undefined;
    const [kind] = vault.resources;
    const { armId, names: { azureName } } = this._placeOf(vault, kind!, name);
    const [role] = kind!.roles!;
    return this.grants.assign({ armId, name: roleName(vault, name), azureName }, role!.name, role!.definition!);
  }

  private checkSecret(name: string, field: string, problems: PlatformProblems): void {
    if (!/^[-a-z0-9]+$/i.test(name ?? '')) problems.add(field, `'${name ?? ''}' is no name of a secret. Write letters, digits and '-'.`);
    const secretName = this.team.environment.naming.keyVaultSecret(this.objects.id, name);
    if (secretName.length > 127) {
      problems.add(field, `'${secretName}' is longer than the 127 characters that a secret's name may have. Give it a shorter name.`);
    }
  }

  private problems(): PlatformProblems {
    return new PlatformProblems(`[${this.node.path}] Service '${this.serviceName}'`);
  }
}

/** Two shared services may have resources of one name. */
function keyOf(on: string | undefined, name: string | undefined): string | undefined {
  return name === undefined || on === undefined ? name : `${on}/${name}`;
}

/** Creates all resources of a list. Their names must be unique: equal names would be one resource with two specs. */
function each<T>(
  list: string, requests: readonly T[], problems: PlatformProblems,
  nameOf: (request: T) => string | undefined, make: (request: T, field: string) => unknown,
): void {
  const names = new Set<string>();
  requests.forEach((request, index) => {
    const field = `${list}[${index}]`;
    const name = nameOf(request)?.toLowerCase();
    if (name !== undefined && names.has(name)) {
      problems.add(
        typeof request === 'string' ? field : `${field}.name`,
        `'${name}' is given twice. Leave one out, or give it another name.`,
      );
    } else {make(request, field);}
    if (name !== undefined) names.add(name);
  });
}
