import { accessKind, mysqlAccess } from '../../../../controller/databases';
import type { Connect, Row, Statement } from '../../../../controller/databases/session';
import { object } from '../../reconcile/harness';
import { ACCESSES, UsersEnvironment } from '../environment';

const CLIENT = '01234567-89ab-cdef-0123-456789abcdef';
const DATABASE_ID = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/shared/providers/Microsoft.DBforMySQL/flexibleServers/my-shared/databases/ledger_main';
const PATTERN = 'ledger\\_main';

interface User {
  readonly plugin: string;
  readonly mapping: string;
  attribute: string | null;
  readonly server: string[];
  /** Database → privileges. */
  readonly databases: Map<string, Set<string>>;
}

/**
 * The users of a server, behind the interface of a session. Neither `CREATE AADUSER` nor attributes of users are in MariaDB, so the answers
 * are played after Azure's and MySQL's documentation.
 */
class FakeServer {
  public readonly texts: string[] = [];
  public readonly users = new Map<string, User>();
  public failAt: ((text: string) => boolean) | undefined;

  public readonly connect: Connect = async () => ({
    rows: async (statement) => this.answer(statement),
    close: async () => undefined,
    destroy: () => undefined,
  });

  public user(name: string, more: Partial<User> = {}): void {
    this.users.set(name, { plugin: 'aad_auth', mapping: `AADSP:${CLIENT}:upn:${name}`, attribute: null, server: [], databases: new Map(), ...more });
  }

  private answer({ text, values = [] }: Statement): readonly Row[] {
    this.texts.push(text);
    if (this.failAt?.(text)) throw new Error('the connection is gone');
    const texts = values.filter((value): value is string => typeof value === 'string');
    const byGrantee = () => this.users.get(/^'(.*)'@'%'$/.exec(texts[0] ?? '')?.[1] ?? '');
    const user = this.users.get(texts[0] ?? '');
    if (text.includes('FROM mysql.user')) return user ? [{ plugin: user.plugin, mapping: user.mapping }] : [];
    if (text.includes('USER_ATTRIBUTES')) return user ? [{ attribute: user.attribute }] : [];
    if (text.includes('SCHEMA_PRIVILEGES')) {
      return [...byGrantee()?.databases ?? []].flatMap(([db, privileges]) => [...privileges].map((privilege) => ({ db, privilege })));
    }
    if (text.includes('USER_PRIVILEGES')) return (byGrantee()?.server ?? []).map((privilege) => ({ privilege }));
    if (text.startsWith('CREATE AADUSER')) this.user(texts[0]!, { mapping: `AADSP:${texts[1]!}:upn:${texts[0]!}` });
    if (text.startsWith('ALTER USER')) this.users.get(texts[0]!)!.attribute = texts[2]!;
    if (text.startsWith('DROP USER')) this.users.delete(texts[0]!);
    const change = /^(GRANT|REVOKE) (.*) ON \? (?:TO|FROM) \?@\?$/.exec(text);
    if (change) {
      const on = (values[0] as { toSqlString: () => string }).toSqlString().replace(/^`(.*)`\.\*$/, '$1');
      const { databases } = this.users.get(texts[0]!)!;
      const privileges = databases.get(on) ?? new Set();
      for (const privilege of change[2]!.split(',')) {
        if (change[1] === 'GRANT') privileges.add(privilege);
        else privileges.delete(privilege);
      }
      if (privileges.size > 0) databases.set(on, privileges);
      else databases.delete(on);
    }
    return [];
  }
}

