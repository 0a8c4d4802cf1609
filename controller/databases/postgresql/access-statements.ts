import { identifier, literal } from './statements';
import type { Level, PrincipalType } from '../access/access-spec';
import type { Statement } from '../session';

/**
 * The roles of a database: `reader`, `writer` and `owner`. Objects of Owners belong to the last one, so that nothing is lost with a user,
 * and that the others may use them.
 */
export type GroupNames = Readonly<Record<Level, string>>;

/** The comment on each user that this controller has made. Only these are dropped. */
export const MADE_HERE = 'Made by cdk8s-aso (aso.cdk8s.io)';

/** The comment on the roles of a database, with its whole name: that of a role may be cut. */
export function madeForDatabase(database: string): string {
  return `${MADE_HERE} for database ${database}`;
}

/** Differences of one statement's answer; the rest is found by the next one. */
const MOST_DIFFERENCES = 2_000;

const ROLES = 'pg_catalog.pg_roles';

export function readRoles(names: readonly string[]): Statement {
  return {
    step: 'read roles',
    text: 'SELECT role.rolname AS name, role.rolcanlogin AS "canLogin", pg_catalog.shobj_description(role.oid, \'pg_authid\') AS comment, '
      + `pg_catalog.pg_has_role(current_user, role.oid, 'USAGE') AS "isOurs" FROM ${ROLES} role WHERE role.rolname = ANY($1)`,
    values: [names],
  };
}

/**
 * The mapping of roles to principals of Entra. As JSON, because the documentation and the service differ in the name of the first column.
 * https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-manage-azure-ad-users
 */
export function readPrincipal(user: string): Statement {
  return {
    step: 'read the principals of Entra',
    text: "SELECT lower(row ->> 'objectid') AS id, row ->> 'isadmin' AS \"isAdmin\" "
      + 'FROM (SELECT pg_catalog.to_jsonb(principal) AS row FROM pg_catalog.pgaadauth_list_principals(false) principal) listed '
      + "WHERE coalesce(row ->> 'rolname', row ->> 'rolename') = $1",
    values: [user],
  };
}

/** Members of the roles of the database, and the roles of which the user is a member. */
export function readMemberships(user: string, groups: readonly string[]): Statement {
  return {
    step: 'read memberships',
    text: 'SELECT DISTINCT granted.rolname AS role, member.rolname AS member FROM pg_catalog.pg_auth_members membership '
      + `JOIN ${ROLES} granted ON granted.oid = membership.roleid JOIN ${ROLES} member ON member.oid = membership.member `
      + 'WHERE granted.rolname = ANY($1) OR member.rolname = $2',
    values: [groups, user],
  };
}

/** The settings of the user in the database, e.g. `role=orders:owner`. */
export function readSettings(user: string, database: string): Statement {
  return {
    step: 'read the settings of the user',
    text: 'SELECT setting.setconfig AS settings FROM pg_catalog.pg_db_role_setting setting '
      + `JOIN ${ROLES} role ON role.oid = setting.setrole JOIN pg_catalog.pg_database database ON database.oid = setting.setdatabase `
      + 'WHERE role.rolname = $1 AND database.datname = $2',
    values: [user, database],
  };
}

export function readDatabase(database: string): Statement {
  return {
    step: 'look for the database',
    text: 'SELECT pg_catalog.pg_get_userbyid(datdba) AS owner FROM pg_catalog.pg_database WHERE datname = $1',
    values: [database],
  };
}

/** The privileges of the roles of the database on its objects. Owners own what they create. */
const PRIVILEGES: readonly (readonly [type: string, level: Level, privileges: string])[] = [
  ['database', 'Reader', 'CONNECT'],
  ['database', 'Writer', 'CONNECT TEMPORARY'],
  ['database', 'Owner', 'CONNECT TEMPORARY CREATE'],
  ['schema', 'Reader', 'USAGE'],
  ['schema', 'Writer', 'USAGE'],
  ['schema', 'Owner', 'USAGE CREATE'],
  ['table', 'Reader', 'SELECT'],
  ['table', 'Writer', 'SELECT INSERT UPDATE DELETE'],
  ['table', 'Owner', 'SELECT INSERT UPDATE DELETE TRUNCATE REFERENCES TRIGGER'],
  ['sequence', 'Reader', 'SELECT'],
  ['sequence', 'Writer', 'SELECT USAGE UPDATE'],
  ['sequence', 'Owner', 'SELECT USAGE UPDATE'],
];

