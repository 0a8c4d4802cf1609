import { KindError } from '../../../engine/kinds';
import type { Statement } from '../session';

/** An account of MySQL: users of one name from different hosts are different users. */
export interface Account {
  readonly user: string;
  /** `%`: any. */
  readonly host: string;
}

/** Where privileges apply: the whole server, or a database. */
export type Level = 'server' | { readonly database: string };

export function createUser({ user, host }: Account, password: string): Statement {
  return { step: 'create user', text: 'CREATE USER IF NOT EXISTS ?@? IDENTIFIED BY ?', values: [user, host, password] };
}

export function alignPassword({ user, host }: Account, password: string): Statement {
  return { step: 'align password', text: 'ALTER USER IF EXISTS ?@? IDENTIFIED BY ?', values: [user, host, password] };
}

/** Azure's own statement. The account that it makes is `<alias>@%`. */
export function createEntraUser(principal: string, alias: string): Statement {
  return { step: 'create Entra user', text: 'CREATE AADUSER IF NOT EXISTS ? AS ?', values: [principal, alias] };
}

/** MySQL keeps hosts in lower case. */
export function findUser({ user, host }: Account): Statement {
  return { step: 'look for the user', text: 'SELECT User FROM mysql.user WHERE User = ? AND Host = ?', values: [user, host.toLowerCase()] };
}

export function dropUser({ user, host }: Account): Statement {
  return { step: 'drop user', text: 'DROP USER IF EXISTS ?@?', values: [user, host] };
}

/** `'user'@'host'`, as the information schema has it: one text, in which nothing is escaped. */
function granteeOf({ user, host }: Account): string {
  return `'${user}'@'${host.toLowerCase()}'`;
}

export function readServerPrivileges(account: Account): Statement {
  return {
    step: 'read server privileges',
    text: "SELECT PRIVILEGE_TYPE AS privilege FROM INFORMATION_SCHEMA.USER_PRIVILEGES WHERE GRANTEE = ? AND PRIVILEGE_TYPE <> 'USAGE'",
    values: [granteeOf(account)],
  };
}

export function readDatabasePrivileges(account: Account): Statement {
  return {
    step: 'read database privileges',
    text: 'SELECT TABLE_SCHEMA AS db, PRIVILEGE_TYPE AS privilege FROM INFORMATION_SCHEMA.SCHEMA_PRIVILEGES WHERE GRANTEE = ?',
    values: [granteeOf(account)],
  };
}

export function grant(privileges: readonly string[], level: Level, { user, host }: Account): Statement {
  return { step: `grant on ${formatLevel(level)}`, text: `GRANT ${listed(privileges)} ON ? TO ?@?`, values: [targetOf(level), user, host] };
}

export function revoke(privileges: readonly string[], level: Level, { user, host }: Account): Statement {
  return { step: `revoke on ${formatLevel(level)}`, text: `REVOKE ${listed(privileges)} ON ? FROM ?@?`, values: [targetOf(level), user, host] };
}

/** A value that goes into a statement as it is. Not into the text: a `?` in the name of a database would be taken for a placeholder. */
export interface Verbatim {
  readonly toSqlString: () => string;
}

/** `` `db`.* ``; `_` and `%` in the name are MySQL's wildcards, as everywhere in its grants. */
function targetOf(level: Level): Verbatim {
  const text = level === 'server' ? '*.*' : `${quotedIdentifier(level.database)}.*`;
  return { toSqlString: () => text };
}

export function quotedIdentifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Names of privileges are words; whatever else stood there would be more than a privilege. */
const PRIVILEGE = /^[A-Z][A-Z0-9_]*( [A-Z0-9_]+)*$/;

function listed(privileges: readonly string[]): string {
  const wrong = privileges.find((privilege) => !PRIVILEGE.test(privilege));
  if (wrong !== undefined) throw new KindError(`${JSON.stringify(wrong)} is no privilege of MySQL: write words like SELECT or CREATE VIEW`);
  return privileges.join(',');
}

function formatLevel(level: Level): string {
  return level === 'server' ? 'the server' : `database "${level.database}"`;
}
