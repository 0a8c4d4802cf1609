import { SQL_PORT } from './sql-user';
import { addRoles, bracketed, dropUser, literal, readRoles, removeRoles } from './statements';
import { runWithoutTriggers } from './without-triggers';
import { KindError } from '../../../engine/kinds';
import { ResolutionError } from '../../../engine/resolve/types';
import type { AccessServer, AccessWork } from '../access/access-kind';
import type { AccessSpec, Level } from '../access/access-spec';
import { DatabaseError, type Run } from '../connected';
import type { Connect, Statement } from '../session';
import { changesBetween } from '../set-difference';

/** The fixed roles of a level. Roles that others have given a user are left alone. */
const ROLES: Readonly<Record<Level, readonly string[]>> = {
  Reader: ['db_datareader'],
  Writer: ['db_datareader', 'db_datawriter'],
  Owner: ['db_datareader', 'db_datawriter', 'db_ddladmin'],
};
const OWN_ROLES: ReadonlySet<string> = new Set(ROLES.Owner);
/** Names of SQL Server are `sysname`. */
const MAX_NAME = 128;
const MARK = 'aso.cdk8s.io';
const MASTER = 'master';

/**
 * Access to databases of Azure SQL (docs/database-access.md#azure-sql): contained users whose security identifier is the id in Entra, so
 * that the server looks nothing up in the directory.
 * https://learn.microsoft.com/sql/t-sql/statements/create-user-transact-sql
 */
export function sqlAccess(connect: Connect, port = SQL_PORT, hostOf?: AccessServer['hostOf']): AccessServer {
  return { connect, port, ...(hostOf && { hostOf }), ensure, missing, remove };
}

/** The identifier of a principal: the bytes of its UUID, of which the first three groups are in reverse order. */
export function sidOf(id: string): string {
  const [a = '', b = '', c = '', ...rest] = id.toLowerCase().split('-');
  const reversed = (hex: string) => (hex.match(/../g) ?? []).reverse().join('');
  return `0x${[reversed(a), reversed(b), reversed(c), ...rest].join('')}`;
}

/** Service principals are known by the client id, users and groups by the object id. */
function wantedSid({ principalType, clientId, principalId }: AccessSpec): string {
  return sidOf(principalType === 'ServicePrincipal' ? clientId() : principalId());
}

interface FoundUser {
  readonly type: string;
  readonly sid: string;
  readonly isMarked: boolean;
  readonly roles: readonly string[];
}

function readUser(user: string): Statement {
  return {
    step: 'look for the user',
    text: 'SELECT principal.type AS type, CONVERT(varchar(400), principal.sid, 1) AS sid, CONVERT(nvarchar(200), mark.value) AS mark '
      + 'FROM sys.database_principals principal LEFT JOIN sys.extended_properties mark '
      + `ON mark.class = 4 AND mark.major_id = principal.principal_id AND mark.name = ${literal(MARK)} WHERE principal.name = @user`,
    values: [user],
  };
}

async function foundUser(run: Run, user: string): Promise<FoundUser | undefined> {
  const [row] = await run(readUser(user));
  if (!row) return undefined;
  const roles = (await run(readRoles(user))).map(({ name }) => String(name));
  return { type: String(row.type).trim(), sid: String(row.sid).toLowerCase(), isMarked: typeof row.mark === 'string', roles };
}

/** User and mark, of one transaction: what this controller has made is known by the mark. */
function createUser(spec: AccessSpec): Statement {
  const type = spec.principalType === 'Group' ? 'X' : 'E';
  return {
    step: 'create user',
    text: [
      `CREATE USER ${bracketed(spec.user)} WITH SID = ${wantedSid(spec)}, TYPE = ${type};`,
      `EXEC sys.sp_addextendedproperty @name = ${literal(MARK)}, @value = N'Made by cdk8s-aso', `
      + `@level0type = N'USER', @level0name = ${literal(spec.user)};`,
    ].join('\n'),
  };
}

function change(run: Run, statement: Statement): Promise<void> {
  return runWithoutTriggers(run, statement, 'all');
}

async function ensure(work: AccessWork): Promise<void> {
  const { spec } = work;
  checkLength(spec.user);
  await inDatabase(work, async (run) => {
    const found = await foundUser(run, spec.user);
    if (found) checkUser(found, spec);
    const current = (found?.roles ?? []).filter((role) => OWN_ROLES.has(role));
    const { add, remove: surplus } = changesBetween(current, ROLES[spec.level]);
    if (!found) await change(run, createUser(spec));
    if (add.length > 0) await change(run, addRoles(add, spec.user));
    if (surplus.length > 0) await change(run, removeRoles(surplus, spec.user));
  });
}

/** @throws KindError for a user that is not the principal's */
function checkUser({ type, sid }: FoundUser, spec: AccessSpec): void {
  if (type !== 'E' && type !== 'X') {
    throw new KindError(`"${spec.user}" exists and is no principal of Entra: choose another spec.azureName, or drop it`, 'Error');
  }
  if (sid === wantedSid(spec)) return;
  throw new KindError(
    `"${spec.user}" belongs to another principal of Entra: choose another spec.azureName, or delete this object, which drops a user that it has made, and create it again`,
    'Error',
  );
}

async function missing(work: AccessWork): Promise<string | undefined> {
  const { spec: { user, level }, place: { host, database } } = work;
  return inDatabase(work, async (run) => {
    const found = await foundUser(run, user);
    if (!found) return `user "${user}" does not exist in database "${database}" of server "${host}"`;
    const lacks = ROLES[level].filter((role) => !found.roles.includes(role));
    return lacks.length > 0 ? `user "${user}" is no ${level} of database "${database}" of server "${host}"` : undefined;
  });
}

async function remove(work: AccessWork): Promise<void> {
  const { spec: { user } } = work;
  try {
    await work.inDatabase(work.place.database, async (run) => {
      const found = await foundUser(run, user);
      if (!found || (found.type !== 'E' && found.type !== 'X')) return;
      const own = found.roles.filter((role) => OWN_ROLES.has(role));
      if (own.length > 0) await change(run, removeRoles(own, user));
      if (found.isMarked && own.length === found.roles.length) await change(run, dropUser(user));
    });
  } catch (error) {
    if (!(await isGone(work, error))) throw error;
  }
}

/** A user goes with its database. The server's list says whether the database is gone, a refused login does not. */
async function isGone({ place, inDatabase: open }: AccessWork, error: unknown): Promise<boolean> {
  if (!isUnopened(error)) return false;
  const rows = await open(MASTER, (run) =>
    run({ step: 'look for the database', text: 'SELECT name FROM sys.databases WHERE name = @user', values: [place.database] }));
  return rows.length === 0;
}

async function inDatabase<T>(work: AccessWork, act: (run: Run) => Promise<T>): Promise<T> {
  try {
    return await work.inDatabase(work.place.database, act);
  } catch (error) {
    if (!(await isGone(work, error))) throw error;
    const { host, database } = work.place;
    throw new ResolutionError('WaitingForOwner', 'Warning', `database "${database}" does not exist in server "${host}" yet`);
  }
}

/** Error 4060; the driver gives the text of the refused login alone. */
function isUnopened(error: unknown): boolean {
  return error instanceof DatabaseError && /Cannot open database/i.test(error.message);
}

function checkLength(user: string): void {
  if (user.length <= MAX_NAME) return;
  throw new KindError(`"${user.slice(0, 20)}…" has more than the ${MAX_NAME} characters that SQL Server takes: choose another spec.azureName`, 'Error');
}
