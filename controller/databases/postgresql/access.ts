import { createHash } from 'node:crypto';
import {
  actAs, actAsItself, alignDefaults, alignPrivileges, createGroup, createPrincipal, dropRole, grantRole, joinRole, LOCK, MADE_HERE,
  madeForDatabase, readDatabase, readDefaultDifferences, readDifferences, readMemberships, readPrincipal, readRoles, readSettings,
  revokeRole, SAVEPOINT, UNDO, UNLOCK, type Difference, type GroupNames,
} from './access-statements';
import { KindError } from '../../../engine/kinds';
import { ResolutionError } from '../../../engine/resolve/types';
import type { AccessServer, AccessWork } from '../access/access-kind';
import { LEVELS, type AccessSpec } from '../access/access-spec';
import { DatabaseError, type Run } from '../connected';
import type { Connect, Statement } from '../session';
import { POSTGRESQL_PORT } from './postgresql-user';

/** Where Azure's functions for principals are. */
const SERVER_DATABASE = 'postgres';
/** Its members administer the server. */
const ADMINISTRATORS = 'azure_pg_admin';
/** Longer names would be cut by the server, to one that may be another user's. */
const MAX_NAME_BYTES = 63;
/** Of the hash in a name that is cut: 128 bits. */
const HASH_DIGITS = 32;
/** Each round reads, and runs the statements of one stage; thousands of tables need a few more. */
const MOST_ROUNDS = 100;
/** Rounds that may end because another object changes the same privileges at the same time. */
const MOST_DISTURBED = 20;

/** SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NO_SUCH_DATABASE = '3D000';
const NO_SUCH_FUNCTION = '42883';
const STILL_NEEDED = '2BP01';
/**
 * Answers to a statement about privileges while another session changes the same ones: `tuple concurrently updated`, an entry of the
 * catalogue that exists since a moment ago (ALTER DEFAULT PRIVILEGES has nothing else that is unique), and a deadlock.
 * https://github.com/cyrilgdn/terraform-provider-postgresql/issues/178
 */
const DISTURBANCES: ReadonlySet<unknown> = new Set(['XX000', '23505', '40P01']);

/**
 * Access to databases of Azure Database for PostgreSQL flexible servers (docs/database-access.md#postgresql).
 * https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-manage-azure-ad-users
 */
export function postgresqlAccess(connect: Connect, port = POSTGRESQL_PORT, hostOf?: AccessServer['hostOf']): AccessServer {
  return { connect, port, ...(hostOf && { hostOf }), ensure, missing, remove };
}

/** The roles of a database. Azure takes no colon in names of identities. */
export function groupNamesOf(database: string): GroupNames {
  const named = (level: string) => fitted(database, `:${level}`);
  return { Reader: named('reader'), Writer: named('writer'), Owner: named('owner') };
}

function fitted(database: string, end: string): string {
  const name = `${database}${end}`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const hashed = `~${createHash('sha256').update(database).digest('hex').slice(0, HASH_DIGITS)}${end}`;
  const room = MAX_NAME_BYTES - Buffer.byteLength(hashed);
  let begin = [...database];
  while (Buffer.byteLength(begin.join('')) > room) begin = begin.slice(0, -1);
  return `${begin.join('')}${hashed}`;
}

/** The state of an access in the server. */
interface State {
  readonly groups: GroupNames;
  readonly roles: ReadonlyMap<string, { readonly isMarked: boolean; readonly canLogin: boolean; readonly isOurs: boolean }>;
  readonly principal: { readonly id: string; readonly isAdmin: boolean } | undefined;
  /** The roles that the user is a member of. */
  readonly memberOf: ReadonlySet<string>;
  /** Role → members. */
  readonly membersOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The role as which the user acts in the database. */
  readonly actsAs: string | undefined;
}

async function readState(server: Run, { spec: { user }, place: { database } }: AccessWork): Promise<State> {
  const groups = groupNamesOf(database);
  const names = Object.values(groups);
  const roles = new Map((await server(readRoles([user, ...names]))).map(({ name, canLogin, comment, isOurs }) =>
    [String(name), {
      isMarked: comment === (name === user ? MADE_HERE : madeForDatabase(database)),
      canLogin: canLogin === true,
      isOurs: isOurs === true,
    }]));
  const [principal] = await principalsOf(server, user);
  const memberships = (await server(readMemberships(user, names))).map(({ role, member }) => [String(role), String(member)] as const);
  const membersOf = new Map<string, Set<string>>();
  for (const [role, member] of memberships) membersOf.set(role, (membersOf.get(role) ?? new Set()).add(member));
  const [settings] = await server(readSettings(user, database));
  const setting = (Array.isArray(settings?.settings) ? settings.settings : []).map(String).find((one) => one.startsWith('role='));
  return {
    groups,
    roles,
    principal: principal && { id: String(principal.id), isAdmin: ['1', 'true'].includes(String(principal.isAdmin)) },
    memberOf: new Set(memberships.filter(([, member]) => member === user).map(([role]) => role)),
    membersOf,
    actsAs: setting?.slice('role='.length).replace(/^"(.*)"$/, (_, name: string) => name.replaceAll('""', '"')),
  };
}

