import { addRoles, dropUser, ensureUser, findUser, readRoles, removeRoles } from './statements';
import { runWithoutTriggers } from './without-triggers';
import { KindError } from '../../../engine/kinds';
import type { ExternalContext } from '../../../engine/kinds/external';
import { azureNameOf } from '../../../engine/resolve/azure-name';
import { versionOf } from '../../../engine/resolve/kind-of';
import type { Run } from '../connected';
import { hostOf, ownersOf } from '../owner-server';
import type { Connect, Statement } from '../session';
import { allOf, changesBetween } from '../set-difference';
import { checkName, checkPassword } from '../unsafe-characters';
import type { Plan, Purpose, UserDatabase } from '../user-kind';
import { localLoginsOf, recordOf, specOf, textsOf, userNameOf } from '../user-spec';

export const SQL_PORT = 1433;

/**
 * Contained users of a database of Azure SQL (docs/spec/users.md#azure-sql).
 * https://learn.microsoft.com/sql/relational-databases/security/contained-database-users-making-your-database-portable
 */
export function sqlUsers(connect: Connect, port = SQL_PORT): UserDatabase {
  return { connect, plan: async (context, purpose) => planOf(context, purpose, port) };
}

function planOf(context: ExternalContext, purpose: Purpose, port: number): Plan {
  const spec = specOf(context);
  const localUser = recordOf(spec.localUser);
  if (!localUser) throw new KindError('spec.localUser is not set: a user of Azure SQL needs it', 'Error');
  const ownerOf = ownersOf(context, 2);
  const [database, server] = [ownerOf('ServersDatabase'), ownerOf('Server')];
  const host = hostOf(server);
  const user = userNameOf(context);
  const databaseName = azureNameOf(database, versionOf(database)!);
  if (!databaseName) throw new KindError(`${database.kind} "${database.metadata.name}" has no name in Azure`);
  const { password, admin } = localLoginsOf(context, localUser, purpose);
  return {
    target: { host, port, database: databaseName },
    admin,
    secrets: [admin.password, password],
    user: `user "${user}"`,
    ensure: async (run) => {
      await change(run, ensureUser(checkName('the user name', user), checkPassword(password)));
      await alignRoles(run, user, textsOf(spec.roles));
    },
    exists: async (run) => (await run(findUser(user))).length > 0,
    drop: (run) => change(run, dropUser(checkName('the user name', user))),
  };
}

/** An administrator's own trigger, for example of an audit, keeps no user waiting where nobody else may make one. */
function change(run: Run, statement: Statement): Promise<void> {
  return runWithoutTriggers(run, statement, 'possibly of others');
}

async function alignRoles(run: Run, user: string, desired: readonly string[]): Promise<void> {
  const current = (await run(readRoles(user))).map(({ name }) => String(name));
  const { add, remove } = changesBetween(current, desired);
  const checked = (roles: readonly string[]) => roles.map((role) => checkName('role', role));
  await allOf([
    ...(add.length > 0 ? [async () => change(run, addRoles(checked(add), user))] : []),
    ...(remove.length > 0 ? [async () => change(run, removeRoles(checked(remove), user))] : []),
  ], (problems) => new KindError(problems.map(({ message }) => message).join('; ')));
}
