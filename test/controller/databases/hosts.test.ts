import {
  MYSQL_SERVERS,
  MYSQL_USERS,
  POSTGRES_SERVERS,
  POSTGRES_USERS,
  SQL_DATABASES,
  SQL_SERVERS,
  SQL_USERS,
  UsersEnvironment,
} from './environment';
import { mysqlUsers, postgresqlUsers, sqlUsers, userKind } from '../../../controller/databases';
import { hostOf } from '../../../controller/databases/owner-server';
import type { Connect, Login, Target } from '../../../controller/databases/session';
import { cloudOfSettings, databaseSuffixesOf } from '../../../engine/credentials';
import type { ResourceType } from '../../../engine/kubernetes/types';
import { object } from '../reconcile/harness';

const HOSTILE = [
  'evil.example',
  'mysql.database.azure.com',
  'evil-mysql.database.azure.com',
  'db.mysql.database.azure.com.evil.example',
  'db.postgres.database.azure.com.evil.example',
  'db.database.windows.net.evil.example',
  'db.mysql.database.azure.com@evil.example',
  'evil.example/db.mysql.database.azure.com',
  'evil.example\n.mysql.database.azure.com',
  '169.254.169.254',
  '127.0.0.1',
  'kubernetes.default.svc',
  'localhost.evil.example',
];
const localUser = {
  serverAdminUsername: 'boss',
  serverAdminPassword: { name: 'admin', key: 'password' },
  password: { name: 'user', key: 'password' },
};

describe('a password or a token', () => {
  let environment: UsersEnvironment;
  let connections: (Target & Login)[];
  const connect: Connect = async (target, login) => {
    connections.push({ ...target, ...login });
    const options = { login: true, createRole: false, createDb: false, replication: false };
    return { rows: async () => [options], close: async () => undefined, destroy: () => undefined };
  };
  beforeEach(async () => {
    connections = [];
    environment = new UsersEnvironment({
      'dbforpostgresql.azure.com/User': userKind(postgresqlUsers(connect)),
      'dbformysql.azure.com/User': userKind(mysqlUsers(connect)),
      'sql.azure.com/User': userKind(sqlUsers(connect)),
    });
    environment.besides = { databaseToken: async () => 'a-token', databaseSuffixes: databaseSuffixesOf(cloudOfSettings({})) };
    await environment.secret('admin', { password: 'adm1n-word' });
    await environment.secret('user', { password: 'us3r-word' });
    await environment.start();
  });
  afterEach(() => environment.kill());

  const apply = async (host: string) => {
    const status = { fullyQualifiedDomainName: host };
    await environment.given(POSTGRES_SERVERS, 'pg', status);
    await environment.given(MYSQL_SERVERS, 'my', status);
    await environment.given(SQL_SERVERS, 'server', status);
    await environment.given(SQL_DATABASES, 'db', {}, { azureName: 'd', owner: { name: 'server' } });
    await environment.cluster.create(POSTGRES_USERS, object(POSTGRES_USERS, 'pg', { owner: { name: 'pg' }, localUser }));
    await environment.cluster.create(SQL_USERS, object(SQL_USERS, 'sql', { owner: { name: 'db' }, localUser }));
    await environment.cluster.create(MYSQL_USERS, object(MYSQL_USERS, 'word', { owner: { name: 'my' }, localUser }));
    await environment.cluster.create(
      MYSQL_USERS,
      object(MYSQL_USERS, 'token', { owner: { name: 'my' }, aadUser: { serverAdminUsername: 'boss' } }),
    );
  };
  const ALL: [ResourceType, string][] = [[POSTGRES_USERS, 'pg'], [SQL_USERS, 'sql'], [MYSQL_USERS, 'word'], [MYSQL_USERS, 'token']];

  test.each(HOSTILE)('is not sent to %j', async (host) => {
    await apply(host);
    for (const [kind, name] of ALL) {
      await environment.reaches(
        kind,
        name,
        'Failed',
        /^[a-z0-9.-]+$/.test(host) ? 'neither password nor token is sent there' : 'is no name of a host',
      );
    }
    expect(connections).toEqual([]);
  });

  test('of MySQL is no token for another kind of database', async () => {
    await apply('db.postgres.database.azure.com');
    await environment.reaches(POSTGRES_USERS, 'pg', 'Succeeded');
    await environment.reaches(MYSQL_USERS, 'token', 'Failed', 'which is no server of *.mysql.database.azure.com:');
    expect(connections.some(({ isToken }) => isToken)).toBe(false);
  });

  test('of one cloud is no token for another\'s servers', async () => {
    await apply('db.mysql.database.chinacloudapi.cn');
    await environment.reaches(MYSQL_USERS, 'word', 'Succeeded');
    await environment.reaches(MYSQL_USERS, 'token', 'Failed', 'which is no server of *.mysql.database.azure.com:');
    expect(connections.some(({ isToken }) => isToken)).toBe(false);
  });
});

test('servers of every cloud, with private links', () => {
  const server = (fullyQualifiedDomainName: string) => ({
    apiVersion: 'x',
    kind: 'Server',
    metadata: { name: 's' },
    status: { fullyQualifiedDomainName },
  });
  for (const host of [
    'a.mysql.database.azure.com', 'a.private.mysql.database.azure.com', 'A.MySQL.Database.Azure.com',
    'a.mysql.database.usgovcloudapi.net', 'a.mysql.database.chinacloudapi.cn',
    'a.postgres.database.azure.com', 'a.privatelink.postgres.database.usgovcloudapi.net', 'a.postgres.database.chinacloudapi.cn',
    'a.database.windows.net', 'a.privatelink.database.windows.net', 'a.database.usgovcloudapi.net', 'a.database.chinacloudapi.cn',
  ]) expect(hostOf(server(host) as never)).toBe(host);
});
