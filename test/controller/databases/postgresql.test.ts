import { Client } from 'pg';
import { POSTGRES_SERVERS, POSTGRES_USERS, UsersEnvironment } from './environment';
import { ADMIN, postgresPrograms, skipped, startPostgres, type DatabaseServer } from './servers';
import { postgresqlConnect, postgresqlUsers, userKind } from '../../../controller/databases';
import { object } from '../reconcile/harness';

const programs = postgresPrograms();
if (!programs) skipped('PostgreSQL');
const LOCAL_USER = {
  serverAdminUsername: ADMIN.user,
  serverAdminPassword: { name: 'admin', key: 'password' },
  password: { name: 'user', key: 'password' },
};

/** Real PostgreSQL, over TLS, behind the reconciler. */
(programs ? describe : describe.skip)('users of PostgreSQL', () => {
  let server: DatabaseServer;
  let admin: Client;
  let environment: UsersEnvironment;

  const login = (user: string, password: string) =>
    new Client({ host: 'localhost', port: server.port, database: 'postgres', user, password, ssl: { ca: server.ca } });
  const mayLogin = async (user: string, password: string) => {
    const client = login(user, password);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  };
  const rolesOf = async (user: string) => (await admin.query<{ name: string }>(
    'SELECT r.rolname AS name FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid JOIN pg_roles u ON u.oid = m.member WHERE u.rolname = $1 ORDER BY 1', [user],
  )).rows.map(({ name }) => name);
  const exists = async (user: string) => (await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [user])).rowCount === 1;
  const user = (name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) => object(POSTGRES_USERS, name, {
    owner: { name: 'db' },
    localUser: LOCAL_USER,
    ...spec,
  }, annotations);
  const apply = (name: string, spec?: Record<string, unknown>, annotations?: Record<string, string>) =>
    environment.cluster.create(POSTGRES_USERS, user(name, spec, annotations));
  const ready = async (name: string) => environment.reaches(POSTGRES_USERS, name, 'Succeeded');

  beforeAll(async () => {
    server = await startPostgres(programs!);
    admin = login(ADMIN.user, ADMIN.password);
    await admin.connect();
    await admin.query('CREATE ROLE "Team-A" NOLOGIN; CREATE ROLE team_b NOLOGIN');
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  beforeEach(async () => {
    environment = new UsersEnvironment({
      'dbforpostgresql.azure.com/User': userKind(postgresqlUsers(postgresqlConnect({ ca: server.ca }), server.port)),
    });
    await environment.given(POSTGRES_SERVERS, 'db', { fullyQualifiedDomainName: 'localhost' });
    await environment.secret('admin', { password: ADMIN.password });
    await environment.secret('user', { password: 'first \\pass' });
    await environment.start();
  });
  afterEach(() => environment.kill());

  test('docs/spec/users.md#postgresql-statements: create: a user is created, with ownerReference, finalizer and the password', async () => {
    await apply('app');
    await ready('app');
    expect(await mayLogin('app', 'first \\pass')).toBe(true);
    const { metadata, status } = environment.stored(POSTGRES_USERS, 'app')!;
    expect(metadata.finalizers).toEqual(['serviceoperator.azure.com/finalizer']);
    expect(metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'FlexibleServer', name: 'db' })]);
    expect(Object.keys(status!)).toEqual(['conditions']);
  });

  test('docs/spec/users.md#postgresql-statements: align: the password is aligned when its Secret changes, and on every sync', async () => {
    await apply('app2');
    await ready('app2');
    const reconciles = environment.reconcilesOf('app2');
    await environment.changeSecret('user', { password: 'second' });
    await environment.reaches(POSTGRES_USERS, 'app2', 'Succeeded');
    while (environment.reconcilesOf('app2') === reconciles) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await mayLogin('app2', 'second')).toBe(true);
    await admin.query("ALTER USER app2 PASSWORD 'changed by hand'");
    await environment.sync('app2');
    expect(await mayLogin('app2', 'second')).toBe(true);
  });

  test('docs/spec/users.md#lifecycle: Reconcile triggers: a change of the administrator\'s Secret alone starts a reconcile (better: waits for the next sync)', async () => {
    await environment.changeSecret('admin', { password: 'wrong' });
    await apply('late');
    await environment.reaches(POSTGRES_USERS, 'late', 'Failed', 'cannot connect to server "localhost"');
    const { message, severity } = environment.ready(POSTGRES_USERS, 'late')!;
    expect(severity).toBe('Warning');
    expect(message).toContain(`port ${server.port}, database "postgres", as administrator "${ADMIN.user}"`);
    await environment.changeSecret('admin', { password: ADMIN.password });
    await ready('late');
  });

  test('docs/spec/users.md#postgresql-statements: options: only those that differ are set; null is the default; a user that may not log in is found again', async () => {
    await apply('nologin', { roleOptions: { login: false, createDb: true } });
    await ready('nologin');
    expect(await mayLogin('nologin', 'first \\pass')).toBe(false);
    await environment.sync('nologin');
    expect(environment.ready(POSTGRES_USERS, 'nologin')).toMatchObject({ status: 'True' });
    expect((await admin.query("SELECT rolcreatedb FROM pg_roles WHERE rolname = 'nologin'")).rows).toEqual([{ rolcreatedb: true }]);
    await environment.cluster.edit(POSTGRES_USERS, 'default', 'nologin', { roleOptions: null });
    await ready('nologin');
    expect(await mayLogin('nologin', 'first \\pass')).toBe(true);
    expect((await admin.query("SELECT rolcreatedb FROM pg_roles WHERE rolname = 'nologin'")).rows).toEqual([{ rolcreatedb: false }]);
  });

  test('docs/spec/users.md#postgresql-statements: roles: several roles come and go in one reconcile', async () => {
    await apply('member', { roles: ['Team-A', 'pg_monitor', 'team_b'] });
    await ready('member');
    expect(await rolesOf('member')).toEqual(['Team-A', 'pg_monitor', 'team_b'].sort());
    await environment.cluster.edit(POSTGRES_USERS, 'default', 'member', { roles: ['pg_read_all_stats'] });
    await ready('member');
    expect(await rolesOf('member')).toEqual(['pg_read_all_stats']);
  });

  test('docs/spec/users.md#postgresql-statements: missing role: a role that does not exist is named, the others are granted, and surplus ones go all the same', async () => {
    await apply('partly', { roles: ['team_b'] });
    await ready('partly');
    await environment.cluster.edit(POSTGRES_USERS, 'default', 'partly', { roles: ['nowhere', 'pg_monitor'] });
    await environment.reaches(POSTGRES_USERS, 'partly', 'Failed', '"nowhere" of spec.roles does not exist');
    expect(await rolesOf('partly')).toEqual(['pg_monitor']);
  });

  test('docs/spec/users.md#postgresql-statements: drop: the user is dropped; one that owns objects stays in delete retry', async () => {
    await apply('owner-of-things', { azureName: 'Owner of things', roles: ['pg_monitor'] });
    await ready('owner-of-things');
    await admin.query('CREATE TABLE things (); ALTER TABLE things OWNER TO "Owner of things"');
    await environment.cluster.delete(POSTGRES_USERS, 'owner-of-things', 'default');
    await environment.reaches(POSTGRES_USERS, 'owner-of-things', 'Failed', 'drop user: ');
    expect(environment.ready(POSTGRES_USERS, 'owner-of-things')).toMatchObject({ severity: 'Warning' });
    await admin.query('DROP TABLE things');
    await environment.clock.advance(10_000);
    await environment.goes(POSTGRES_USERS, 'owner-of-things');
    expect(await exists('Owner of things')).toBe(false);
  });

  test('docs/spec/users.md#errors: Secret missing during delete or existence test: the user\'s own Secret is not needed to drop it (better: Failed)', async () => {
    await apply('homeless');
    await ready('homeless');
    await environment.removeSecret('user');
    await environment.cluster.delete(POSTGRES_USERS, 'homeless', 'default');
    await environment.goes(POSTGRES_USERS, 'homeless');
    expect(await exists('homeless')).toBe(false);
  });

  test('docs/spec/users.md#lifecycle: skip: existence is tested, nothing is changed', async () => {
    const skip = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
    await apply('absent', {}, skip);
    await environment.reaches(POSTGRES_USERS, 'absent', 'AzureResourceNotFound', 'user "absent" does not exist');
    expect(environment.ready(POSTGRES_USERS, 'absent')).toMatchObject({ severity: 'Warning' });
    await admin.query("CREATE USER present PASSWORD 'its own'");
    await apply('present', { roles: ['pg_monitor'] }, skip);
    await ready('present');
    expect(await mayLogin('present', 'its own')).toBe(true);
    expect(await rolesOf('present')).toEqual([]);
    await environment.cluster.delete(POSTGRES_USERS, 'present', 'default');
    await environment.goes(POSTGRES_USERS, 'present');
    expect(await exists('present')).toBe(true);
  });

  test('docs/spec/users.md#lifecycle: detach-on-delete: the database is left as it is', async () => {
    await apply('kept', {}, { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
    await ready('kept');
    await environment.cluster.delete(POSTGRES_USERS, 'kept', 'default');
    await environment.goes(POSTGRES_USERS, 'kept');
    expect(await exists('kept')).toBe(true);
  });

  test('docs/spec/users.md#unsafe-characters: a name or password with a forbidden sequence never gets into a statement', async () => {
    await apply('evil', { azureName: 'x"; DROP ROLE team_b; --' });
    await environment.reaches(POSTGRES_USERS, 'evil', 'Failed', 'contains "\\"" at position 1');
    await environment.secret('secret', { password: "abcd'; --efgh" });
    await apply('evil2', { localUser: { ...LOCAL_USER, password: { name: 'secret', key: 'password' } } });
    await environment.reaches(
      POSTGRES_USERS,
      'evil2',
      'Failed',
      'the password of spec.localUser.password contains a sequence that is not allowed',
    );
    expect(JSON.stringify([environment.stored(POSTGRES_USERS, 'evil2'), environment.events])).not.toMatch(/abcd|efgh/);
    expect(await exists('team_b')).toBe(true);
  });

  test('docs/spec/users.md#connections: a server whose certificate is not trusted gets no password', async () => {
    await environment.kill();
    environment = new UsersEnvironment({ 'dbforpostgresql.azure.com/User': userKind(postgresqlUsers(postgresqlConnect(), server.port)) });
    await environment.given(POSTGRES_SERVERS, 'db', { fullyQualifiedDomainName: 'localhost' });
    await environment.secret('admin', { password: ADMIN.password });
    await environment.secret('user', { password: 'first' });
    await environment.start();
    await apply('untrusting');
    await environment.reaches(POSTGRES_USERS, 'untrusting', 'Failed', 'certificate');
    expect(await exists('untrusting')).toBe(false);
  });
});
