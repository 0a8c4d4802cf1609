import {
  alignPassword,
  createUser,
  DEFAULT_OPTIONS,
  dropUser,
  findRoles,
  findUser,
  grantRoles,
  readMemberships,
  readOptions,
  revokeRoles,
  setOptions,
  type RoleOptions,
} from './statements';
import { KindError } from '../../../engine/kinds';
import type { ExternalContext } from '../../../engine/kinds/external';
import type { Run } from '../connected';
import { hostOf, ownersOf } from '../owner-server';
import type { Connect, Row } from '../session';
import { allOf, changesBetween } from '../set-difference';
import { checkName, checkPassword } from '../unsafe-characters';
import type { Plan, Purpose, UserDatabase } from '../user-kind';
import { checkIsNotAdmin, localLoginsOf, recordOf, specOf, textsOf, userNameOf } from '../user-spec';

export const POSTGRESQL_PORT = 5432;
const DATABASE = 'postgres';

/**
 * Users of Azure Database for PostgreSQL flexible servers (docs/spec/users.md#postgresql).
 * https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-create-users
 */
export function postgresqlUsers(connect: Connect, port = POSTGRESQL_PORT): UserDatabase {
  return { connect, plan: async (context, purpose) => planOf(context, purpose, port) };
}

function planOf(context: ExternalContext, purpose: Purpose, port: number): Plan {
  const spec = specOf(context);
  const localUser = recordOf(spec.localUser);
  if (!localUser) throw new KindError('spec.localUser is not set: a user of PostgreSQL needs it', 'Error');
  const server = ownersOf(context, 1)('FlexibleServer');
  const host = hostOf(server);
  const user = userNameOf(context);
  const { password, admin } = localLoginsOf(context, localUser, purpose);
  checkIsNotAdmin(user, admin.user);
  return {
    target: { host, port, database: DATABASE },
    admin,
    secrets: [admin.password, password],
    user: `user "${user}"`,
    ensure: async (run) => {
      await ensureUser(run, user, password);
      await alignOptions(run, user, optionsOf(spec.roleOptions));
      await alignRoles(run, user, textsOf(spec.roles));
    },
    exists: async (run) => (await run(findUser(user))).length > 0,
    drop: async (run) => void (await run(dropUser(checkName('the user name', user)))),
  };
}

async function ensureUser(run: Run, user: string, password: string): Promise<void> {
  const exists = (await run(findUser(user))).length > 0;
  checkPassword(password);
  await run(exists ? alignPassword(user, password) : createUser(checkName('the user name', user), password));
}

async function alignOptions(run: Run, user: string, desired: RoleOptions): Promise<void> {
  const [current] = await run(readOptions(user));
  if (!current) throw new KindError(`role "${user}" cannot have options: names that begin with pg_ are the server's own`);
  const statement = setOptions(user, current, desired);
  if (statement) await run(statement);
}

async function alignRoles(run: Run, user: string, desired: readonly string[]): Promise<void> {
  const { add, remove } = changesBetween(namesOf(await run(readMemberships(user))), desired);
  await allOf([
    ...(add.length > 0 ? [() => addRoles(run, user, add)] : []),
    ...(remove.length > 0 ? [() => run(revokeRoles(remove, user))] : []),
  ], together);
}

/** Grants the existing roles, and reports the others. */
async function addRoles(run: Run, user: string, roles: readonly string[]): Promise<void> {
  roles.forEach((role) => checkName('role', role));
  const existing = new Set(namesOf(await run(findRoles(roles))));
  const [found, missing] = [roles.filter((role) => existing.has(role)), roles.filter((role) => !existing.has(role))];
  if (found.length > 0) await run(grantRoles(found, user));
  if (missing.length > 0) {
    const several = missing.length > 1;
    throw new KindError(`add roles: ${missing.map((role) => `"${role}"`).join(', ')} of spec.roles ${several ? 'do' : 'does'} not exist in the server: create ${several ? 'them' : 'it'} there, or take ${several ? 'them' : 'it'} out of the list`);
  }
}

function together(problems: readonly Error[]): Error {
  return new KindError(problems.map(({ message }) => message).join('; '));
}

function namesOf(rows: readonly Row[]): string[] {
  return rows.map(({ name }) => String(name));
}

function optionsOf(value: unknown): RoleOptions {
  const given = recordOf(value) ?? {};
  const option = (name: keyof RoleOptions) => (typeof given[name] === 'boolean' ? given[name] : DEFAULT_OPTIONS[name]);
  return { login: option('login'), createRole: option('createRole'), createDb: option('createDb'), replication: option('replication') };
}
