import { Client } from 'pg';
import { ADMIN, type DatabaseServer } from '../servers';

/** The Entra administrator of the server, with a token that stands for a password. */
export const ADMINISTRATOR = { user: 'platform-db-admin', token: 'a.token' };

/**
 * Azure's additions to PostgreSQL, as far as its documentation describes them: the role `azure_pg_admin`, an Entra administrator that is no
 * superuser, and the functions of principals. They keep the mapping where Azure does, in the security labels of roles; the provider of the
 * labels is Azure's, so the stand-in writes the catalogue's table.
 * https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-manage-azure-ad-users
 */
const STAND_IN = `
  SET allow_system_table_mods = on;
  CREATE ROLE azure_pg_admin NOLOGIN;
  CREATE ROLE "${ADMINISTRATOR.user}" LOGIN CREATEROLE CREATEDB PASSWORD '${ADMINISTRATOR.token}' IN ROLE azure_pg_admin;
  CREATE FUNCTION pg_catalog.pgaadauth_label(role text, label text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET allow_system_table_mods = on AS $$
  BEGIN
    INSERT INTO pg_catalog.pg_shseclabel (objoid, classoid, provider, label)
      SELECT oid, 'pg_catalog.pg_authid'::regclass, 'pgaadauth', pgaadauth_label.label FROM pg_catalog.pg_authid WHERE rolname = role;
  END $$;
  CREATE FUNCTION pg_catalog.pgaadauth_create_principal_with_oid(roleName text, objectId text, objectType text, isAdmin boolean, isMfa boolean)
    RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    IF objectType NOT IN ('user', 'group', 'service') THEN RAISE EXCEPTION 'unknown type %', objectType; END IF;
    EXECUTE pg_catalog.format('CREATE ROLE %I LOGIN', roleName);
    PERFORM pg_catalog.pgaadauth_label(roleName, pg_catalog.format('aadauth,oid=%s,type=%s%s', objectId, objectType, CASE WHEN isAdmin THEN ',admin' ELSE '' END));
    RETURN 'Created role for ' || roleName;
  END $$;
  CREATE FUNCTION pg_catalog.pgaadauth_list_principals(isAdminValue boolean)
    RETURNS TABLE(rolname name, principalType text, objectId text, tenantId text, isMfa integer, isAdmin integer)
    LANGUAGE sql SECURITY DEFINER AS $$
    SELECT role.rolname, substring(label from 'type=([a-z]+)'), substring(label from 'oid=([^,]+)'), 't', 0, (label LIKE '%,admin')::integer
      FROM pg_catalog.pg_shseclabel labels JOIN pg_catalog.pg_roles role ON role.oid = labels.objoid
      WHERE provider = 'pgaadauth' AND (NOT isAdminValue OR label LIKE '%,admin');
  $$;
`;

/** Makes a plain PostgreSQL like one of Azure. */
export async function makeLikeAzure(admin: Client): Promise<void> {
  await admin.query(STAND_IN);
}

export function adminClient(server: DatabaseServer, database = 'postgres'): Client {
  return new Client({ host: 'localhost', port: server.port, database, ...ADMIN, ssl: { ca: server.ca } });
}