/** Object types of default privileges: https://www.postgresql.org/docs/current/catalog-pg-default-acl.html */
const DEFAULT_TYPES: Readonly<Record<string, string>> = { schema: 'n', table: 'r', sequence: 'S' };

const WANTED = PRIVILEGES.flatMap(([type, level, privileges]) => privileges.split(' ').map((privilege) => `('${type}', '${level}', '${privilege}')`));
const DEFAULTS = PRIVILEGES.filter(([type, level]) => DEFAULT_TYPES[type] !== undefined && level !== 'Owner')
  .flatMap(([type, level, privileges]) => privileges.split(' ').map((privilege) => `('${DEFAULT_TYPES[type]!}', '${level}', '${privilege}')`));

const GROUPS = 'levels(level, name) AS (VALUES (\'Reader\', $1::text), (\'Writer\', $2::text), (\'Owner\', $3::text)), '
  + `roles AS (SELECT levels.level, role.oid, role.rolname FROM levels JOIN ${ROLES} role ON role.rolname = levels.name)`;

/**
 * Privileges that the roles of the database lack or have beyond their level: on the database, on the schema `public` and those of the
 * Owners, and on the tables, views and sequences in them. Objects of extensions are the extensions' own.
 */
export function readDifferences(groups: GroupNames): Statement {
  const acl = (column: string, type: string, owner: string) => `coalesce(${column}, pg_catalog.acldefault(${type}, ${owner}))`;
  return {
    step: 'read privileges',
    text: `WITH ${GROUPS}, wanted(type, level, privilege) AS (VALUES ${WANTED.join(', ')}), `
      + 'schemas AS (SELECT oid, nspname, nspowner, nspacl FROM pg_catalog.pg_namespace '
      + "WHERE nspname = 'public' OR nspowner = (SELECT oid FROM roles WHERE level = 'Owner')), "
      + 'objects AS ('
      + `SELECT 'database' AS type, pg_catalog.quote_ident(datname) AS name, datdba AS owner, ${acl('datacl', "'d'", 'datdba')} AS acl `
      + 'FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database() '
      + `UNION ALL SELECT 'schema', pg_catalog.quote_ident(nspname), nspowner, ${acl('nspacl', "'n'", 'nspowner')} FROM schemas `
      + "UNION ALL SELECT CASE class.relkind WHEN 'S' THEN 'sequence' ELSE 'table' END, "
      + "pg_catalog.format('%I.%I', schemas.nspname, class.relname), class.relowner, "
      + `${acl('class.relacl', "(CASE class.relkind WHEN 'S' THEN 's' ELSE 'r' END)::\"char\"", 'class.relowner')} `
      + 'FROM pg_catalog.pg_class class JOIN schemas ON schemas.oid = class.relnamespace '
      + "WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend dependency "
      + "WHERE dependency.classid = 'pg_catalog.pg_class'::regclass AND dependency.objid = class.oid AND dependency.deptype = 'e')), "
      + 'desired AS (SELECT objects.type, objects.name, roles.rolname, wanted.privilege FROM objects '
      + 'JOIN wanted ON wanted.type = objects.type JOIN roles ON roles.level = wanted.level WHERE objects.owner <> roles.oid), '
      + 'actual AS (SELECT DISTINCT objects.type, objects.name, roles.rolname, entry.privilege_type AS privilege FROM objects '
      + 'CROSS JOIN LATERAL pg_catalog.aclexplode(objects.acl) entry JOIN roles ON roles.oid = entry.grantee '
      + 'WHERE objects.owner <> roles.oid), '
      + 'differences AS ((SELECT *, true AS add FROM desired EXCEPT SELECT *, true FROM actual) '
      + 'UNION ALL (SELECT *, false FROM actual EXCEPT SELECT *, false FROM desired)) '
      + 'SELECT type, name, rolname AS role, add, pg_catalog.string_agg(privilege, \', \' ORDER BY privilege) AS privileges '
      + `FROM differences GROUP BY type, name, rolname, add ORDER BY type, rolname, add DESC, name LIMIT ${MOST_DIFFERENCES}`,
    values: [groups.Reader, groups.Writer, groups.Owner],
  };
}