describe('access to databases of MySQL (the server is played)', () => {
  let mysql: FakeServer;
  let environment: UsersEnvironment;
  const apply = (name: string, more: Record<string, unknown> = {}) => environment.cluster.create(ACCESSES, object(ACCESSES, name, {
    owner: { armId: DATABASE_ID },
    azureName: 'id-postings',
    administrator: 'platform-db-admin',
    level: 'Reader',
    principalType: 'ServicePrincipal',
    clientId: CLIENT,
    ...more,
  }));
  const ready = (name: string) => environment.reaches(ACCESSES, name, 'Succeeded');
  const remove = async (name: string) => {
    await environment.cluster.delete(ACCESSES, name, 'default');
    await environment.goes(ACCESSES, name);
  };
  const privileges = (on = PATTERN) => [...mysql.users.get('id-postings')!.databases.get(on) ?? []].sort();
  const writes = () => mysql.texts.filter((text) => !text.startsWith('SELECT'));

  beforeEach(async () => {
    mysql = new FakeServer();
    environment = new UsersEnvironment({ 'databases.aso.cdk8s.io/DatabaseAccess': accessKind({ mysql: mysqlAccess(mysql.connect) }) });
    environment.besides = { databaseToken: async () => 'a.token' };
    await environment.start();
  });
  afterEach(() => environment.kill());

  test('a user of the client id, with the privileges of its level in that database and no other', async () => {
    await apply('main');
    await ready('main');
    expect(mysql.users.get('id-postings')!.mapping).toContain(CLIENT);
    expect(writes().slice(0, 3)).toEqual([
      'SET aad_auth_validate_oids_in_tenant = OFF', 'CREATE AADUSER ? IDENTIFIED BY ?', 'ALTER USER ?@? ATTRIBUTE ?',
    ]);
    expect([...mysql.users.get('id-postings')!.databases.keys()]).toEqual([PATTERN]);
    expect(privileges()).toEqual(['SELECT', 'SHOW VIEW']);
    await environment.cluster.edit(ACCESSES, 'default', 'main', { level: 'Owner' });
    await ready('main');
    expect(privileges()).toEqual(expect.arrayContaining(['ALTER', 'CREATE', 'DELETE', 'DROP', 'INSERT', 'SELECT', 'UPDATE']));
  });

  test('at rest nothing is written; drift is corrected; other databases are left alone', async () => {
    await apply('main', { level: 'Writer' });
    await ready('main');
    mysql.texts.length = 0;
    await environment.sync('main');
    expect(writes()).toEqual([]);
    mysql.users.get('id-postings')!.databases.get(PATTERN)!.add('DROP').delete('INSERT');
    mysql.users.get('id-postings')!.databases.set('other', new Set(['SELECT']));
    await environment.sync('main');
    expect(privileges()).not.toContain('DROP');
    expect(privileges()).toContain('INSERT');
    expect(privileges('other')).toEqual(['SELECT']);
    await remove('main');
    expect([...mysql.users.get('id-postings')!.databases.keys()]).toEqual(['other']);
  });

  test('deletion drops the user that was made, and no other', async () => {
    await apply('main');
    await ready('main');
    await remove('main');
    expect(mysql.users.size).toBe(0);
    mysql.user('id-postings');
    await apply('again');
    await ready('again');
    await remove('again');
    expect(privileges()).toEqual([]);
    expect(mysql.users.size).toBe(1);
  });

  test('a connection that breaks before the mark: the user gets its access, and is not dropped later', async () => {
    mysql.failAt = (text) => text.startsWith('ALTER USER');
    await apply('main');
    await environment.reaches(ACCESSES, 'main', 'Failed', 'mark the user: the connection is gone');
    mysql.failAt = undefined;
    await environment.comesTo(ACCESSES, 'main', 'Succeeded');
    await remove('main');
    expect([...mysql.users.keys()]).toEqual(['id-postings']);
  });

  test.each([
    ['an administrator', { server: ['CREATE USER'] }, 'has privileges on the whole server'],
    ['a user with a password', { plugin: 'caching_sha2_password', mapping: '' }, 'is no principal of Entra'],
    ['another principal', { mapping: 'AADSP:00000000-0000-0000-0000-000000000001:upn:x' }, 'belongs to another principal of Entra'],
  ])('%s is refused, and nothing is changed, at the deletion neither', async (_, found, message) => {
    mysql.user('id-postings', found);
    await apply('main');
    await environment.reaches(ACCESSES, 'main', 'Failed', message);
    expect(environment.ready(ACCESSES, 'main')).toMatchObject({ severity: 'Error' });
    await remove('main');
    expect(writes()).toEqual([]);
  });

  test.each([
    ['a quote', { azureName: "a'b" }, "contains \"'\""],
    ['a null byte', { azureName: 'a\0b' }, 'contains a control character'],
    ['33 characters', { azureName: 'x'.repeat(33) }, 'has more than the 32 characters'],
    ['a group', { principalType: 'Group' }, 'MySQL looks users and groups up by name'],
    ['no client id', { clientId: 'not-a-uuid' }, 'spec.clientId is no id of Entra'],
  ])('a spec with %s is refused', async (_, more, message) => {
    await apply('hostile', more);
    await environment.reaches(ACCESSES, 'hostile', 'Failed', message);
    expect(environment.ready(ACCESSES, 'hostile')).toMatchObject({ severity: 'Error' });
    expect(writes()).toEqual([]);
  });
});
