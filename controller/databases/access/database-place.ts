import type { DatabaseServerKind } from '../../../engine/credentials';
import { KindError } from '../../../engine/kinds';
import type { ExternalContext } from '../../../engine/kinds/external';
import { azureNameOf } from '../../../engine/resolve/azure-name';
import { versionOf } from '../../../engine/resolve/kind-of';
import { describeOwner, ownerOf } from '../../../engine/resolve/owner';
import { ResolutionError, type Owner } from '../../../engine/resolve/types';
import { DATABASE_ID, RESOURCE_ID } from '../../../src/azure/annotations';
import { armTypeOf, parseArmId } from '../../../src/azure/arm-id';
import { ownValue } from '../../../src/util/elements';
import { hostOf, ServerGoneError } from '../owner-server';

/** A database in a server. */
export interface DatabasePlace {
  readonly server: DatabaseServerKind;
  readonly host: string;
  readonly database: string;
  /** ARM id of the owner, where that is an object. */
  readonly ofOwner?: string;
}

/** ARM types of databases, in lower case, with the server that they are in. */
const ARM_TYPES: Readonly<Record<string, DatabaseServerKind>> = {
  'microsoft.dbforpostgresql/flexibleservers/databases': 'postgresql',
  'microsoft.dbformysql/flexibleservers/databases': 'mysql',
  'microsoft.sql/servers/databases': 'sql',
};

/** Group and kind of a database → its server. */
const KINDS: Readonly<Record<string, readonly [server: DatabaseServerKind, kind: string]>> = {
  'dbforpostgresql.azure.com/FlexibleServersDatabase': ['postgresql', 'FlexibleServer'],
  'dbformysql.azure.com/FlexibleServersDatabase': ['mysql', 'FlexibleServer'],
  'sql.azure.com/ServersDatabase': ['sql', 'Server'],
};

const DATABASES = 'a database of Azure Database for PostgreSQL or MySQL (flexible server), or of Azure SQL';

/** A server's name is the first label of its address: https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
const SERVER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i;

/**
 * The database that `spec.owner` names: an object of the same namespace, or an ARM id. The address of a server that is no object here is
 * made of its name and the DNS suffix of the credential's cloud, as Azure does.
 *
 * @param suffixes DNS suffixes of the cloud whose tokens the credential gives
 * @throws KindError for any other owner; ServerGoneError where the named object is gone; ResolutionError while Azure has no address yet
 */
export function databasePlaceOf(context: ExternalContext, suffixes: Readonly<Record<DatabaseServerKind, string>>): DatabasePlace {
  const owner = requiredOwner(context);
  return owner.by === 'armId' ? placeOfArmId(owner.armId, suffixes) : placeOfObject(context, owner, suffixes);
}

function requiredOwner({ object, version }: ExternalContext): Owner {
  let owner: Owner | undefined;
  try {
    owner = ownerOf(object, version);
  } catch (error) {
    throw error instanceof ResolutionError ? new KindError(error.message, 'Error') : error;
  }
  if (!owner) throw new KindError(`spec.owner is missing: name ${DATABASES}`, 'Error');
  return owner;
}

function placeOfArmId(armId: string, suffixes: Readonly<Record<DatabaseServerKind, string>>): DatabasePlace {
  const [kind, parts] = [ownValue(ARM_TYPES, armTypeOf(armId)?.toLowerCase() ?? ''), parseArmId(armId)];
  const [server, database] = parts?.names ?? [];
  if (!kind || !server || !database) throw new KindError(`spec.owner.armId is not that of ${DATABASES}`, 'Error');
  if (!SERVER_NAME.test(server)) throw new KindError('spec.owner.armId has a name of a server that Azure does not give', 'Error');
  return { server: kind, host: `${server.toLowerCase()}${suffixes[kind]}`, database };
}

function placeOfObject(
  { object, lookup }: ExternalContext, owner: Extract<Owner, { by: 'name' }>, suffixes: Readonly<Record<DatabaseServerKind, string>>,
): DatabasePlace {
  const known = ownValue(KINDS, `${owner.group}/${owner.kind}`);
  if (!known) throw new KindError(`spec.owner is a ${owner.kind} of ${owner.group}, and has to be ${DATABASES}`, 'Error');
  const [server, serverKind] = known;
  const namespace = object.metadata.namespace ?? 'default';
  const found = lookup.find(owner.group, owner.kind, namespace, owner.name);
  if (!found) {
    const noted = object.metadata.annotations?.[DATABASE_ID];
    if (noted) return placeOfArmId(noted, suffixes);
    throw new ServerGoneError(`owner "${describeOwner(owner)}" of ${object.kind} "${object.metadata.name}" does not exist`);
  }
  const version = versionOf(found);
  const database = version && azureNameOf(found, version);
  if (!version || !database) throw new KindError(`${found.kind} "${found.metadata.name}" has no name in Azure`);
  const above = ownerOf(found, version);
  const armId = above?.by === 'armId' ? `${above.armId}/databases/${database}` : found.metadata.annotations?.[RESOURCE_ID];
  const ofOwner = armId === undefined ? {} : { ofOwner: armId };
  const serverObject = above?.by === 'name' ? lookup.find(owner.group, serverKind, namespace, above.name) : undefined;
  if (serverObject) return { server, host: hostOf(serverObject, [suffixes[server]]), database, ...ofOwner };
  if (armId) return { ...placeOfArmId(armId, suffixes), ...ofOwner };
  throw new ResolutionError('WaitingForOwner', 'Warning', `the server of ${found.kind} "${found.metadata.name}" is not known yet`);
}
