import { createConnection, type Connection } from 'mysql2/promise';
import { MYSQL_SERVERS, MYSQL_USERS, UsersEnvironment } from './environment';
import { ADMIN, mariadbPrograms, skipped, startMariadb, type DatabaseServer } from './servers';
import { mysqlConnect, mysqlUsers, userKind } from '../../../controller/databases';
import { object } from '../reconcile/harness';

const programs = mariadbPrograms();
if (!programs) skipped('MariaDB');

/**
 * A real server over TLS, behind the reconciler. MariaDB, which Debian has in place of MySQL, has all of these statements but Azure's own.
 */
(programs ? describe : describe.skip)('users of MySQL', () => {
  let server: DatabaseServer;
  let admin: Connection;
  let environment: UsersEnvironment;

  const login = (user: string, password: string) =>
    createConnection({ host: '127.0.0.1', port: server.port, user, password, ssl: { ca: server.ca } });
  const mayLogin = async (user: string, password: string) => {
    try {
      await (await login(user, password)).end();
      return true;
    } catch {
      return false;
    }
  };
  const names = async (sql: string, values: unknown[]) =>
    ((await admin.query(sql, values))[0] as { name: string }[]).map(({ name }) => name).sort();
  const hostsOf = (user: string) => names('SELECT Host AS name FROM mysql.user WHERE User = ?', [user]);
  const privilegesOf = (user: string, host = '%') =>
    names('SELECT PRIVILEGE_TYPE AS name FROM INFORMATION_SCHEMA.USER_PRIVILEGES WHERE GRANTEE = ?', [`'${user}'@'${host}'`]);
  const databasePrivilegesOf = (user: string, host = '%') =>
    names("SELECT CONCAT(TABLE_SCHEMA, ' ', PRIVILEGE_TYPE) AS name FROM INFORMATION_SCHEMA.SCHEMA_PRIVILEGES WHERE GRANTEE = ?", [
      `'${user}'@'${host}'`,
    ]);
  const localUser = {
    serverAdminUsername: ADMIN.user,
    serverAdminPassword: { name: 'admin', key: 'password' },
    password: { name: 'user', key: 'password' },
  };
  const apply = (name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) =>
    environment.cluster.create(MYSQL_USERS, object(MYSQL_USERS, name, { owner: { name: 'db' }, localUser, ...spec }, annotations));
  const ready = (name: string) => environment.reaches(MYSQL_USERS, name, 'Succeeded');
  const edit = (name: string, spec: Record<string, unknown>) => environment.cluster.edit(MYSQL_USERS, 'default', name, spec);

  beforeAll(async () => {
    server = await startMariadb(programs!);
    admin = await login(ADMIN.user, ADMIN.password);
    await admin.query("SET SESSION sql_mode = ''");
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  beforeEach(async () => {
    environment = new UsersEnvironment({ 'dbformysql.azure.com/User': userKind(mysqlUsers(mysqlConnect({ ca: server.ca }), server.port)) });
    environment.besides = { databaseToken: async () => 'a.token' };
    await environment.given(MYSQL_SERVERS, 'db', { fullyQualifiedDomainName: 'localhost' });
    await environment.secret('admin', { password: ADMIN.password });
    await environment.secret('user', { password: "it's \\ first; --" });
    await environment.start();
  });
  afterEach(() => environment.kill());

  test('docs/spec/users.md#mysql-statements: create, align: a local user, whatever is in its password', async () => {
    await apply('app');
    await ready('app');
    expect(await mayLogin('app', "it's \\ first; --")).toBe(true);
    expect(await hostsOf('app')).toEqual(['%']);
    await environment.changeSecret('user', { password: 'second' });
    await environment.sync('app');
    expect(await mayLogin('app', 'second')).toBe(true);
    expect(await mayLogin('app', "it's \\ first; --")).toBe(false);
  });

  test('docs/spec/users.md#mysql-statements: escaping: names that would end a text are names', async () => {
    const name = "a\\'; DROP USER 'x'@'%'; --`\"";
    await apply('odd', { azureName: name });
    await ready('odd');
    expect(await hostsOf(name)).toEqual(['%']);
    await environment.cluster.delete(MYSQL_USERS, 'odd', 'default');
    await environment.goes(MYSQL_USERS, 'odd');
    expect(await hostsOf(name)).toEqual([]);
  });

  test('docs/spec/users.md#mysql-privileges: difference: missing privileges are granted, surplus ones revoked, in any case of letters', async () => {
    await apply('priv', {
      privileges: ['process', 'RELOAD', 'Show  Databases'],
      databasePrivileges: { 'data`?base': ['select', 'INSERT'], 'other': ['ALL'] },
    });
    await ready('priv');
    expect(await privilegesOf('priv')).toEqual(['PROCESS', 'RELOAD', 'SHOW DATABASES']);
    expect((await databasePrivilegesOf('priv')).filter((text) => text.startsWith('data'))).toEqual([
      'data`?base INSERT',
      'data`?base SELECT',
    ]);
    expect(await databasePrivilegesOf('priv')).toContain('other CREATE');
    await environment.sync('priv');
    expect(await privilegesOf('priv')).toEqual(['PROCESS', 'RELOAD', 'SHOW DATABASES']);
    await edit('priv', { privileges: ['PROCESS', 'CREATE USER'], databasePrivileges: { 'data`?base': ['SELECT'] } });
    await ready('priv');
    expect(await privilegesOf('priv')).toEqual(['CREATE USER', 'PROCESS']);
    expect(await databasePrivilegesOf('priv')).toEqual(['data`?base SELECT']);
    await edit('priv', { privileges: undefined, databasePrivileges: undefined });
    await ready('priv');
    expect(await privilegesOf('priv')).toEqual(['USAGE']);
    expect(await databasePrivilegesOf('priv')).toEqual([]);
  });

  test('docs/spec/users.md#mysql-privileges: ALL: granted every time, nothing revoked', async () => {
    await apply('all', { privileges: ['RELOAD'] });
    await ready('all');
    await edit('all', { privileges: ['all'] });
    await ready('all');
    expect((await privilegesOf('all')).length).toBeGreaterThan(10);
    await environment.sync('all');
    expect(environment.ready(MYSQL_USERS, 'all')).toMatchObject({ status: 'True' });
  });

  test('docs/spec/users.md#mysql-privileges: order: one failure does not keep the others from being put right, and all are reported together', async () => {
    await apply('several', { privileges: ['RELOAD'] });
    await ready('several');
    await edit('several', { privileges: ['NO SUCH'], databasePrivileges: { a: ['WRONG'], b: ['SELECT'] } });
    await environment.reaches(MYSQL_USERS, 'several', 'Failed', 'grant on the server');
    expect(environment.ready(MYSQL_USERS, 'several')!.message).toContain('grant on database "a"');
    expect(await privilegesOf('several')).toEqual(['USAGE']);
    expect(await databasePrivilegesOf('several')).toEqual(['b SELECT']);
  });

  test('docs/spec/users.md#mysql-statements: escaping: of privileges, only words get into a statement (better: as is)', async () => {
    await apply('words', { privileges: ["RELOAD ON *.* TO 'x'@'%' -- "] });
    await environment.reaches(MYSQL_USERS, 'words', 'Failed', 'is no privilege of MySQL');
  });

  test('docs/spec/users.md#mysql-statements: grant, revoke, exists, drop: grant, revoke, existence and drop are of the account with its host', async () => {
    await admin.query("CREATE USER 'same'@'%' IDENTIFIED BY 'other'");
    await apply('same', { hostname: '10.0.0.%', privileges: ['PROCESS'] });
    await ready('same');
    expect(await privilegesOf('same', '10.0.0.%')).toEqual(['PROCESS']);
    expect(await privilegesOf('same')).toEqual(['USAGE']);
    await environment.cluster.delete(MYSQL_USERS, 'same', 'default');
    await environment.goes(MYSQL_USERS, 'same');
    expect(await hostsOf('same')).toEqual(['%']);
    await apply('same', { hostname: '10.0.0.%' }, { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    await environment.reaches(MYSQL_USERS, 'same', 'AzureResourceNotFound', 'user "same"@"10.0.0.%" does not exist');
  });

  test('docs/spec/users.md#mysql-login: token: without a password the administrator logs in with a token, but not without a name', async () => {
    await apply('by-token', { localUser: { serverAdminUsername: 'entra admin', password: localUser.password } });
    await ready('by-token');
    expect(await mayLogin('by-token', "it's \\ first; --")).toBe(true);
    await apply('nobody', { localUser: undefined, aadUser: { serverAdminUsername: '' } });
    await environment.reaches(MYSQL_USERS, 'nobody', 'Failed', 'spec.aadUser.serverAdminUsername is empty');
  });

  test('docs/spec/users.md#mysql-statements: create Entra user: the statement is Azure\'s own, and what a server says to it shows no token', async () => {
    await apply('entra', { localUser: undefined, aadUser: { serverAdminUsername: 'entra admin', alias: 'short' } });
    await environment.reaches(MYSQL_USERS, 'entra', 'Failed', 'create Entra user: You have an error in your SQL syntax');
    expect(JSON.stringify(environment.stored(MYSQL_USERS, 'entra'))).not.toContain('a.token');
    await admin.query("CREATE USER 'short'@'%' IDENTIFIED BY 'x'");
    await environment.cluster.delete(MYSQL_USERS, 'entra', 'default');
    await environment.goes(MYSQL_USERS, 'entra');
    expect(await hostsOf('short')).toEqual([]);
  });

  test('docs/spec/users.md#errors: cannot connect: server, port, database and administrator, but no password', async () => {
    await environment.changeSecret('admin', { password: 'wrong-password' });
    await apply('locked');
    await environment.reaches(
      MYSQL_USERS,
      'locked',
      'Failed',
      `cannot connect to server "localhost", port ${server.port}, database "mysql", as administrator "boss": Access denied`,
    );
    expect(JSON.stringify([environment.stored(MYSQL_USERS, 'locked'), environment.events])).not.toContain('wrong-password');
    await environment.changeSecret('admin', { password: ADMIN.password });
    await ready('locked');
  });

  test('docs/spec/users.md#connections: TLS: a server whose certificate or name is not the right one gets no password', async () => {
    const connect = (ca: string | undefined, host: string) =>
      mysqlConnect(ca === undefined ? {} : { ca })({ host, port: server.port, database: 'mysql' }, { ...ADMIN, isToken: false });
    await expect(connect(undefined, 'localhost')).rejects.toThrow(/certificate/);
    await expect(connect(server.ca, '127.0.0.2')).rejects.toThrow();
    await (await connect(server.ca, 'localhost')).close();
  });
});
