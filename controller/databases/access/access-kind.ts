import { accessSpecOf, type AccessSpec } from './access-spec';
import { databasePlaceOf, type DatabasePlace } from './database-place';
import { cloudOfSettings, databaseSuffixesOf, type DatabaseServerKind } from '../../../engine/credentials';
import { KindError } from '../../../engine/kinds';
import type { ExternalContext, ExternalKind } from '../../../engine/kinds/external';
import { DATABASE_ID } from '../../../src/azure/annotations';
import { connected, type Run } from '../connected';
import { ServerGoneError } from '../owner-server';
import type { Connect, Login } from '../session';

/** One reconcile of a DatabaseAccess: its spec, and the way into the databases of its server. */
export interface AccessWork {
  readonly spec: AccessSpec;
  readonly place: DatabasePlace;
  /** Opens a connection as the administrator to a database of the server, and closes it at the end. */
  readonly inDatabase: <T>(database: string, act: (run: Run) => Promise<T>) => Promise<T>;
}

/** The code for one kind of database server. */
export interface AccessDatabase {
  /** Makes user and privileges as the spec says. Reads first, and writes only what differs. */
  readonly ensure: (work: AccessWork) => Promise<void>;
  /** The missing part of the access, in words; undefined if there is none. Reads only. */
  readonly missing: (work: AccessWork) => Promise<string | undefined>;
  /** Takes the privileges in this database away, and drops a user that this controller has made and nothing else uses. */
  readonly remove: (work: AccessWork) => Promise<void>;
}

/** A server's code, with the port and the driver to reach it. */
export interface AccessServer extends AccessDatabase {
  readonly connect: Connect;
  readonly port: number;
  /** Where servers are that are no objects of the cluster; for tests. Default: in the credential's cloud. */
  readonly hostOf?: (host: string) => string;
}

/** Access of Entra's principals to databases (docs/database-access.md). */
export function accessKind(servers: Readonly<Partial<Record<DatabaseServerKind, AccessServer>>>): ExternalKind {
  return {
    takesOwnerByArmId: true,
    outlivesOwner: true,
    ensure: async (context) => {
      const { server, work } = await prepared(servers, context);
      await server.ensure(work);
      const { ofOwner } = work.place;
      const isKnown = ofOwner === undefined || context.object.metadata.annotations?.[DATABASE_ID] === ofOwner;
      return { status: {}, ...(isKnown ? {} : { annotations: { [DATABASE_ID]: ofOwner } }) };
    },
    observe: async (context) => {
      const { server, work } = await prepared(servers, context);
      const missing = await server.missing(work);
      return missing === undefined
        ? { found: true, state: { status: {} } }
        : { found: false, message: `${missing}, and the reconcile policy keeps this controller from changing it` };
    },
    remove: async (context) => {
      try {
        const { server, work } = await prepared(servers, context);
        await server.remove(work);
      } catch (error) {
        if (error instanceof ServerGoneError) return;
        throw error;
      }
    },
  };
}

const PUBLIC_SUFFIXES = databaseSuffixesOf(cloudOfSettings({}));

async function prepared(
  servers: Readonly<Partial<Record<DatabaseServerKind, AccessServer>>>, context: ExternalContext,
): Promise<{ readonly server: AccessServer; readonly work: AccessWork }> {
  const spec = accessSpecOf(context);
  const { databaseToken, databaseSuffixes = PUBLIC_SUFFIXES } = context.credential();
  const found = databasePlaceOf(context, databaseSuffixes);
  const server = servers[found.server];
  if (!server) throw new KindError(`this controller has no code for ${found.server} servers`, 'Error');
  if (!databaseToken) throw new KindError('the credential of this object gives no tokens for databases');
  const { connect, port, hostOf = (host) => host } = server;
  const place = { ...found, host: hostOf(found.host) };
  const admin: Login = { user: spec.administrator, password: await databaseToken(context.signal, found.server), isToken: true };
  return {
    server,
    work: {
      spec,
      place,
      inDatabase: async (database, act) => {
        const target = { host: place.host, port, database };
        return connected(connect, { target, admin, secrets: [admin.password] }, context, act);
      },
    },
  };
}
