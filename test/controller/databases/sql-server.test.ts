import { EventEmitter } from 'node:events';
import { TYPES } from 'tedious';
import { SQL_DATABASES, SQL_SERVERS, SQL_USERS, UsersEnvironment } from './environment';
import { sqlConnect, sqlUsers, userKind } from '../../../controller/databases';
import type { Driver } from '../../../controller/databases/sqlserver/connect';
import { object } from '../reconcile/harness';

type Done = (error: Error | null, count?: number, rows?: unknown[]) => void;

/** The check for triggers that others than the administrator may have made, and a statement, in one transaction. */
const GUARDED = new RegExp('^SET XACT_ABORT ON;\\nBEGIN TRANSACTION;\\n'
  + 'IF EXISTS \\(SELECT 1 FROM sys\\.triggers [^\\n]*\\)\\n {2}AND \\(EXISTS [^\\n]*db_ddladmin[^\\n]*ALTER ANY DATABASE DDL TRIGGER[^\\n]*\\)\\n'
  + ' {2}SELECT [^\\n]*\\nELSE\\nBEGIN\\n([^]*)\\nEND;\\nCOMMIT TRANSACTION;$');

/** State of an Azure SQL server behind the interface of the driver: no SQL Server is available here, so its answers are faked. */
class FakeDriver {
  public readonly batches: string[] = [];
  public readonly configurations: Record<string, any>[] = [];
  public readonly users = new Map<string, { password: string; roles: Set<string> }>();
  public readonly unguarded: string[] = [];
  public trigger: string | undefined;
  public closed = 0;

  public refuse: (text: string) => string | undefined = () => undefined;

  public readonly driver = (): Driver => ({
    TYPES,
    Connection: this.connection() as unknown as Driver['Connection'],
    Request: class {
      public readonly parameters: Record<string, unknown> = {};
      public constructor(public readonly text: string, public readonly done: Done) {}
      public addParameter(name: string, _: unknown, value: unknown) {
        this.parameters[name] = value;
      }
    } as unknown as Driver['Request'],
  });

  private connection() {
    const server = this;
    return class extends EventEmitter {
      public constructor(configuration: Record<string, any>) {
        super();
        server.configurations.push(configuration);
      }
      public connect(done: (error?: Error) => void) {
        const { userName, password } = server.configurations.at(-1)!.authentication.options;
        const right = password === 'adm;in "pass' ? undefined : new Error(`Login failed for user '${userName}'.`);
        setImmediate(() => done(right));
      }
      public execSqlBatch(request: { text: string; done: Done }) {
        setImmediate(() => server.answer(request.text, {}, request.done));
      }
      public execSql(request: { text: string; parameters: Record<string, unknown>; done: Done }) {
        setImmediate(() => server.answer(request.text, request.parameters, request.done));
      }
      public close() {
        server.closed += 1;
      }
    };
  }

  private answer(batch: string, parameters: Record<string, unknown>, done: Done): void {
    const guarded = GUARDED.exec(batch);
    if (guarded && this.trigger !== undefined) return done(null, 1, [[{ value: this.trigger, metadata: { colName: 'refusedTrigger' } }]]);
    const text = guarded?.[1] ?? batch;
    (guarded ? this.batches : this.unguarded).push(text);
    if (!guarded) this.batches.push(text);
    const refusal = this.refuse(text);
    if (refusal) return done(new Error(refusal));
    const rows = (names: string[]) => done(null, names.length, names.map((value) => [{ value, metadata: { colName: 'name' } }]));
    if (text.startsWith('SELECT name')) return rows([...this.users.keys()].filter((name) => name === parameters.user));
    if (text.startsWith('SELECT role.name')) return rows([...this.users.get(String(parameters.user))?.roles ?? []]);
    const made = /CREATE USER "(.*)" WITH PASSWORD=N'(.*)'/.exec(text);
    if (made) this.users.set(made[1]!, { password: made[2]!, roles: this.users.get(made[1]!)?.roles ?? new Set() });
    for (const [, role, action, user] of text.matchAll(/ALTER ROLE \[(.*?)\] (ADD|DROP) MEMBER \[(.*?)\];/g)) {
      const { roles } = this.users.get(user!)!;
      if (action === 'ADD') roles.add(role!);
      else roles.delete(role!);
    }
    const dropped = /^DROP USER IF EXISTS \[(.*)\]$/.exec(text);
    if (dropped) this.users.delete(dropped[1]!);
    return done(null, 0, []);
  }
}