/** The same for what Owners will create. */
export function readDefaultDifferences(groups: GroupNames): Statement {
  return {
    step: 'read default privileges',
    text: `WITH ${GROUPS}, wanted(type, level, privilege) AS (VALUES ${DEFAULTS.join(', ')}), `
      + 'desired AS (SELECT wanted.type::"char" AS type, roles.rolname, wanted.privilege FROM wanted JOIN roles ON roles.level = wanted.level '
      + "WHERE EXISTS (SELECT 1 FROM roles WHERE level = 'Owner')), "
      + 'actual AS (SELECT DISTINCT entries.defaclobjtype, roles.rolname, entry.privilege_type FROM pg_catalog.pg_default_acl entries '
      + "JOIN roles owner ON owner.oid = entries.defaclrole AND owner.level = 'Owner' "
      + 'CROSS JOIN LATERAL pg_catalog.aclexplode(entries.defaclacl) entry '
      + "JOIN roles ON roles.oid = entry.grantee AND roles.level <> 'Owner' WHERE entries.defaclnamespace = 0), "
      + 'differences AS ((SELECT *, true AS add FROM desired EXCEPT SELECT *, true FROM actual) '
      + 'UNION ALL (SELECT *, false FROM actual EXCEPT SELECT *, false FROM desired)) '
      + 'SELECT type, rolname AS role, add, pg_catalog.string_agg(privilege, \', \' ORDER BY privilege) AS privileges '
      + 'FROM differences GROUP BY type, rolname, add ORDER BY type, rolname, add DESC',
    values: [groups.Reader, groups.Writer, groups.Owner],
  };
}

/** Privileges of a role that differ on an object. */
export interface Difference {
  /** `database`, `schema`, `table` or `sequence`; for default privileges the letter of the catalogue. */
  readonly type: string;
  /** Quoted by the server. */
  readonly name: string;
  readonly role: string;
  readonly add: boolean;
  /** Words of the server, separated by commas. */
  readonly privileges: string;
}

/** Objects of one statement. */
const MOST_OBJECTS = 100;

/** One statement for objects whose differences are alike. */
export function alignPrivileges(differences: readonly Difference[]): Statement[] {
  const alike = new Map<string, Difference[]>();
  for (const difference of differences) {
    const { type, role, add, privileges } = difference;
    const key = JSON.stringify([type, role, add, privileges]);
    alike.set(key, [...(alike.get(key) ?? []), difference]);
  }
  return [...alike.values()].flatMap((all) => {
    const { type, role, add, privileges } = all[0]!;
    return chunks(all.map(({ name }) => name)).map((names) => ({
      step: `${add ? 'grant' : 'revoke'} ${privileges} on ${type} ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`,
      text: add
        ? `GRANT ${privileges} ON ${type.toUpperCase()} ${names.join(', ')} TO ${identifier(role)}`
        : `REVOKE ${privileges} ON ${type.toUpperCase()} ${names.join(', ')} FROM ${identifier(role)}`,
    }));
  });
}

function chunks(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / MOST_OBJECTS);
  return Array.from({ length: count }, (_, index) => names.slice(index * MOST_OBJECTS, (index + 1) * MOST_OBJECTS));
}

const PLURALS: Readonly<Record<string, string>> = { n: 'SCHEMAS', r: 'TABLES', S: 'SEQUENCES' };

