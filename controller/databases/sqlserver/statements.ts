import type { Statement } from '../session';

/** Contained users of a database: what of its principals is no role. */
const IS_USER = "type NOT IN ('R', 'A')";

/** Creates the user or gives it the password, in one batch. */
export function ensureUser(user: string, password: string): Statement {
  const exists = `EXISTS (SELECT name FROM sys.database_principals WHERE name = ${literal(user)} AND ${IS_USER})`;
  const withPassword = `${quotedIdentifier(user)} WITH PASSWORD=${literal(password)}`;
  return {
    step: 'create user or align password',
    text: `IF NOT ${exists}\n  CREATE USER ${withPassword}\nELSE\n  ALTER USER ${withPassword}`,
  };
}

export function readRoles(user: string): Statement {
  return {
    step: 'read roles',
    text: 'SELECT role.name AS name FROM sys.database_role_members membership '
      + 'JOIN sys.database_principals role ON role.principal_id = membership.role_principal_id '
      + 'JOIN sys.database_principals member ON member.principal_id = membership.member_principal_id WHERE member.name = @user',
    values: [user],
  };
}

export function addRoles(roles: readonly string[], user: string): Statement {
  return { step: 'add roles', text: roles.map((role) => `ALTER ROLE ${bracketed(role)} ADD MEMBER ${bracketed(user)};`).join('\n') };
}

export function removeRoles(roles: readonly string[], user: string): Statement {
  return { step: 'remove roles', text: roles.map((role) => `ALTER ROLE ${bracketed(role)} DROP MEMBER ${bracketed(user)};`).join('\n') };
}

export function findUser(user: string): Statement {
  return { step: 'look for the user', text: `SELECT name FROM sys.database_principals WHERE name = @user AND ${IS_USER}`, values: [user] };
}

export function dropUser(user: string): Statement {
  return { step: 'drop user', text: `DROP USER IF EXISTS ${bracketed(user)}` };
}

/** https://learn.microsoft.com/sql/t-sql/functions/quotename-transact-sql */
export function bracketed(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

function quotedIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** In Unicode: a password may have letters that the collation of the database does not have. */
export function literal(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}
