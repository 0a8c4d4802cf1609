import { accessKind, sqlAccess, sqlConnect } from '../../../../controller/databases';
import type { Connect, Login, Row, Statement, Target } from '../../../../controller/databases/session';
import { sidOf } from '../../../../controller/databases/sqlserver/access';
import type { Driver } from '../../../../controller/databases/sqlserver/connect';
import { object } from '../../reconcile/harness';
import { ACCESSES, UsersEnvironment } from '../environment';

const CLIENT = '01234567-89ab-cdef-0123-456789abcdef';
const SID = '0x67452301ab89efcd0123456789abcdef';
const DATABASE_ID = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/shared/providers/Microsoft.Sql/servers/sql-shared/databases/ledger--main';

interface User {
  readonly type: string;
  readonly sid: string;
  readonly mark: string | null;
  readonly roles: Set<string>;
}

/** The check for triggers and a statement, in one transaction. */
const GUARDED = /^SET XACT_ABORT ON;\nBEGIN TRANSACTION;\nIF EXISTS \(SELECT 1 FROM sys\.triggers [^\n]*\)\n {2}SELECT [^\n]*\nELSE\nBEGIN\n([^]*)\nEND;\nCOMMIT TRANSACTION;$/;

/** The users of one database, behind the interface of a session: no SQL Server is available here, so its answers are played. */
class FakeDatabase {
  public readonly texts: string[] = [];
  public readonly unguarded: string[] = [];
  public readonly logins: (Target & Login)[] = [];
  public readonly users = new Map<string, User>();
  public exists = true;
  public trigger: string | undefined;
  public refuse: (text: string) => Error | undefined = () => undefined;

  public readonly connect: Connect = async (target, login) => {
    this.logins.push({ ...target, ...login });
    if (target.database !== 'master' && !this.exists) {
      throw Object.assign(new Error(`Cannot open database "${target.database}" requested by the login. The login failed.`), { code: 'ELOGIN' });
    }
    return { rows: async (statement) => this.answer(statement), close: async () => undefined, destroy: () => undefined };
  };

  private answer({ text: batch, values = [] }: Statement): readonly Row[] {
    const guarded = GUARDED.exec(batch);
    if (guarded && this.trigger !== undefined) return [{ refusedTrigger: this.trigger }];
    const text = guarded?.[1] ?? batch;
    if (!guarded) this.unguarded.push(text);
    this.texts.push(text);
    const refusal = this.refuse(text);
    if (refusal) throw refusal;
    const name = String(values[0]);
    if (text.includes('FROM sys.databases')) return this.exists ? [{ name }] : [];
    const user = this.users.get(name);
    if (text.startsWith('SELECT principal.type')) return user ? [{ type: user.type, sid: user.sid.toUpperCase().replace('0X', '0x'), mark: user.mark }] : [];
    if (text.startsWith('SELECT role.name')) return [...user?.roles ?? []].map((role) => ({ name: role }));
    const made = /CREATE USER \[(.*)\] WITH SID = (0x[0-9a-f]{32}), TYPE = ([EX]);\nEXEC sys.sp_addextendedproperty .*@level0name = N'(.*)';/.exec(text);
    if (made) this.users.set(made[1]!, { sid: made[2]!, type: made[3]!, mark: 'made', roles: new Set() });
    for (const [, role, action, member] of text.matchAll(/ALTER ROLE \[(.*?)\] (ADD|DROP) MEMBER \[(.*?)\];/g)) {
      const { roles } = this.users.get(member!)!;
      if (action === 'ADD') roles.add(role!);
      else roles.delete(role!);
    }
    const dropped = /^DROP USER IF EXISTS \[(.*)\]$/.exec(text);
    if (dropped) this.users.delete(dropped[1]!);
    return [];
  }
}

