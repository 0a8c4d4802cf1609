import { privilegeChanges } from './privileges';
import {
  alignPassword, createEntraUser, createUser, dropUser, findUser, grant, readDatabasePrivileges, readServerPrivileges, revoke,
  type Account, type Level,
} from './statements';
import { KindError } from '../../../engine/kinds';
import type { ExternalContext } from '../../../engine/kinds/external';
import type { Run } from '../connected';
import { hostOf, ownersOf } from '../owner-server';
import type { Connect, Login, Row, Statement } from '../session';
import { allOf } from '../set-difference';
import type { Plan, Purpose, UserDatabase } from '../user-kind';
import { adminPasswordOf, checkIsNotAdmin, localSecretsOf, recordOf, specOf, textOf, textsOf, userNameOf } from '../user-spec';

export const MYSQL_PORT = 3306;
/** MySQL's own tables are there; it is a place to log in to, nothing more. */
const DATABASE = 'mysql';
const ANY_HOST = '%';

/**
 * Users of Azure Database for MySQL flexible servers (docs/spec/users.md#mysql).
 * https://learn.microsoft.com/azure/mysql/flexible-server/security-how-to-create-users
 */
export function mysqlUsers(connect: Connect, port = MYSQL_PORT): UserDatabase {
  return { connect, plan: async (context, purpose) => planOf(context, purpose, port) };
}

/** One of the two kinds of user. */
interface Variant {
  readonly account: Account;
  readonly admin: Login;
  readonly secrets: readonly string[];
  /** The statements that make the user, or the one of its password. */
  readonly make: () => Statement[];
}

async function planOf(context: ExternalContext, purpose: Purpose, port: number): Promise<Plan> {
  const spec = specOf(context);
  const [localUser, aadUser] = [recordOf(spec.localUser), recordOf(spec.aadUser)];
  if (Boolean(localUser) === Boolean(aadUser)) {
    throw new KindError(
      `exactly one of spec.localUser and spec.aadUser must be set, but ${localUser ? 'both are' : 'neither is'}`,
      'Error',
    );
  }
  const server = ownersOf(context, 1)('FlexibleServer');
  const host = hostOf(server);
  const { account, admin, secrets, make } = await (localUser ? localVariant(context, localUser, purpose) : entraVariant(context, aadUser!));
  checkIsNotAdmin(account.user, admin.user);
  const { databaseSuffixes } = admin.isToken ? context.credential() : {};
  // A token is for the servers of its own cloud.
  if (databaseSuffixes) hostOf(server, [databaseSuffixes.mysql]);
  return {
    target: { host, port, database: DATABASE },
    admin,
    secrets,
    user: `user "${account.user}"@"${account.host}"`,
    ensure: async (run) => {
      for (const statement of make()) await run(statement);
      await alignPrivileges(run, account, textsOf(spec.privileges), databasesOf(spec.databasePrivileges));
    },
    exists: async (run) => (await run(findUser(account))).length > 0,
    drop: async (run) => void (await run(dropUser(account))),
  };
}

async function localVariant(context: ExternalContext, localUser: Readonly<Record<string, unknown>>, purpose: Purpose): Promise<Variant> {
  const account = { user: userNameOf(context), host: textOf(specOf(context), 'hostname') ?? ANY_HOST };
  const { password, adminPassword } = purpose === 'ensure'
    ? localSecretsOf(context, localUser, 'optional')
    : { password: '', adminPassword: adminPasswordOf(context, localUser) };
  const admin = await login(context, textOf(localUser, 'serverAdminUsername'), 'spec.localUser', adminPassword);
  return {
    account,
    admin,
    secrets: [admin.password, password],
    make: () => [createUser(account, password), alignPassword(account, password)],
  };
}

/** A user of `CREATE AADUSER` may log in from any host: `spec.hostname` applies to local users only. */
async function entraVariant(context: ExternalContext, aadUser: Readonly<Record<string, unknown>>): Promise<Variant> {
  const principal = userNameOf(context);
  const account = { user: textOf(aadUser, 'alias') ?? principal, host: ANY_HOST };
  const admin = await login(context, textOf(aadUser, 'serverAdminUsername'), 'spec.aadUser', undefined);
  return { account, admin, secrets: [admin.password], make: () => [createEntraUser(principal, account.user)] };
}

/** With a password where one is given, else with a token of the object's credential (docs/spec/users.md#mysql-login). */
async function login(
  { credential, signal }: ExternalContext,
  user: string | undefined,
  where: string,
  password: string | undefined,
): Promise<Login> {
  if (!user) throw new KindError(`${where}.serverAdminUsername is empty: name the administrator to log in as`);
  if (password !== undefined) return { user, password, isToken: false };
  const { databaseToken } = credential();
  if (!databaseToken) throw new KindError('the credential of this object gives no tokens for databases');
  return { user, password: await databaseToken(signal), isToken: true };
}

/** First the server's, then every database's, whatever goes wrong with the others (docs/spec/users.md#mysql-privileges). */
async function alignPrivileges(
  run: Run, account: Account, server: readonly string[], databases: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  await allOf([
    async () => {
      const current = await run(readServerPrivileges(account));
      await align(run, account, 'server', privilegesOf(current), server);
    },
    async () => {
      const current = byDatabase(await run(readDatabasePrivileges(account)));
      const names = [...new Set([...databases.keys(), ...current.keys()])].sort();
      const aligned = (database: string) => align(run, account, { database }, current.get(database) ?? [], databases.get(database) ?? []);
      await allOf(names.map((database) => () => aligned(database)), together);
    },
  ], together);
}

async function align(run: Run, account: Account, level: Level, current: readonly string[], desired: readonly string[]): Promise<void> {
  const { add, remove } = privilegeChanges(current, desired);
  await allOf([
    ...(add.length > 0 ? [async () => run(grant(add, level, account))] : []),
    ...(remove.length > 0 ? [async () => run(revoke(remove, level, account))] : []),
  ], together);
}

function together(problems: readonly Error[]): Error {
  return new KindError(problems.map(({ message }) => message).join('; '));
}

function privilegesOf(rows: readonly Row[]): string[] {
  return rows.map(({ privilege }) => String(privilege));
}

function byDatabase(rows: readonly Row[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { db, privilege } of rows) found.set(String(db), [...(found.get(String(db)) ?? []), String(privilege)]);
  return found;
}

function databasesOf(value: unknown): Map<string, string[]> {
  return new Map(Object.entries(recordOf(value) ?? {}).map(([database, privileges]) => [database, textsOf(privileges)]));
}
