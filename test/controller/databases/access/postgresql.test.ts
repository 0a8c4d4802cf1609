import { Client } from 'pg';
import { adminClient, ADMINISTRATOR, makeLikeAzure } from './azure-postgresql';
import { accessKind, postgresqlAccess, postgresqlConnect } from '../../../../controller/databases';
import { groupNamesOf } from '../../../../controller/databases/postgresql/access';
import type { Connect } from '../../../../controller/databases/session';
import { until } from '../../../setup/until';
import { CONFIG_MAPS, object } from '../../reconcile/harness';
import { ACCESSES, POSTGRES_DATABASES, POSTGRES_SERVERS, UsersEnvironment } from '../environment';
import { postgresPrograms, skipped, startPostgres, type DatabaseServer } from '../servers';

const programs = postgresPrograms();
if (!programs) skipped('PostgreSQL');

const IDS = { postings: '0f8fad5b-d9cb-469f-a165-70867728950e', audit: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
const DATABASE = 'ledger--postings';
const SERVER_ID = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/shared/providers/Microsoft.DBforPostgreSQL/flexibleServers/databases';

/** Real PostgreSQL, over TLS, behind the reconciler. Azure's functions are stand-ins (azure-postgresql.ts). */
(programs ? describe : describe.skip)('access to databases of PostgreSQL', () => {
  let server: DatabaseServer;
  let admin: Client;
  let inDatabase: Client;
  let environment: UsersEnvironment;
  let statements: string[];
  let failAt: ((text: string) => boolean) | undefined;
  let beforeSending: ((text: string) => Promise<void>) | undefined;

  /** The driver, with what it sends on record. */
  const recorded = (): Connect => {
    const connect = postgresqlConnect({ ca: server.ca });
    return async (target, login) => {
      const session = await connect(target, login);
      return {
        ...session,
        rows: async (statement) => {
          statements.push(statement.text);
          if (failAt?.(statement.text)) {
            session.destroy();
            throw new Error('the connection is gone');
          }
          await beforeSending?.(statement.text);
          return session.rows(statement);
        },
      };
    };
  };
  const writes = () => statements.filter((text) => !/^(SELECT (?!pg_catalog\.pgaadauth_create)|WITH )/.test(text));
  const spec = (more: Record<string, unknown> = {}) => ({
    owner: { group: 'dbforpostgresql.azure.com', kind: 'FlexibleServersDatabase', name: 'postings' },
    azureName: 'id-postings',
    administrator: ADMINISTRATOR.user,
    level: 'Owner',
    principalType: 'ServicePrincipal',
    principalId: IDS.postings,
    ...more,
  });
  const apply = (name: string, more?: Record<string, unknown>, annotations?: Record<string, string>) =>
    environment.cluster.create(ACCESSES, object(ACCESSES, name, spec(more), annotations));
  const ready = (name: string) => environment.reaches(ACCESSES, name, 'Succeeded');
  const remove = async (name: string) => {
    await environment.cluster.delete(ACCESSES, name, 'default');
    await environment.goes(ACCESSES, name);
  };
  const roles = async () => (await admin.query<{ name: string }>(
    "SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'id-%' OR rolname LIKE 'ledger--postings:%' ORDER BY 1",
  )).rows.map(({ name }) => name);
  /** Logs in as a workload does, with a password in the place of a token. */
  const as = async <T>(user: string, act: (client: Client) => Promise<T>, database = DATABASE): Promise<T> => {
    await admin.query(`ALTER ROLE "${user}" PASSWORD 'workload'`);
    const client = new Client({ host: 'localhost', port: server.port, database, user, password: 'workload', ssl: { ca: server.ca } });
    await client.connect();
    try {
      return await act(client);
    } finally {
      await client.end();
    }
  };
  const refused = (user: string, text: string) => as(user, (client) => client.query(text)).then(() => 'allowed', ({ code }) => String(code));

  beforeAll(async () => {
    server = await startPostgres(programs!);
    admin = adminClient(server);
    await admin.connect();
    await makeLikeAzure(admin);
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  beforeEach(async () => {
    statements = [];
    failAt = undefined;
    beforeSending = undefined;
    await admin.query(`CREATE DATABASE "${DATABASE}" OWNER azure_pg_admin`);
    inDatabase = adminClient(server, DATABASE);
    await inDatabase.connect();
    environment = new UsersEnvironment({
      'databases.aso.cdk8s.io/DatabaseAccess': accessKind({ postgresql: postgresqlAccess(recorded(), server.port, () => 'localhost') }),
    });
    environment.besides = { databaseToken: async () => ADMINISTRATOR.token };
    await environment.given(POSTGRES_SERVERS, 'db', { fullyQualifiedDomainName: 'localhost' });
    await environment.given(POSTGRES_DATABASES, 'postings', {}, { owner: { name: 'db' }, azureName: DATABASE });
    await environment.start();
  });
  afterEach(async () => {
    await environment.kill();
    await inDatabase.end();
    await admin.query(`DROP DATABASE IF EXISTS "${DATABASE}" WITH (FORCE)`);
    for (const role of await roles()) await admin.query(`DROP ROLE "${role}"`);
  });

  test('an Owner changes the schema, a Writer the data, a Reader nothing; what the Owner creates later is theirs too', async () => {
    await apply('owner');
    await apply('writer', { azureName: 'id-writer', level: 'Writer', principalId: IDS.audit });
    await apply('reader', { azureName: 'id-reader', level: 'Reader', principalId: '00000000-0000-0000-0000-000000000001' });
    for (const name of ['owner', 'writer', 'reader']) await ready(name);
    await as('id-postings', async (client) => {
      await client.query('CREATE TABLE entries (id serial, amount int)');
      await client.query('CREATE SCHEMA audit CREATE TABLE audit.log (line text)');
    });
    await as('id-writer', (client) => client.query('INSERT INTO entries (amount) VALUES (1); INSERT INTO audit.log VALUES (\'x\')'));
    expect((await as('id-reader', (client) => client.query('SELECT amount FROM entries'))).rows).toEqual([{ amount: 1 }]);
    expect(await refused('id-reader', 'INSERT INTO entries (amount) VALUES (2)')).toBe('42501');
    expect(await refused('id-writer', 'CREATE TABLE mine ()')).toBe('42501');
    expect(await refused('id-writer', 'DROP TABLE entries')).toBe('42501');
    const owners = await inDatabase.query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname IN ('public', 'audit')");
    expect(owners.rows).toEqual([{ tableowner: 'ledger--postings:owner' }]);
    expect(await roles()).toEqual(['id-postings', 'id-reader', 'id-writer', ...Object.values(groupNamesOf(DATABASE)).sort()]);
  });

  test('at rest nothing is written, and drift is corrected at the sync', async () => {
    await apply('owner');
    await ready('owner');
    await as('id-postings', (client) => client.query('CREATE TABLE entries (id serial)'));
    statements = [];
    await environment.sync('owner');
    expect(environment.ready(ACCESSES, 'owner')).toMatchObject({ status: 'True' });
    expect(writes()).toEqual([]);
    await inDatabase.query('REVOKE ALL ON entries FROM "ledger--postings:reader"; GRANT DELETE ON entries TO "ledger--postings:reader"');
    await inDatabase.query('GRANT "ledger--postings:reader" TO "id-postings"; ALTER ROLE "id-postings" RESET ALL');
    await inDatabase.query('ALTER DEFAULT PRIVILEGES FOR ROLE "ledger--postings:owner" REVOKE SELECT ON TABLES FROM "ledger--postings:reader"');
    await environment.sync('owner');
    expect(environment.ready(ACCESSES, 'owner')).toMatchObject({ status: 'True' });
    expect(writes()).toEqual([
      'GRANT SELECT ON TABLE public.entries TO "ledger--postings:reader"',
      'REVOKE DELETE ON TABLE public.entries FROM "ledger--postings:reader"',
      'ALTER DEFAULT PRIVILEGES FOR ROLE "ledger--postings:owner" GRANT SELECT ON TABLES TO "ledger--postings:reader"',
      'BEGIN',
      'CREATE ROLE "cdk8s-aso:lock" NOLOGIN',
      "SET LOCAL lock_timeout = '5s'",
      'REVOKE "ledger--postings:reader" FROM "id-postings"',
      'DROP ROLE "cdk8s-aso:lock"',
      'COMMIT',
    ]);
  });

  test('another level: the user leaves the role of the old one', async () => {
    await apply('owner');
    await ready('owner');
    await as('id-postings', (client) => client.query('CREATE TABLE entries (id int)'));
    await environment.cluster.edit(ACCESSES, 'default', 'owner', { level: 'Reader' });
    await ready('owner');
    expect(await refused('id-postings', 'SELECT * FROM entries')).toBe('allowed');
    expect(await refused('id-postings', 'DROP TABLE entries')).toBe('42501');
    expect(await refused('id-postings', 'CREATE TABLE other ()')).toBe('42501');
  });

  test('deletion drops the user and keeps what it has created', async () => {
    await apply('owner');
    await ready('owner');
    await as('id-postings', (client) => client.query('CREATE TABLE entries AS SELECT 1 AS id'));
    await remove('owner');
    expect(await roles()).toEqual(Object.values(groupNamesOf(DATABASE)).sort());
    expect((await inDatabase.query('SELECT id FROM entries')).rows).toEqual([{ id: 1 }]);
  });

  test('a user of two databases stays until the second access goes', async () => {
    await admin.query('CREATE DATABASE "ledger--other" OWNER azure_pg_admin');
    try {
      await environment.given(POSTGRES_DATABASES, 'other', {}, { owner: { name: 'db' }, azureName: 'ledger--other' });
      await apply('first');
      await apply('second', { owner: { group: 'dbforpostgresql.azure.com', kind: 'FlexibleServersDatabase', name: 'other' }, level: 'Reader' });
      await ready('first');
      await ready('second');
      await remove('first');
      expect(await roles()).toContain('id-postings');
      expect(await refused('id-postings', 'CREATE TABLE entries ()')).toBe('42501');
      await remove('second');
      expect(await roles()).not.toContain('id-postings');
    } finally {
      await admin.query('DROP DATABASE "ledger--other" WITH (FORCE)');
      for (const group of Object.values(groupNamesOf('ledger--other'))) await admin.query(`DROP ROLE IF EXISTS "${group}"`);
    }
  });

  test('the database is gone: its roles go with the last access', async () => {
    await apply('owner', { owner: { armId: `${SERVER_ID}/databases/${DATABASE}` } });
    await ready('owner');
    await inDatabase.end();
    await admin.query(`DROP DATABASE "${DATABASE}" WITH (FORCE)`);
    await remove('owner');
    expect(await roles()).toEqual([]);
    inDatabase = adminClient(server);
    await inDatabase.connect();
  });

  test('the object of the database is gone before the access: the user is dropped where the annotation says', async () => {
    const armId = `${SERVER_ID}/databases/${DATABASE}`;
    const resourceId = { 'serviceoperator.azure.com/resource-id': armId };
    const { metadata } = environment.stored(POSTGRES_DATABASES, 'postings')!;
    await environment.cluster.replace(POSTGRES_DATABASES, {
      ...environment.stored(POSTGRES_DATABASES, 'postings')!, metadata: { ...metadata, annotations: { ...metadata.annotations, ...resourceId } },
    });
    await apply('owner');
    await ready('owner');
    expect(environment.stored(ACCESSES, 'owner')!.metadata.annotations).toMatchObject({ 'aso.cdk8s.io/database-id': armId });
    await environment.cluster.delete(POSTGRES_DATABASES, 'postings', 'default');
    await remove('owner');
    expect(await roles()).not.toContain('id-postings');
  });

  test('a user that owns objects loses its access and stays, with a condition that says what to do', async () => {
    await apply('owner');
    await ready('owner');
    await as('id-postings', (client) => client.query('SET ROLE NONE; CREATE SCHEMA own'));
    await environment.cluster.delete(ACCESSES, 'owner', 'default');
    await environment.reaches(ACCESSES, 'owner', 'Failed', 'REASSIGN OWNED BY');
    expect((await admin.query("SELECT 1 FROM pg_auth_members WHERE member = '\"id-postings\"'::regrole")).rowCount).toBe(0);
    await inDatabase.query('REASSIGN OWNED BY "id-postings" TO azure_pg_admin');
    await environment.clock.advance(10_000);
    await environment.goes(ACCESSES, 'owner');
    expect(await roles()).not.toContain('id-postings');
  });

  test('a user that others have made gets its access, and is never dropped', async () => {
    await admin.query(`SELECT pgaadauth_create_principal_with_oid('id-postings', '${IDS.postings.toUpperCase()}', 'service', false, false)`);
    await apply('reader', { level: 'Reader' });
    await ready('reader');
    await remove('reader');
    expect(await roles()).toContain('id-postings');
    expect((await admin.query("SELECT 1 FROM pg_auth_members WHERE member = '\"id-postings\"'::regrole")).rowCount).toBe(0);
  });

  test.each([
    ['an administrator', `SELECT pgaadauth_create_principal_with_oid('id-postings', '${IDS.postings}', 'service', true, false)`, 'is an administrator of the server'],
    ['a member of azure_pg_admin', `SELECT pgaadauth_create_principal_with_oid('id-postings', '${IDS.postings}', 'service', false, false); GRANT azure_pg_admin TO "id-postings"`, 'is an administrator of the server'],
    ['another principal', `SELECT pgaadauth_create_principal_with_oid('id-postings', '${IDS.audit}', 'service', false, false)`, `object id ${IDS.audit}, not ${IDS.postings}`],
    ['a role with a password', 'CREATE ROLE "id-postings" LOGIN PASSWORD \'x\'', 'is no principal of Entra'],
    ['a role of the database that others have made', 'CREATE ROLE "ledger--postings:reader" LOGIN', 'was not made by this controller'],
    ['a role of another database that has the same name',
      'CREATE ROLE "ledger--postings:reader" NOLOGIN; '
      + 'COMMENT ON ROLE "ledger--postings:reader" IS \'Made by cdk8s-aso (aso.cdk8s.io) for database ledger--other\'',
      'was not made by this controller for database "ledger--postings"'],
  ])('%s is refused, and nothing is changed', async (_, before, message) => {
    await admin.query(before);
    await apply('owner');
    await environment.reaches(ACCESSES, 'owner', 'Failed', message);
    expect(environment.ready(ACCESSES, 'owner')).toMatchObject({ severity: 'Error' });
    expect(writes()).toEqual([]);
    await remove('owner');
    expect((await roles()).length).toBe(1);
  });

  test.each([
    ['a quote', 'a"; DROP ROLE boss; --', 'contains "\\""'],
    ['an apostrophe', "a'b", 'contains "\'"'],
    ['a comment', 'a--b', 'contains "--"'],
    ['a null byte', 'a\0b', 'contains a control character'],
    ['more bytes than the server takes', 'ä'.repeat(40), 'has more than the 63 bytes'],
    ['the administrator', ADMINISTRATOR.user, 'is the administrator that this controller logs in as'],
  ])('a name with %s is refused before any statement', async (_, azureName, message) => {
    await apply('hostile', { azureName });
    await environment.reaches(ACCESSES, 'hostile', 'Failed', message);
    expect(environment.ready(ACCESSES, 'hostile')).toMatchObject({ severity: 'Error' });
    expect(statements).toEqual([]);
  });

  test.each([
    ['=', 'oid', 'regclass', DATABASE],
    ['->>', 'jsonb', 'jsonb', 'postgres'],
  ])('an operator %s that a user has made in the schema public is not run with the rights of the administrator', async (operator, left, right, database) => {
    await apply('owner');
    await ready('owner');
    await admin.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
    try {
      // Cheap, so that the planner asks it first.
      await as('id-postings', (client) => client.query(`
        CREATE FUNCTION public.taken(a ${left}, b ${right}) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN
          IF current_user = '${ADMINISTRATOR.user}' THEN GRANT azure_pg_admin TO "id-postings"; END IF;
          RETURN true;
        END $$;
        CREATE OPERATOR public.${operator} (leftarg = ${left}, rightarg = ${right}, function = public.taken);
        CREATE TABLE public.entries ();
      `), database);
      await environment.sync('owner');
      const members = await admin.query("SELECT pg_has_role('id-postings', 'azure_pg_admin', 'MEMBER') AS taken");
      expect(members.rows).toEqual([{ taken: false }]);
      expect(environment.ready(ACCESSES, 'owner')).toMatchObject({ status: 'True' });
    } finally {
      await admin.query(`DROP OPERATOR IF EXISTS public.${operator} (${left}, ${right}); DROP FUNCTION IF EXISTS public.taken; DROP TABLE IF EXISTS public.entries`);
      await admin.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    }
  });

  test('locks that a user holds do not hold up the accesses of others', async () => {
    await apply('owner');
    await ready('owner');
    await as('id-postings', async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtext('aso.cdk8s.io/roles')); BEGIN; ALTER ROLE CURRENT_USER SET work_mem = '4MB'");
      await apply('reader', { azureName: 'id-reader', level: 'Reader', principalId: IDS.audit });
      await ready('reader');
      await remove('reader');
    }, 'postgres');
    expect(await roles()).not.toContain('id-reader');
  });

  test('the server ends a statement that waits for a lock, and searches nothing but its catalogue', async () => {
    const session = await postgresqlConnect({ ca: server.ca })({ host: 'localhost', port: server.port, database: DATABASE }, {
      user: ADMINISTRATOR.user, password: ADMINISTRATOR.token, isToken: true,
    });
    const names = ['search_path', 'lock_timeout', 'statement_timeout'];
    const text = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
    const settings = await session.rows({ step: 'read settings', text });
    await session.close();
    expect(settings).toEqual([{ search_path: 'pg_catalog, pg_temp', lock_timeout: '20s', statement_timeout: '1min' }]);
  });

  test('names of other scripts, with brackets, backslashes and percent signs, are kept as they are', async () => {
    const azureName = 'id-Ünï [x] \\ % 名';
    await apply('unusual', { azureName, level: 'Writer' });
    await ready('unusual');
    expect(await roles()).toContain(azureName);
    await remove('unusual');
    expect(await roles()).not.toContain(azureName);
  });

  test('a connection that breaks at any write: the next reconcile finishes the work, and nothing is made twice', async () => {
    let at = 0;
    let count = 0;
    failAt = (text) => !/^(SELECT (?!pg_catalog\.pgaadauth_create)|WITH )/.test(text) && count++ === at;
    await apply('owner');
    for (let passes = 0; passes < 60 && environment.ready(ACCESSES, 'owner')?.status !== 'True'; passes += 1) {
      const before = environment.reconcilesOf('owner');
      at += 1;
      count = 0;
      await environment.clock.advance(200_000);
      while (environment.reconcilesOf('owner') === before && environment.ready(ACCESSES, 'owner')?.status !== 'True') {
        await environment.clock.advance(200_000);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    expect(environment.ready(ACCESSES, 'owner')).toMatchObject({ status: 'True' });
    await as('id-postings', (client) => client.query('CREATE TABLE entries ()'));
    failAt = undefined;
    await remove('owner');
    expect(await roles()).toEqual(Object.values(groupNamesOf(DATABASE)).sort());
  });

  test('two objects at once, of one database and one principal, share what they need', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => apply(name, { azureName: `id-${name}`, level: 'Writer', principalId: IDS.audit })));
    for (const name of ['a', 'b', 'c']) await ready(name);
    expect(environment.errors).toEqual([]);
  });

  test.each(['GRANT', 'ALTER DEFAULT PRIVILEGES'])('%s that another session has just made is read again, and no error', async (verb) => {
    const ends: Promise<unknown>[] = [];
    beforeSending = async (text) => {
      if (!text.startsWith(verb) || !text.includes(' ON ') || ends.length > 0) return;
      await inDatabase.query('BEGIN');
      await inDatabase.query(text);
      ends.push(endsOnceAwaited());
    };
    const endsOnceAwaited = async () => {
      await until('the statement waits for that of the other session', async () =>
        (await admin.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rows.length > 0);
      await inDatabase.query('COMMIT');
    };
    await apply('owner');
    await ready('owner');
    await Promise.all(ends);
    expect(ends).toHaveLength(1);
    expect(environment.errors).toEqual([]);
  });

  test('the ids come from a ConfigMap, which starts the object when it appears', async () => {
    const { principalId, ...rest } = spec({ principalIdFromConfig: { name: 'id-postings', key: 'principalId' } });
    await environment.cluster.create(ACCESSES, object(ACCESSES, 'late', rest));
    await environment.reaches(ACCESSES, 'late', 'ConfigMapNotFound');
    await environment.cluster.create(CONFIG_MAPS, {
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'id-postings', namespace: 'default' }, data: { principalId },
    });
    await ready('late');
  });

  test('a database that does not exist yet is waited for, and nothing is made on the server', async () => {
    await apply('early', { owner: { armId: `${SERVER_ID}/databases/ledger--later` } });
    await environment.reaches(ACCESSES, 'early', 'WaitingForOwner', 'database "ledger--later" does not exist in server "localhost" yet');
    expect(await roles()).toEqual([]);
    expect(statements).toEqual([]);
  });

  test('an administrator without rights on the database: the condition says what to run', async () => {
    await admin.query(`CREATE ROLE "id-someone" NOLOGIN; ALTER DATABASE "${DATABASE}" OWNER TO "id-someone"`);
    await apply('owner');
    await environment.reaches(ACCESSES, 'owner', 'Failed', `run GRANT "id-someone" TO "${ADMINISTRATOR.user}"`);
    expect(environment.ready(ACCESSES, 'owner')).toMatchObject({ severity: 'Warning' });
    await inDatabase.query(`GRANT "id-someone" TO "${ADMINISTRATOR.user}"`);
    await environment.comesTo(ACCESSES, 'owner', 'Succeeded');
    await admin.query(`ALTER DATABASE "${DATABASE}" OWNER TO azure_pg_admin`);
  });

  test('skip only looks; detach-on-delete leaves the server as it is', async () => {
    await apply('looked', {}, { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    await environment.reaches(ACCESSES, 'looked', 'AzureResourceNotFound', 'user "id-postings" does not exist in server "localhost"');
    expect(writes()).toEqual([]);
    await apply('kept', {}, { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
    await ready('kept');
    await remove('kept');
    expect(await roles()).toContain('id-postings');
  });

  test('neither token nor statement values are in conditions and events', async () => {
    environment.besides = { databaseToken: async () => 'a.wrong.token' };
    await apply('owner');
    await environment.reaches(ACCESSES, 'owner', 'Failed', 'cannot connect to server "localhost"');
    expect(JSON.stringify([environment.stored(ACCESSES, 'owner'), environment.events])).not.toContain('a.wrong.token');
  });
});

test('names of roles: a long database\'s is cut and has a hash, so that no two are alike', () => {
  const long = 'x'.repeat(63);
  const names = [...Object.values(groupNamesOf(long)), ...Object.values(groupNamesOf(`${'x'.repeat(62)}y`)), ...Object.values(groupNamesOf('名'.repeat(21)))];
  expect(names.every((name) => Buffer.byteLength(name) <= 63)).toBe(true);
  expect(new Set(names).size).toBe(names.length);
  expect(groupNamesOf('ledger--postings').Owner).toBe('ledger--postings:owner');
  // 128 bits: nobody finds another database's name with the same hash.
  expect(groupNamesOf(long).Owner).toMatch(/^x+~[0-9a-f]{32}:owner$/);
});
