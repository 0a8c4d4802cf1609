import { MYSQL_PORT } from './mysql-user';
import { privilegeChanges } from './privileges';
import { dropUser, grant, readDatabasePrivileges, readServerPrivileges, revoke, type Account } from './statements';
import { KindError } from '../../../engine/kinds';
import type { AccessServer, AccessWork } from '../access/access-kind';
import type { AccessSpec, Level } from '../access/access-spec';
import type { Run } from '../connected';
import type { Connect, Statement } from '../session';

/** MySQL's own tables are there; it is a place to log in to, nothing more. */
const DATABASE = 'mysql';
/** The limit of MySQL for names of users. */
const MAX_NAME = 32;
const PLUGIN = 'aad_auth';
const MARK = 'aso.cdk8s.io';

const READER = ['SELECT', 'SHOW VIEW'];
const WRITER = [...READER, 'INSERT', 'UPDATE', 'DELETE', 'EXECUTE', 'CREATE TEMPORARY TABLES', 'LOCK TABLES'];
const PRIVILEGES: Readonly<Record<Level, readonly string[]>> = {
  Reader: READER,
  Writer: WRITER,
  Owner: [
    ...WRITER, 'CREATE', 'ALTER', 'DROP', 'INDEX', 'REFERENCES', 'CREATE VIEW', 'CREATE ROUTINE', 'ALTER ROUTINE', 'TRIGGER', 'EVENT',
  ],
};

/**
 * Access to databases of Azure Database for MySQL flexible servers (docs/database-access.md#mysql).
 * https://learn.microsoft.com/azure/mysql/flexible-server/how-to-azure-ad
 */
export function mysqlAccess(connect: Connect, port = MYSQL_PORT, hostOf?: AccessServer['hostOf']): AccessServer {
  return { connect, port, ...(hostOf && { hostOf }), ensure, missing, remove };
}

/** Azure makes users of Entra for any host. */
function accountOf(user: string): Account {
  return { user, host: '%' };
}

/** `_` and `%` are wildcards in the names of databases that privileges are for. */
function exactly(database: string): string {
  return database.replace(/[\\_%]/g, '\\$&');
}

interface State {
  /** Undefined: there is no such user. */
  readonly user: { readonly isEntra: boolean; readonly mapping: string; readonly isMarked: boolean } | undefined;
  readonly isAdministrator: boolean;
  /** Privileges in the database of the access. */
  readonly own: readonly string[];
  /** Whether the user has privileges in other databases. */
  readonly hasOthers: boolean;
}

async function readState(run: Run, { spec, place }: AccessWork): Promise<State> {
  const account = accountOf(spec.user);
  const [row] = await run({
    step: 'look for the user',
    text: 'SELECT plugin AS plugin, CONVERT(authentication_string USING utf8mb4) AS mapping FROM mysql.user WHERE User = ? AND Host = ?',
    values: [account.user, account.host],
  });
  if (!row) return { user: undefined, isAdministrator: false, own: [], hasOthers: false };
  const [attributes] = await run({
    step: 'read the attributes of the user',
    text: 'SELECT CAST(ATTRIBUTE AS CHAR) AS attribute FROM INFORMATION_SCHEMA.USER_ATTRIBUTES WHERE USER = ? AND HOST = ?',
    values: [account.user, account.host],
  });
  const privileges = await run(readDatabasePrivileges(account));
  const wanted = exactly(place.database);
  return {
    user: {
      isEntra: row.plugin === PLUGIN,
      mapping: String(row.mapping ?? '').toLowerCase(),
      isMarked: String(attributes?.attribute ?? '').includes(MARK),
    },
    isAdministrator: (await run(readServerPrivileges(account))).length > 0,
    own: privileges.filter(({ db }) => db === wanted).map(({ privilege }) => String(privilege)),
    hasOthers: privileges.some(({ db }) => db !== wanted),
  };
}

/**
 * Azure's statement takes a client id without looking it up only where the session says so. The mark is a statement of its own: MySQL has
 * no transactions for users. A user without mark is never dropped.
 */
function createUser({ user, clientId }: AccessSpec): Statement[] {
  return [
    { step: 'let the server take a client id', text: 'SET aad_auth_validate_oids_in_tenant = OFF' },
    { step: 'create Entra user', text: 'CREATE AADUSER ? IDENTIFIED BY ?', values: [user, clientId()] },
    { step: 'mark the user', text: 'ALTER USER ?@? ATTRIBUTE ?', values: [user, '%', JSON.stringify({ [MARK]: 'Made by cdk8s-aso' })] },
  ];
}

async function ensure(work: AccessWork): Promise<void> {
  const { spec, place, inDatabase } = work;
  checkSpec(spec);
  await inDatabase(DATABASE, async (run) => {
    const state = await readState(run, work);
    checkState(state, spec);
    if (!state.user) for (const statement of createUser(spec)) await run(statement);
    const { add, remove: surplus } = privilegeChanges(state.own, PRIVILEGES[spec.level]);
    const level = { database: exactly(place.database) };
    if (add.length > 0) await run(grant(add, level, accountOf(spec.user)));
    if (surplus.length > 0) await run(revoke(surplus, level, accountOf(spec.user)));
  });
}

function checkSpec({ user, principalType }: AccessSpec): void {
  if ([...user].length > MAX_NAME) {
    throw new KindError(`"${user.slice(0, 20)}…" has more than the ${MAX_NAME} characters that MySQL takes: choose another spec.azureName`, 'Error');
  }
  if (principalType === 'ServicePrincipal') return;
  throw new KindError(
    `spec.principalType is ${principalType}: MySQL looks users and groups up by name, which a User of dbformysql.azure.com does (spec.aadUser)`,
    'Error',
  );
}

/** @throws KindError for a user that is not the principal's, or that administers the server */
function checkState({ user: found, isAdministrator }: State, { user, clientId }: AccessSpec): void {
  if (!found) return;
  if (isAdministrator) {
    throw new KindError(`"${user}" has privileges on the whole server, and is not changed here: choose another spec.azureName`, 'Error');
  }
  if (!found.isEntra) throw new KindError(`"${user}" exists and is no principal of Entra: choose another spec.azureName, or drop it`, 'Error');
  if (found.mapping.includes(clientId())) return;
  throw new KindError(
    `"${user}" belongs to another principal of Entra: choose another spec.azureName, or delete this object, which drops a user that it has made, and create it again`,
    'Error',
  );
}

async function missing(work: AccessWork): Promise<string | undefined> {
  const { spec: { user, level }, place: { host, database } } = work;
  return work.inDatabase(DATABASE, async (run) => {
    const state = await readState(run, work);
    if (!state.user) return `user "${user}" does not exist in server "${host}"`;
    const { add } = privilegeChanges(state.own, PRIVILEGES[level]);
    return add.length > 0 ? `user "${user}" is no ${level} of database "${database}" of server "${host}"` : undefined;
  });
}

async function remove(work: AccessWork): Promise<void> {
  const { spec: { user }, place, inDatabase } = work;
  await inDatabase(DATABASE, async (run) => {
    const { user: found, isAdministrator, own, hasOthers } = await readState(run, work);
    if (!found?.isEntra || isAdministrator) return;
    const { remove: surplus } = privilegeChanges(own, []);
    if (surplus.length > 0) await run(revoke(surplus, { database: exactly(place.database) }, accountOf(user)));
    if (found.isMarked && !hasOthers) await run(dropUser(accountOf(user)));
  });
}
