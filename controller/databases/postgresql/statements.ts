import type { Statement } from '../session';

/** `spec.roleOptions`, with its defaults. */
export interface RoleOptions {
  readonly login: boolean;
  readonly createRole: boolean;
  readonly createDb: boolean;
  readonly replication: boolean;
}

export const DEFAULT_OPTIONS: RoleOptions = { login: true, createRole: false, createDb: false, replication: false };

const KEYWORDS: Readonly<Record<keyof RoleOptions, string>> = {
  login: 'LOGIN',
  createRole: 'CREATEROLE',
  createDb: 'CREATEDB',
  replication: 'REPLICATION',
};

/** In the catalogue of all roles: a user that may not log in is one of them, too. */
export function findUser(user: string): Statement {
  return { step: 'look for the user', text: 'SELECT rolname AS name FROM pg_catalog.pg_roles WHERE rolname = $1', values: [user] };
}

export function createUser(user: string, password: string): Statement {
  return { step: 'create user', text: `CREATE USER ${identifier(user)} WITH PASSWORD ${literal(password)}` };
}

export function alignPassword(user: string, password: string): Statement {
  return { step: 'align password', text: `ALTER USER ${identifier(user)} WITH PASSWORD ${literal(password)}` };
}

export function readOptions(user: string): Statement {
  return {
    step: 'read role options',
    text: 'SELECT rolcanlogin AS "login", rolcreaterole AS "createRole", rolcreatedb AS "createDb", rolreplication AS "replication" '
      + "FROM pg_catalog.pg_roles WHERE rolname = $1 AND rolname NOT LIKE 'pg\\_%'",
    values: [user],
  };
}

/** Only what differs; undefined where nothing does. */
export function setOptions(user: string, current: Partial<RoleOptions>, desired: RoleOptions): Statement | undefined {
  const names = (Object.keys(KEYWORDS) as (keyof RoleOptions)[]).filter((name) => current[name] !== desired[name]);
  if (names.length === 0) return undefined;
  const words = names.map((name) => `${desired[name] ? '' : 'NO'}${KEYWORDS[name]}`);
  return { step: 'set role options', text: `ALTER ROLE ${identifier(user)} WITH ${words.join(' ')}` };
}

/** Reads the roles of which the user is a direct member. */
export function readMemberships(user: string): Statement {
  return {
    step: 'read roles',
    text: 'SELECT DISTINCT granted.rolname AS name FROM pg_catalog.pg_auth_members membership '
      + 'JOIN pg_catalog.pg_roles granted ON granted.oid = membership.roleid '
      + 'JOIN pg_catalog.pg_roles member ON member.oid = membership.member WHERE member.rolname = $1',
    values: [user],
  };
}

export function findRoles(roles: readonly string[]): Statement {
  return { step: 'look for the roles', text: 'SELECT rolname AS name FROM pg_catalog.pg_roles WHERE rolname = ANY($1)', values: [roles] };
}

export function grantRoles(roles: readonly string[], user: string): Statement {
  return { step: 'add roles', text: `GRANT ${roles.map(identifier).join(', ')} TO ${identifier(user)}` };
}

export function revokeRoles(roles: readonly string[], user: string): Statement {
  return { step: 'remove roles', text: `REVOKE ${roles.map(identifier).join(', ')} FROM ${identifier(user)}` };
}

export function dropUser(user: string): Statement {
  return { step: 'drop user', text: `DROP USER IF EXISTS ${identifier(user)}` };
}

/** https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A backslash means itself only where the server keeps to the standard, so it stands in a text in which it is always an escape. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