async function principalsOf(server: Run, user: string): ReturnType<Run> {
  try {
    return await server(readPrincipal(user));
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== NO_SUCH_FUNCTION) throw error;
    throw new KindError('the server has no function pgaadauth_list_principals: enable authentication with Entra on the server');
  }
}

/** @throws KindError for a state in which nothing may be changed */
function checkState({ groups, roles, principal, memberOf }: State, { user, principalId }: AccessSpec, database: string): void {
  for (const name of Object.values(groups)) {
    const role = roles.get(name);
    if (role && (!role.isMarked || role.canLogin)) {
      throw new KindError(`role "${name}" exists and was not made by this controller for database "${database}": rename it, so that the roles of the database can be made`, 'Error');
    }
  }
  if (!roles.has(user)) return;
  if (isAdministrator({ principal, memberOf })) {
    throw new KindError(`"${user}" is an administrator of the server, whose rights are not changed here: choose another spec.azureName`, 'Error');
  }
  if (!principal) {
    throw new KindError(`"${user}" exists and is no principal of Entra: choose another spec.azureName, or drop it`, 'Error');
  }
  const id = principalId();
  if (principal.id !== id) {
    throw new KindError(
      `"${user}" belongs to another principal of Entra (object id ${principal.id}, not ${id}): choose another spec.azureName, or delete this object, which drops a user that it has made, and create it again`,
      'Error',
    );
  }
}

function isAdministrator({ principal, memberOf }: Pick<State, 'principal' | 'memberOf'>): boolean {
  return principal?.isAdmin === true || memberOf.has(ADMINISTRATORS);
}

async function ensure(work: AccessWork): Promise<void> {
  checkLength(work.spec.user);
  await inBoth(work, async (database, server) => {
    const planNow = async () => {
      const state = await readState(server, work);
      checkState(state, work.spec, work.place.database);
      return plan(state, work, database);
    };
    let before = '';
    let disturbed = 0;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const planned = await planNow();
      if (!planned) return;
      const text = JSON.stringify(planned.statements);
      if (text === before) throw await withoutEffect(planned.statements, work, server);
      before = text;
      if (planned.in === 'database') {
        try {
          for (const statement of planned.statements) await database(statement);
        } catch (error) {
          disturbed += 1;
          if (!(error instanceof DatabaseError) || !DISTURBANCES.has(error.code) || disturbed > MOST_DISTURBED) throw error;
          // The next round may have to say the same.
          before = '';
        }
        continue;
      }
      await withLock(server, async () => {
        const now = await planNow();
        if (now?.in === 'server') for (const statement of now.statements) await server(statement);
      });
    }
    throw new KindError(`the privileges of user "${work.spec.user}" still differ after ${MOST_ROUNDS} rounds: something else changes them at the same time`);
  });
}

/** Changes the roles of the server alone, in one transaction. */
async function withLock<T>(server: Run, act: () => Promise<T>): Promise<T> {
  for (const statement of LOCK) await server(statement);
  const result = await act();
  for (const statement of UNLOCK) await server(statement);
  return result;
}

/** Both connections; nothing is written where the database does not exist. */
async function inBoth<T>({ place, inDatabase }: AccessWork, act: (database: Run, server: Run) => Promise<T>): Promise<T> {
  try {
    return await inDatabase(place.database, (database) => inDatabase(SERVER_DATABASE, (server) => act(database, server)));
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
    throw new ResolutionError('WaitingForOwner', 'Warning', `database "${place.database}" does not exist in server "${place.host}" yet`);
  }
}

interface Planned {
  readonly in: 'server' | 'database';
  readonly statements: readonly Statement[];
}

/** The statements of the first stage in which something differs; undefined if nothing does. */
async function plan(state: State, work: AccessWork, database: Run): Promise<Planned | undefined> {
  const roles = missingRoles(state, work);
  if (roles.length > 0) return { in: 'server', statements: roles };
  const { groups } = state;
  const privileges = [
    ...alignPrivileges((await database(readDifferences(groups))) as unknown as Difference[]),
    ...((await database(readDefaultDifferences(groups))) as unknown as Difference[]).map((one) => alignDefaults(groups, one)),
  ];
  if (privileges.length > 0) return { in: 'database', statements: privileges };
  const own = ofUser(state, work);
  return own.length > 0 ? { in: 'server', statements: own } : undefined;
}