describe('users of Azure SQL (the driver is played)', () => {
  let sql: FakeDriver;
  let environment: UsersEnvironment;
  const localUser = {
    serverAdminUsername: 'boss',
    serverAdminPassword: { name: 'admin', key: 'password' },
    password: { name: 'user', key: 'password' },
  };
  const apply = (name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) =>
    environment.cluster.create(SQL_USERS, object(SQL_USERS, name, { owner: { name: 'db' }, localUser, ...spec }, annotations));
  const ready = (name: string) => environment.reaches(SQL_USERS, name, 'Succeeded');

  beforeEach(async () => {
    sql = new FakeDriver();
    environment = new UsersEnvironment({ 'sql.azure.com/User': userKind(sqlUsers(sqlConnect({}, async () => sql.driver()))) });
    await environment.secret('admin', { password: 'adm;in "pass' });
    await environment.secret('user', { password: 'first' });
    await environment.start();
  });
  afterEach(() => environment.kill());
  const servers = async () => {
    await environment.given(SQL_SERVERS, 'server', { fullyQualifiedDomainName: 'server.database.windows.net' });
    await environment.given(SQL_DATABASES, 'db', {}, { azureName: 'the database', owner: { name: 'server' } });
  };

  test('docs/spec/users.md#connections: options of the connection, the administrator\'s password as it is; the connection is closed', async () => {
    await servers();
    await apply('app');
    await ready('app');
    expect(sql.configurations).toHaveLength(1);
    expect(sql.configurations[0]).toMatchObject({
      server: 'server.database.windows.net',
      authentication: { type: 'default', options: { userName: 'boss', password: 'adm;in "pass' } },
      options: { port: 1433, database: 'the database', encrypt: true, trustServerCertificate: false, connectTimeout: 30_000 },
    });
    expect(sql.closed).toBe(1);
  });

  test('docs/spec/users.md#azure-sql-statements: add: the sequence, with every name in brackets', async () => {
    await servers();
    await apply('app', { azureName: 'app@x.y z', roles: ['db_datareader', 'db-team'] });
    await ready('app');
    expect(sql.batches).toEqual([
      'SELECT 1 AS one',
      "IF NOT EXISTS (SELECT name FROM sys.database_principals WHERE name = N'app@x.y z' AND type NOT IN ('R', 'A'))\n"
      + "  CREATE USER \"app@x.y z\" WITH PASSWORD=N'first'\nELSE\n  ALTER USER \"app@x.y z\" WITH PASSWORD=N'first'",
      expect.stringMatching(/^SELECT role\.name AS name FROM sys\.database_role_members .* WHERE member\.name = @user$/),
      'ALTER ROLE [db-team] ADD MEMBER [app@x.y z];\nALTER ROLE [db_datareader] ADD MEMBER [app@x.y z];',
    ]);
    await environment.cluster.edit(SQL_USERS, 'default', 'app', { roles: ['db_owner'] });
    await ready('app');
    expect([...sql.users.get('app@x.y z')!.roles]).toEqual(['db_owner']);
  });

  test('docs/spec/users.md#azure-sql-statements: remove: surplus roles go even if adding failed, and both failures are reported', async () => {
    await servers();
    await apply('app', { roles: ['old'] });
    await ready('app');
    sql.refuse = (text) => (/ADD MEMBER|DROP MEMBER/.test(text) ? `refused: ${text}` : undefined);
    await environment.cluster.edit(SQL_USERS, 'default', 'app', { roles: ['new'] });
    await environment.reaches(SQL_USERS, 'app', 'Failed', 'add roles: refused');
    expect(environment.ready(SQL_USERS, 'app')!.message).toContain('remove roles: refused');
  });

  test('docs/spec/users.md#azure-sql-statements: trigger: no user is changed, and the check and the change are one batch', async () => {
    await servers();
    await apply('app', { roles: ['db_ddladmin'] });
    await ready('app');
    expect(sql.unguarded.filter((text) => !text.startsWith('SELECT'))).toEqual([]);
    sql.trigger = 'become owner';
    sql.batches.length = 0;
    await apply('other');
    await environment.reaches(SQL_USERS, 'other', 'Failed', 'create user or align password: the database has the trigger "become owner"');
    await environment.cluster.delete(SQL_USERS, 'app', 'default');
    await environment.reaches(SQL_USERS, 'app', 'Failed', 'drop user: the database has the trigger "become owner"');
    expect(sql.batches.filter((text) => !text.startsWith('SELECT'))).toEqual([]);
    sql.trigger = undefined;
    await environment.comesTo(SQL_USERS, 'other', 'Succeeded');
  });

  test('docs/spec/users.md#azure-sql-statements: drop: guards on existence; exists: skip only looks', async () => {
    await servers();
    await apply('app');
    await ready('app');
    sql.users.clear();
    await environment.cluster.delete(SQL_USERS, 'app', 'default');
    await environment.goes(SQL_USERS, 'app');
    expect(sql.batches.at(-1)).toBe('DROP USER IF EXISTS [app]');
    await apply('other', {}, { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    await environment.reaches(SQL_USERS, 'other', 'AzureResourceNotFound', 'user "other" does not exist in database "the database"');
  });

  test('docs/spec/users.md#unsafe-characters: user, password, role', async () => {
    await servers();
    await apply('a', { azureName: "o'brien" });
    await environment.reaches(SQL_USERS, 'a', 'Failed', 'the user name "o\'brien" contains "\'" at position 1');
    await apply('b', { roles: ['x; DROP USER boss'] });
    await environment.reaches(SQL_USERS, 'b', 'Failed', 'role "x; DROP USER boss" contains ";"');
    await environment.changeSecret('user', { password: 'zx--yw' });
    await apply('c');
    await environment.reaches(SQL_USERS, 'c', 'Failed', 'the password of spec.localUser.password');
    expect(JSON.stringify([environment.stored(SQL_USERS, 'c'), environment.events, sql.batches])).not.toContain('zx--yw');
  });

  test('docs/spec/users.md#errors: statement: what the server quotes shows no password', async () => {
    await servers();
    sql.refuse = (text) => (text.includes('CREATE USER') ? `Incorrect syntax near 'first'. ${text}` : undefined);
    await apply('app');
    await environment.reaches(SQL_USERS, 'app', 'Failed', 'create user or align password: Incorrect syntax near …');
    sql.refuse = (text) => (text.includes('CREATE USER') ? `no: ${text}` : undefined);
    await environment.cluster.edit(SQL_USERS, 'default', 'app', { roles: [] });
    await environment.reaches(SQL_USERS, 'app', 'Failed', "WITH PASSWORD=N'***'");
  });

  test('docs/spec/users.md#azure-sql-server: owner, server, address: every step of the walk to the server', async () => {
    await apply('app');
    await environment.reaches(SQL_USERS, 'app', 'WaitingForOwner');
    await environment.given(SQL_DATABASES, 'db', {}, { owner: { name: 'server' } });
    await environment.reaches(
      SQL_USERS,
      'app',
      'Failed',
      'owner "server, Group/Kind: sql.azure.com/Server" of ServersDatabase "db" does not exist',
    );
    await environment.given(SQL_SERVERS, 'server', {});
    await environment.comesTo(SQL_USERS, 'app', 'WaitingForOwner');
    expect(environment.ready(SQL_USERS, 'app')!.message).toBe('Server "server" has no status.fullyQualifiedDomainName yet');
    expect(sql.configurations).toEqual([]);
  });

  test('docs/spec/users.md#azure-sql-server: server: a database with an owner by ARM id has no server in the cluster; a user with one is refused', async () => {
    await environment.given(
      SQL_DATABASES,
      'db',
      {},
      { owner: { armId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Sql/servers/s' } },
    );
    await apply('app');
    await environment.reaches(SQL_USERS, 'app', 'Failed', 'has to be a Kubernetes object');
    await apply('by-id', { owner: { armId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Sql/servers/s/databases/d' } });
    await environment.reaches(SQL_USERS, 'by-id', 'Failed', 'spec.owner.armId is not supported');
    expect(environment.ready(SQL_USERS, 'by-id')).toMatchObject({ severity: 'Error' });
  });

  test('docs/spec/users.md#lifecycle: Delete: the database or its server is gone, and the user with it', async () => {
    await servers();
    await apply('one');
    await apply('two');
    await ready('one');
    await ready('two');
    sql.configurations.length = 0;
    await environment.cluster.delete(SQL_SERVERS, 'server', 'default');
    await environment.cluster.delete(SQL_USERS, 'one', 'default');
    await environment.goes(SQL_USERS, 'one');
    await environment.cluster.delete(SQL_DATABASES, 'db', 'default');
    await environment.cluster.delete(SQL_USERS, 'two', 'default');
    await environment.goes(SQL_USERS, 'two');
    expect(sql.configurations).toEqual([]);
  });
});
