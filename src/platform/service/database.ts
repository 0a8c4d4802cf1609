import { Construct } from 'constructs';
import type { DatabaseRequest } from './database-request';
import { Offer } from './offer';
import { noteProblems } from './request-problems';
import { checkRoles, rolesNamed } from './role-definitions';
import { DatabaseRole } from './roles';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { kindNamed, placeOf, propertiesOf, sharedServiceFor, type SharedPlace, type SharedTypeNeeded } from './shared-place';
import type { AzureResource, AzureResourceReference, IAzureResourceRef } from '../../core';
import { FlexibleServer } from '../../services/dbforpostgresql/flexible-server';
import { FlexibleServersDatabase } from '../../services/dbforpostgresql/flexible-servers-database';
import { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { POSTGRES } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';

const KIND: Kind = ['dbforpostgresql.azure.com', 'FlexibleServersDatabase'];
const NEEDED: SharedTypeNeeded = { armType: POSTGRES, what: 'a database', factory: 'postgresServer' };

/** A database in the shared PostgreSQL server. */
export class Database extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(service: Service, request: DatabaseRequest, problems: PlatformProblems): Database | undefined {
    problems.requireName('database.name', request.name, 'Give the database a name.');
    problems.require('database.charset', request.charset, "Give the character set, 'UTF8' as a rule: it cannot be changed later.");
    problems.require(
      'database.collation',
      request.collation,
      "Give the order of characters, e.g. 'en_US.utf8': it cannot be changed later.",
    );
    const on = sharedServiceFor(service.team, NEEDED, request.on, 'database', problems);
    if (on) checkDatabaseRoles(on, request.roles, 'database', problems);
    return on && problems.none ? new Database(service, on, request, problems) : undefined;
  }

  /** The shared server. */
  public readonly on: SharedService;
  /** The team's name for the database. */
  public readonly databaseName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The database's object. */
  public readonly resource: FlexibleServersDatabase;
  /** Reference to the database. */
  public readonly azureResourceRef: AzureResourceReference;

  private readonly service: Service;
  private readonly place: SharedPlace;

  private constructor(service: Service, on: SharedService, request: DatabaseRequest, problems: PlatformProblems) {
    super(service, 'database');
    const { team, _objects: objects } = service;
    this.service = service;
    this.place = placeOf(team, on, kindNamed(on, KIND[1]), request.name);
    const { kind, names, armId, ownerId, target } = this.place;
    const { charset, collation } = request;
    this.on = on;
    this.databaseName = request.name;
    this.azureName = names.azureName;
    this.armId = armId;
    this.azureResourceRef = { armId: this.armId };
    this.resource = new FlexibleServersDatabase(this, 'resource', {
      ...objects.inTeam(KIND, names.objectName, request),
      azureName: names.azureName,
      owner: FlexibleServer.fromArmId(ownerId),
      ...propertiesOf(this.place, { charset, collation }),
    });
    objects.keep(this.resource, on);
    noteProblems(this.resource, { 'azureName': 'database.name', 'metadata.name': 'database.name', '*': 'database' }, problems);
    const roles = request.roles ?? (kind.roles ? [DatabaseRole.OWNER] : []);
    if (problems.none) service._grants.give(target, rolesNamed(kind, roles));
  }

  /**
   * Grants a service of the same team a role on the database.
   * @param service the service
   * @param role the role
   * @throws when the shared server names no administrator, or the service belongs to another team, which needs an offer
   */
  public grant(service: Service, role: DatabaseRole): AzureResource[] {
    this.check([role]);
    assertOwnTeam(this.service.team, service.team, this.description, this);
    return service._grants.give(this.place.target, rolesNamed(this.place.kind, [role]));
  }

  /**
   * Offers a role on the database to another team. It is given only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param role the role
   * @throws when the shared server names no administrator, or the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, role: DatabaseRole): Offer {
    this.check([role]);
    assertSameEnvironment(this.service.team, team, this.description);
    const { kind, target } = this.place;
    return Offer._of({ by: this.service.team, to: team, on: this, target, roleNames: [role], roles: rolesNamed(kind, [role]) });
  }

  private get description(): string {
    return `Database '${this.databaseName}'`;
  }

  private check(roles: readonly DatabaseRole[]): void {
    const problems = new PlatformProblems(`[${this.node.path}] ${this.description}`);
    checkDatabaseRoles(this.on, roles, 'grant', problems);
    problems.throwIfAny();
  }
}

function checkDatabaseRoles(on: SharedService, roles: readonly string[] | undefined, field: string, problems: PlatformProblems): void {
  if (!roles || roles.length === 0) return;
  if (!kindNamed(on, KIND[1]).roles) {
    problems.add(`${field}.roles`, `'${on.name}' names no administrator, so nothing gives services access to its databases. Give the shared server its administrator, or leave the roles out.`);
    return;
  }
  checkRoles(roles, Object.values(DatabaseRole), field, problems);
  if (roles.length > 1) problems.add(`${field}.roles`, 'has several roles, and each has all that a lesser one has. Give the widest.');
}
