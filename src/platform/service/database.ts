import { Construct } from 'constructs';
import type { Lifecycle } from './lifecycle';
import { noteProblems } from './request-problems';
import type { Kind, ServiceObjects } from './service-objects';
import type { AzureResourceReference, IAzureResourceRef } from '../../core';
import { FlexibleServer } from '../../services/dbforpostgresql/flexible-server';
import { FlexibleServersDatabase } from '../../services/dbforpostgresql/flexible-servers-database';
import { resourceNameOf } from '../model/arm-id-parts';
import type { PlatformProblems } from '../model/problems';

const KIND: Kind = ['dbforpostgresql.azure.com', 'FlexibleServersDatabase'];

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
    if (!objects.id.team.environment.shared.postgresServer) {
      problems.add(
        'shared.postgresServer',
        'required for a database. Give the environment a PostgreSQL server, or leave the database out there.',
      );
    }
    return problems.none ? new Database(scope, objects, request, problems) : undefined;
  }

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

  private constructor(scope: Construct, objects: ServiceObjects, request: DatabaseRequest, problems: PlatformProblems) {
    super(scope, 'database');
    const { team } = objects.id;
    const { environment } = team;
    const serverId = environment.armIdOf(environment.shared.postgresServer!);
    const names = environment.naming.database(team, resourceNameOf(serverId), request.name);
    this.databaseName = request.name;
    this.azureName = names.azureName;
    this.armId = `${serverId}/databases/${names.azureName}`;
    this.azureResourceRef = { armId: this.armId };
    this.resource = new FlexibleServersDatabase(this, 'resource', {
      ...objects.inTeam(KIND, names.objectName, request),
      azureName: names.azureName,
      owner: FlexibleServer.fromArmId(serverId),
      charset: request.charset,
      collation: request.collation,
    });
    noteProblems(this.resource, { 'azureName': 'database.name', 'metadata.name': 'database.name', '*': 'database' }, problems);
  }
}