export function alignDefaults({ Owner: owner }: GroupNames, { type, role, add, privileges }: Omit<Difference, 'name'>): Statement {
  const what = `${privileges} ON ${PLURALS[type]!}`;
  return {
    step: `${add ? 'grant' : 'revoke'} ${privileges} on future ${PLURALS[type]!.toLowerCase()}`,
    text: `ALTER DEFAULT PRIVILEGES FOR ROLE ${identifier(owner)} `
      + (add ? `GRANT ${what} TO ${identifier(role)}` : `REVOKE ${what} FROM ${identifier(role)}`),
  };
}

/** Roles that nobody can log in as. */
export function createGroup(name: string, database: string): Statement[] {
  return [{ step: `create role "${name}"`, text: `CREATE ROLE ${identifier(name)} NOLOGIN` }, mark(name, madeForDatabase(database))];
}

const TYPES: Readonly<Record<PrincipalType, string>> = { Group: 'group', ServicePrincipal: 'service', User: 'user' };

/** Azure's function makes the role and its mapping to the principal. Neither an administrator, nor with a second factor. */
export function createPrincipal(user: string, principalId: string, type: PrincipalType): Statement[] {
  return [
    {
      step: 'create the user of the principal',
      text: 'SELECT pg_catalog.pgaadauth_create_principal_with_oid($1, $2, $3, false, false)',
      values: [user, principalId, TYPES[type]],
    },
    mark(user, MADE_HERE),
  ];
}

function mark(role: string, comment: string): Statement {
  return { step: `comment on role "${role}"`, text: `COMMENT ON ROLE ${identifier(role)} IS ${literal(comment)}` };
}

/** So that this controller may grant what belongs to the role. */
export function joinRole(role: string): Statement {
  return { step: `become a member of role "${role}"`, text: `GRANT ${identifier(role)} TO CURRENT_USER` };
}

export function grantRole(role: string, user: string): Statement {
  return { step: `grant role "${role}"`, text: `GRANT ${identifier(role)} TO ${identifier(user)}` };
}

export function revokeRole(role: string, user: string): Statement {
  return { step: `revoke role "${role}"`, text: `REVOKE ${identifier(role)} FROM ${identifier(user)}` };
}

/** Objects that the user creates in the database belong to the role then. */
export function actAs(user: string, database: string, role: string): Statement {
  return {
    step: `let the user act as "${role}"`,
    text: `ALTER ROLE ${identifier(user)} IN DATABASE ${identifier(database)} SET role = ${literal(role)}`,
  };
}

export function actAsItself(user: string, database: string): Statement {
  return { step: 'let the user act as itself', text: `ALTER ROLE ${identifier(user)} IN DATABASE ${identifier(database)} RESET role` };
}

export function dropRole(role: string): Statement {
  return { step: `drop role "${role}"`, text: `DROP ROLE IF EXISTS ${identifier(role)}` };
}

const LOCK_ROLE = 'cdk8s-aso:lock';

/**
 * Of all controllers and objects, one changes the roles of a server at a time. The lock is a role that a transaction makes and drops again:
 * another transaction that makes it waits. Only administrators can make roles, whereas an advisory lock, which is there for everybody who
 * may connect, could be held by any user. It goes with the connection, too.
 */
export const LOCK: readonly Statement[] = [
  { step: 'begin', text: 'BEGIN' },
  { step: 'lock the roles of the server', text: `CREATE ROLE ${identifier(LOCK_ROLE)} NOLOGIN` },
  // A lock that a user holds must not hold up the accesses of others.
  { step: 'limit the wait for locks', text: "SET LOCAL lock_timeout = '5s'" },
];

export const UNLOCK: readonly Statement[] = [
  { step: 'unlock the roles of the server', text: `DROP ROLE ${identifier(LOCK_ROLE)}` },
  { step: 'commit', text: 'COMMIT' },
];

/** A statement that may fail without undoing those before it in the transaction. */
export const SAVEPOINT: Statement = { step: 'set a savepoint', text: 'SAVEPOINT attempt' };
export const UNDO: Statement = { step: 'return to the savepoint', text: 'ROLLBACK TO SAVEPOINT attempt' };
