import { MYSQL_SERVERS, MYSQL_USERS, POSTGRES_SERVERS, POSTGRES_USERS, UsersEnvironment } from './environment';
import { mysqlUsers, onlyWhile, postgresqlUsers, userKind } from '../../../controller/databases';
import type { Connect, Statement } from '../../../controller/databases/session';
import { until } from '../../setup/until';
import { object } from '../reconcile/harness';

const FQDN = { fullyQualifiedDomainName: 'db.postgres.database.azure.com' };
const localUser = {
  serverAdminUsername: 'boss',
  serverAdminPassword: { name: 'admin', key: 'password' },
  password: { name: 'user', key: 'password' },
};

/** The rows of docs/spec/users.md#lifecycle that need no server: nothing is connected to, or all is answered with nothing. */
describe('the life of a user', () => {
  let environment: UsersEnvironment;
  let statements: Statement[];
  let mayWrite: boolean;
  const connect: Connect = async () => ({
    rows: async (statement) => {
      statements.push(statement);
      return statement.step === 'read role options' ? [{ login: true, createRole: false, createDb: false, replication: false }] : [];
    },
    close: async () => undefined,
    destroy: () => undefined,
  });

  const apply = (name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) =>
    environment.cluster.create(POSTGRES_USERS, object(POSTGRES_USERS, name, { owner: { name: 'db' }, localUser, ...spec }, annotations));
  const is = async (name: string, severity: string, reason: string, message: string) => {
    await environment.reaches(POSTGRES_USERS, name, reason, message);
    expect(environment.ready(POSTGRES_USERS, name)).toMatchObject({ status: 'False', severity });
  };
  /** The retry class of an object's last failure. */
  const classOf = (name: string) =>
    environment.reconciles
      .flatMap(({ key, result }) => (key.name === name && result.kind === 'failure' ? [result.failure.retry] : []))
      .at(-1);

  beforeEach(async () => {
    statements = [];
    mayWrite = true;
    const guarded = onlyWhile(() => mayWrite, connect);
    environment = new UsersEnvironment({
      'dbforpostgresql.azure.com/User': userKind(postgresqlUsers(guarded)),
      'dbformysql.azure.com/User': userKind(mysqlUsers(guarded)),
    });
    await environment.start();
  });
  afterEach(() => environment.kill());
  const secrets = async () => {
    await environment.secret('admin', { password: 'adm1n-word' });
    await environment.secret('user', { password: 'us3r-word' });
  };

  test('docs/spec/users.md#lifecycle: Claim: waits for an owner that exists and is Ready, without finalizer; starts the moment that it is', async () => {
    await secrets();
    await apply('u');
    await is('u', 'Warning', 'WaitingForOwner', 'Owner "db, Group/Kind: dbforpostgresql.azure.com/FlexibleServer" cannot be found');
    expect(classOf('u')).toBe('fast');
    const made = await environment.cluster.create(
      POSTGRES_SERVERS,
      object(POSTGRES_SERVERS, 'db', {}, { 'serviceoperator.azure.com/operator-namespace': 'another' }),
    );
    await is('u', 'Warning', 'WaitingForOwner', 'is not ready');
    expect(environment.stored(POSTGRES_USERS, 'u')!.metadata.finalizers).toBeUndefined();
    await environment.cluster.replaceStatus(POSTGRES_SERVERS, {
      ...made,
      status: { ...FQDN, conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '' }] } as never,
    });
    await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
    const { metadata } = environment.stored(POSTGRES_USERS, 'u')!;
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'FlexibleServer', name: 'db', uid: expect.any(String) }]);
    expect(metadata.annotations).toEqual({ 'serviceoperator.azure.com/operator-namespace': 'aso' });
    expect(metadata.labels).toMatchObject({ 'serviceoperator.azure.com/owner-name': 'db' });
  });

  test('docs/spec/users.md#lifecycle: Drift: the full sequence on every sync', async () => {
    await secrets();
    await environment.given(POSTGRES_SERVERS, 'db', FQDN);
    await apply('u');
    await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
    const first = statements.map(({ step }) => step);
    expect(first).toEqual(['look for the user', 'create user', 'read role options', 'read roles']);
    statements.length = 0;
    await environment.sync('u');
    expect(statements.map(({ step }) => step)).toEqual(first);
  });

  test('docs/spec/users.md#lifecycle: Delete: owner gone: finished without connecting', async () => {
    await secrets();
    await environment.given(POSTGRES_SERVERS, 'db', FQDN);
    await apply('u');
    await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
    statements.length = 0;
    await environment.cluster.delete(POSTGRES_SERVERS, 'db', 'default');
    await environment.cluster.delete(POSTGRES_USERS, 'u', 'default');
    await environment.goes(POSTGRES_USERS, 'u');
    expect(statements).toEqual([]);
  });

  test('docs/spec/users.md#lifecycle: Reconcile triggers: policy to and from skip, Secrets', async () => {
    await secrets();
    await environment.given(POSTGRES_SERVERS, 'db', FQDN);
    await apply('u');
    await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
    await environment.cluster.annotate(POSTGRES_USERS, 'default', 'u', { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    await environment.reaches(POSTGRES_USERS, 'u', 'AzureResourceNotFound');
    await environment.cluster.annotate(POSTGRES_USERS, 'default', 'u', { 'serviceoperator.azure.com/reconcile-policy': null });
    await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
    statements.length = 0;
    await environment.changeSecret('user', { password: 'another' });
    await until('the new password is set', () => statements.some(({ text }) => text === 'CREATE USER "u" WITH PASSWORD \'another\''));
  });

  describe('docs/spec/users.md#errors', () => {
    test('row Secret or key missing: SecretNotFound, and a reconcile when it comes', async () => {
      await environment.given(POSTGRES_SERVERS, 'db', FQDN);
      await apply('u');
      await is('u', 'Warning', 'SecretNotFound', 'admin');
      expect(classOf('u')).toBe('fast');
      await environment.secret('admin', { wrong: 'x' });
      await is('u', 'Warning', 'SecretNotFound', 'does not contain key "password"');
      await environment.changeSecret('admin', { password: 'x' });
      await is('u', 'Warning', 'SecretNotFound', 'default/user');
      await environment.secret('user', { password: 'y' });
      await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
    });

    test('row Secret missing during delete or existence test: Failed', async () => {
      await secrets();
      await environment.given(POSTGRES_SERVERS, 'db', FQDN);
      await apply('u');
      await environment.reaches(POSTGRES_USERS, 'u', 'Succeeded');
      await environment.removeSecret('admin');
      await is('u', 'Warning', 'SecretNotFound', 'admin');
      await environment.cluster.annotate(POSTGRES_USERS, 'default', 'u', { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
      await is('u', 'Warning', 'Failed', 'admin');
      expect(classOf('u')).toBe('slow');
      await environment.cluster.annotate(POSTGRES_USERS, 'default', 'u', { 'serviceoperator.azure.com/reconcile-policy': null });
      await environment.cluster.delete(POSTGRES_USERS, 'u', 'default');
      await is('u', 'Warning', 'Failed', 'admin');
      expect(classOf('u')).toBe('slow');
    });

    test('rows password references that cannot be looked up: SecretNotFound of the administrator, Failed of the user', async () => {
      await secrets();
      await environment.given(POSTGRES_SERVERS, 'db', FQDN);
      await apply('a', { localUser: { serverAdminUsername: 'boss', password: localUser.password } });
      await is('a', 'Warning', 'SecretNotFound', 'spec.localUser.serverAdminPassword names no Secret');
      await apply('b', { localUser: { serverAdminUsername: 'boss', serverAdminPassword: localUser.serverAdminPassword } });
      await is('b', 'Warning', 'Failed', 'spec.localUser.password names no Secret');
    });

    test('row owner vanished after claim: Failed; row no address yet: WaitingForOwner', async () => {
      await secrets();
      await environment.given(POSTGRES_SERVERS, 'db', {});
      await apply('u');
      await is('u', 'Warning', 'WaitingForOwner', 'has no status.fullyQualifiedDomainName yet');
      expect(classOf('u')).toBe('fast');
      await environment.cluster.delete(POSTGRES_SERVERS, 'db', 'default');
      await environment.comesTo(POSTGRES_USERS, 'u', 'Failed');
      expect(classOf('u')).toBe('slow');
    });

    test('row owner is no Kubernetes object: Failed', async () => {
      await secrets();
      await apply('u', { owner: { armId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.DBforPostgreSQL/flexibleServers/s' } });
      await environment.comesTo(POSTGRES_USERS, 'u', 'Failed');
      expect(environment.stored(POSTGRES_USERS, 'u')!.metadata.finalizers).toBeUndefined();
    });

    test('an address that is no name of a host is not followed', async () => {
      await secrets();
      await environment.given(POSTGRES_SERVERS, 'db', { fullyQualifiedDomainName: '/var/run/postgresql' });
      await apply('u');
      await is('u', 'Warning', 'Failed', 'is no name of a host');
    });

    test('row neither user variant set: Error', async () => {
      await secrets();
      await environment.given(POSTGRES_SERVERS, 'db', FQDN);
      await environment.given(MYSQL_SERVERS, 'my', FQDN);
      await apply('u', { localUser: null });
      await is('u', 'Error', 'Failed', 'spec.localUser is not set');
      await environment.cluster.create(MYSQL_USERS, object(MYSQL_USERS, 'v', { owner: { name: 'my' } }));
      await environment.reaches(MYSQL_USERS, 'v', 'Failed', 'exactly one of spec.localUser and spec.aadUser must be set');
      expect(environment.ready(MYSQL_USERS, 'v')).toMatchObject({ severity: 'Error' });
    });

    test('the administrator itself is no user to be managed', async () => {
      await secrets();
      await environment.given(POSTGRES_SERVERS, 'db', FQDN);
      await environment.given(MYSQL_SERVERS, 'my', FQDN);
      await apply('u', { azureName: 'boss' });
      await is('u', 'Error', 'Failed', '"boss" is the administrator');
      await environment.cluster.create(MYSQL_USERS, object(MYSQL_USERS, 'boss', { owner: { name: 'my' }, localUser }));
      await environment.reaches(MYSQL_USERS, 'boss', 'Failed', '"boss" is the administrator');
      expect(statements).toEqual([]);
    });

    test('an empty password makes no user', async () => {
      await environment.given(POSTGRES_SERVERS, 'db', FQDN);
      await environment.secret('admin', { password: 'adm1n-word' });
      await environment.secret('user', { password: '' });
      await apply('u');
      await is('u', 'Warning', 'Failed', 'is empty');
      expect(statements).toEqual([]);
    });
  });

  test('a process that does not lead any more runs no statement', async () => {
    await secrets();
    await environment.given(POSTGRES_SERVERS, 'db', FQDN);
    mayWrite = false;
    await apply('u');
    await is('u', 'Warning', 'Failed', 'does not lead any more');
    expect(statements).toEqual([]);
  });
});