describe('access to databases of Azure SQL (the server is played)', () => {
  let sql: FakeDatabase;
  let environment: UsersEnvironment;
  let audiences: (string | undefined)[];
  const apply = (name: string, more: Record<string, unknown> = {}, annotations?: Record<string, string>) =>
    environment.cluster.create(ACCESSES, object(ACCESSES, name, {
      owner: { armId: DATABASE_ID },
      azureName: 'id-postings',
      administrator: 'platform-db-admin',
      level: 'Owner',
      principalType: 'ServicePrincipal',
      clientId: CLIENT,
      ...more,
    }, annotations));
  const ready = (name: string) => environment.reaches(ACCESSES, name, 'Succeeded');
  const remove = async (name: string) => {
    await environment.cluster.delete(ACCESSES, name, 'default');
    await environment.goes(ACCESSES, name);
  };
  const rolesOf = (user: string) => [...sql.users.get(user)!.roles].sort();
  /** The statements that change something, without the check of triggers before it. */
  const writes = () => sql.texts.filter((text) => !text.startsWith('SELECT'));

  beforeEach(async () => {
    sql = new FakeDatabase();
    audiences = [];
    environment = new UsersEnvironment({ 'databases.aso.cdk8s.io/DatabaseAccess': accessKind({ sql: sqlAccess(sql.connect) }) });
    environment.besides = {
      databaseToken: async (_, server) => {
        audiences.push(server);
        return 'a.token';
      },
    };
    await environment.start();
  });
  afterEach(() => environment.kill());

  test('a user of the client id, with the fixed roles of its level, by a token for Azure SQL', async () => {
    await apply('main');
    await ready('main');
    expect(sql.users.get('id-postings')).toMatchObject({ sid: SID, type: 'E' });
    expect(rolesOf('id-postings')).toEqual(['db_datareader', 'db_datawriter', 'db_ddladmin']);
    expect(sql.logins[0]).toEqual({
      host: 'sql-shared.database.windows.net', port: 1433, database: 'ledger--main', user: 'platform-db-admin', password: 'a.token', isToken: true,
    });
    expect(new Set(audiences)).toEqual(new Set(['sql']));
  });

  test('at rest nothing is written; drift is corrected; roles of others stay', async () => {
    await apply('main', { level: 'Writer' });
    await ready('main');
    sql.texts.length = 0;
    await environment.sync('main');
    expect(writes()).toEqual([]);
    sql.users.get('id-postings')!.roles.add('db_ddladmin').add('reporting').delete('db_datareader');
    await environment.sync('main');
    expect(rolesOf('id-postings')).toEqual(['db_datareader', 'db_datawriter', 'reporting']);
    await environment.cluster.edit(ACCESSES, 'default', 'main', { level: 'Reader' });
    await ready('main');
    expect(rolesOf('id-postings')).toEqual(['db_datareader', 'reporting']);
    await remove('main');
    expect(rolesOf('id-postings')).toEqual(['reporting']);
  });

  test('a trigger that an Owner has made for changes of users does not run with the rights of the administrator', async () => {
    await apply('owner');
    await ready('owner');
    sql.trigger = 'become owner';
    sql.texts.length = 0;
    await apply('other', { azureName: 'id-other', level: 'Reader' });
    await environment.reaches(ACCESSES, 'other', 'Failed', 'the database has the trigger "become owner"');
    await environment.cluster.delete(ACCESSES, 'owner', 'default');
    await environment.reaches(ACCESSES, 'owner', 'Failed', 'the database has the trigger "become owner"');
    expect(writes()).toEqual([]);
    expect(environment.ready(ACCESSES, 'other')).toMatchObject({ severity: 'Warning' });
    sql.trigger = undefined;
    await environment.comesTo(ACCESSES, 'other', 'Succeeded');
  });

  test('check of triggers and change are one batch, so that no trigger can be made in between', async () => {
    await apply('main', { level: 'Reader' });
    await ready('main');
    await remove('main');
    expect(writes().map((text) => text.split('\n')[0])).toEqual([
      `CREATE USER [id-postings] WITH SID = ${SID}, TYPE = E;`,
      'ALTER ROLE [db_datareader] ADD MEMBER [id-postings];',
      'ALTER ROLE [db_datareader] DROP MEMBER [id-postings];',
      'DROP USER IF EXISTS [id-postings]',
    ]);
    expect(sql.unguarded.filter((text) => !text.startsWith('SELECT'))).toEqual([]);
  });

  test('users and groups are known by the object id', async () => {
    await apply('people', { azureName: 'Ledger ]people', principalType: 'Group', clientId: undefined, principalId: CLIENT.toUpperCase() });
    await ready('people');
    expect(sql.texts.find((text) => text.includes('CREATE USER'))).toContain(`CREATE USER [Ledger ]]people] WITH SID = ${SID}, TYPE = X;`);
  });

  test('deletion drops the user that was made, and no other', async () => {
    await apply('main');
    await ready('main');
    await remove('main');
    expect(sql.users.size).toBe(0);
    sql.users.set('id-postings', { type: 'E', sid: SID, mark: null, roles: new Set() });
    await apply('again', { level: 'Reader' });
    await ready('again');
    await remove('again');
    expect(rolesOf('id-postings')).toEqual([]);
  });

  test.each([
    ['a user with a password', { type: 'S', sid: SID }, 'is no principal of Entra'],
    ['another principal', { type: 'E', sid: sidOf('00000000-0000-0000-0000-000000000001') }, 'belongs to another principal of Entra'],
  ])('%s is refused, and nothing is changed', async (_, found, message) => {
    sql.users.set('id-postings', { ...found, mark: null, roles: new Set(['db_owner']) });
    await apply('main');
    await environment.reaches(ACCESSES, 'main', 'Failed', message);
    expect(environment.ready(ACCESSES, 'main')).toMatchObject({ severity: 'Error' });
    expect(writes()).toEqual([]);
  });

  test.each([
    ['a quote', "x'; DROP USER a; --"], ['a null byte', 'a\0b'], ['a semicolon', 'a;b'], ['129 characters', 'x'.repeat(129)],
  ])('a name with %s is refused before any statement', async (_, azureName) => {
    await apply('hostile', { azureName });
    await environment.reaches(ACCESSES, 'hostile', 'Failed');
    expect(environment.ready(ACCESSES, 'hostile')).toMatchObject({ severity: 'Error' });
    expect(sql.texts).toEqual([]);
  });

  test('a database that does not exist yet is waited for; one that is gone has no users', async () => {
    sql.exists = false;
    await apply('main');
    await environment.reaches(ACCESSES, 'main', 'WaitingForOwner', 'database "ledger--main" does not exist in server');
    sql.exists = true;
    await environment.comesTo(ACCESSES, 'main', 'Succeeded');
    sql.exists = false;
    await remove('main');
  });

  test('a server that cannot be reached keeps the object at its deletion', async () => {
    await apply('main');
    await ready('main');
    sql.refuse = () => new Error('The service is busy with a.token.');
    await environment.cluster.delete(ACCESSES, 'main', 'default');
    await environment.reaches(ACCESSES, 'main', 'Failed', 'look for the user: The service is busy');
    expect(JSON.stringify([environment.stored(ACCESSES, 'main'), environment.events])).not.toContain('a.token');
  });

  test('a missing client id is an Error, and skip only looks', async () => {
    await apply('nameless', { clientId: undefined, principalId: CLIENT });
    await environment.reaches(ACCESSES, 'nameless', 'Failed', 'spec.clientId is missing');
    await apply('looked', { azureName: 'id-looked' }, { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    await environment.reaches(ACCESSES, 'looked', 'AzureResourceNotFound', 'user "id-looked" does not exist in database "ledger--main"');
    expect(writes()).toEqual([]);
  });
});

test('the driver gets a token as a token, and not as a password', async () => {
  let configuration: unknown;
  class Connection {
    public constructor(given: unknown) {
      configuration = given;
    }
    public on() {
      return this;
    }
    public connect(done: (error?: Error) => void) {
      done(new Error('no server'));
    }
    public close() {}
  }
  const driver = { Connection, Request: class {}, TYPES: {} } as unknown as Driver;
  const opened = sqlConnect({}, async () => driver)({ host: 'localhost', port: 1433, database: 'd' }, { user: 'u', password: 't', isToken: true });
  await expect(opened).rejects.toThrow('no server');
  expect(configuration).toMatchObject({ authentication: { type: 'azure-active-directory-access-token', options: { token: 't' } } });
});

test('the bytes of an identifier are those of SQL Server\'s uniqueidentifier', () => {
  expect(sidOf(CLIENT)).toBe(SID);
});