function missingRoles({ groups, roles }: State, { spec, place: { database } }: AccessWork): Statement[] {
  const { user, principalId, principalType } = spec;
  const { Owner: owner } = groups;
  return [
    ...Object.values(groups).filter((name) => !roles.has(name)).flatMap((name) => createGroup(name, database)),
    ...(roles.get(owner)?.isOurs ? [] : [joinRole(owner)]),
    ...(roles.has(user) ? [] : createPrincipal(user, principalId(), principalType)),
  ];
}

/** The user is a member of one role of the database, and what an Owner creates belongs to that role. */
function ofUser({ groups, memberOf, actsAs }: State, { spec: { user, level }, place: { database } }: AccessWork): Statement[] {
  const wanted = groups[level];
  const acting = level === 'Owner' ? wanted : undefined;
  const isGroup = actsAs !== undefined && Object.values(groups).includes(actsAs);
  return [
    ...(memberOf.has(wanted) ? [] : [grantRole(wanted, user)]),
    ...(acting !== undefined && actsAs !== acting ? [actAs(user, database, acting)] : []),
    ...(acting === undefined && isGroup ? [actAsItself(user, database)] : []),
    ...LEVELS.map((other) => groups[other]).filter((group) => group !== wanted && memberOf.has(group))
      .map((group) => revokeRole(group, user)),
  ];
}

/** PostgreSQL answers a GRANT of what the grantor may not grant with a warning. */
async function withoutEffect(statements: readonly Statement[], { spec, place }: AccessWork, server: Run): Promise<KindError> {
  const [found] = await server(readDatabase(place.database));
  const [first] = statements;
  return new KindError(
    `${first?.step}: the server accepts the statement, and nothing changes: administrator "${spec.administrator}" may not do that. `
    + `Database "${place.database}" belongs to "${String(found?.owner)}"; run GRANT "${String(found?.owner)}" TO "${spec.administrator}" as a user who may`,
  );
}

async function missing(work: AccessWork): Promise<string | undefined> {
  const { spec: { user, level }, place: { host, database } } = work;
  return work.inDatabase(SERVER_DATABASE, async (server) => {
    const { roles, groups, memberOf } = await readState(server, work);
    const where = `server "${host}"`;
    if (!roles.has(user)) return `user "${user}" does not exist in ${where}`;
    return memberOf.has(groups[level]) ? undefined : `user "${user}" is no ${level} of database "${database}" of ${where}`;
  });
}

async function remove(work: AccessWork): Promise<void> {
  const { spec: { user }, place: { database } } = work;
  const refusal = await work.inDatabase(SERVER_DATABASE, (server) => withLock(server, async () => {
    const state = await readState(server, work);
    const exists = (await server(readDatabase(database))).length > 0;
    const { groups, memberOf, actsAs, roles } = state;
    const own = Object.values(groups).filter((group) => roles.get(group)?.isMarked === true);
    let stillNeeded: DatabaseError | undefined;
    if (roles.has(user)) {
      if (exists && actsAs !== undefined && own.includes(actsAs)) await server(actAsItself(user, database));
      const granted = own.filter((group) => memberOf.has(group));
      for (const group of granted) await server(revokeRole(group, user));
      const isElsewhere = [...memberOf].some((role) => !granted.includes(role));
      if (roles.get(user)!.isMarked && !isAdministrator(state) && !isElsewhere) stillNeeded = await dropped(server, user);
    }
    // The roles of a database that is gone. One that is still needed elsewhere stays.
    if (!exists) for (const group of own.filter((one) => onlyOurs(state, one, work.spec))) await dropped(server, group);
    return stillNeeded;
  }));
  if (!refusal) return;
  throw new KindError(
    `${refusal.message}. The user has lost its access, and owns objects or has privileges that this controller has not granted: hand them over (REASSIGN OWNED BY … TO …), or set the reconcile policy detach-on-delete`,
  );
}

/** Drops a role; the answer of the server where it is still needed. */
async function dropped(server: Run, role: string): Promise<DatabaseError | undefined> {
  await server(SAVEPOINT);
  try {
    await server(dropRole(role));
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== STILL_NEEDED) throw error;
    await server(UNDO);
    return error;
  }
}

function onlyOurs({ membersOf }: State, group: string, { user, administrator }: AccessSpec): boolean {
  return [...membersOf.get(group) ?? []].every((member) => member === user || member === administrator);
}

function checkLength(user: string): void {
  if (Buffer.byteLength(user) <= MAX_NAME_BYTES) return;
  throw new KindError(`"${user.slice(0, 20)}…" has more than the ${MAX_NAME_BYTES} bytes that PostgreSQL takes: choose another spec.azureName`, 'Error');
}
