import { Construct } from 'constructs';
import type { Lifecycle } from './lifecycle';
import { noteProblems } from './request-problems';
import type { Kind, ServiceObjects } from './service-objects';
import { kindNamed, placeOf, propertiesOf, sharedServiceFor, type SharedTypeNeeded } from './shared-place';
import type { AzureResourceReference, IAzureResourceRef } from '../../core';
import { FlexibleServer } from '../../services/dbforpostgresql/flexible-server';
import { FlexibleServersDatabase } from '../../services/dbforpostgresql/flexible-servers-database';
import type { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { POSTGRES } from '../model/shared-service-types';

const KIND: Kind = ['dbforpostgresql.azure.com', 'FlexibleServersDatabase'];
const NEEDED: SharedTypeNeeded = { armType: POSTGRES, what: 'a database', factory: 'postgresServer' };

/** The database of a service. */
export interface DatabaseRequest extends Lifecycle {
  /** The team's name for the database. The Azure name has the team's namespace as prefix. */
  readonly name: string;
  /** Character set, usually `UTF8`. Cannot be changed. */
  readonly charset: string;
  /**
   * Collation, e.g. `en_US.utf8`. Cannot be changed.
   * @see https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-create-server-cli
   */
  readonly collation: string;
  /**
   * Name of the shared PostgreSQL server.
   * @default - the only one that the team uses
   */
  readonly on?: string;
}

/** A database in the shared PostgreSQL server. */
export class Database extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(scope: Construct, objects: ServiceObjects, request: DatabaseRequest, problems: PlatformProblems): Database | undefined {
    problems.require('database.name', request.name, 'Give the database a name.');
    problems.require('database.charset', request.charset, "Give the character set, 'UTF8' as a rule: it cannot be changed later.");
    problems.require(
      'database.collation',
      request.collation,
      "Give the order of characters, e.g. 'en_US.utf8': it cannot be changed later.",
    );
    const on = sharedServiceFor(objects.id.team, NEEDED, request.on, 'database', problems);
    return on && problems.none ? new Database(scope, objects, on, request, problems) : undefined;
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

  private constructor(
    scope: Construct, objects: ServiceObjects, on: SharedService, request: DatabaseRequest, problems: PlatformProblems,
  ) {
    super(scope, 'database');
    const place = placeOf(objects.id.team, on, kindNamed(on, KIND[1]), request.name);
    const { names, armId, ownerId } = place;
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
      ...propertiesOf(place, { charset, collation }),
    });
    objects.keep(this.resource, on);
    noteProblems(this.resource, { 'azureName': 'database.name', 'metadata.name': 'database.name', '*': 'database' }, problems);
  }
}
