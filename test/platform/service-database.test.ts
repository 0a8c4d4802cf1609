import { App, Chart } from 'cdk8s';
import { environment, objectOf, objectsOf, role, serviceOf, shared, teamIn } from './service-fixture';
import { CredentialReference } from 'cdk8s-aso';
import { DatabaseRole, Offboarding, Service, SharedService, Team } from 'cdk8s-aso/platform';
import type { DatabaseAdministratorLogin, DatabaseRequest, Environment } from 'cdk8s-aso/platform';

const DATABASE: DatabaseRequest = { name: 'postings', charset: 'UTF8', collation: 'en_US.utf8' };

function withServer(administrator?: DatabaseAdministratorLogin): Environment {
  const resource = shared('Microsoft.DBforPostgreSQL/flexibleServers/psql-dev');
  return environment({ shared: { services: [SharedService.postgresServer({ resource, role, ...(administrator && { administrator }) })] } });
}

const managed = (): Environment => withServer({ name: 'platform-db-admin' });
const accessesOf = (app: App): any[] => objectsOf(app).filter(({ kind }) => kind === 'DatabaseAccess');

test('without an administrator nothing is written, and roles are an error', () => {
  expect(accessesOf(serviceOf({ database: DATABASE }, withServer()).app)).toEqual([]);
  expect(() => serviceOf({ database: { ...DATABASE, roles: [DatabaseRole.READER] } }, withServer())).toThrow(
    "database.roles: 'postgres' names no administrator, so nothing gives services access to its databases.",
  );
  const { service } = serviceOf({ database: DATABASE }, withServer());
  expect(() => service.database!.grant(service, DatabaseRole.READER)).toThrow('names no administrator');
});

test('with an administrator the identity of the service is Owner of its database, in the platform\'s namespace', () => {
  const { app, service } = serviceOf({ database: DATABASE }, managed());
  const [access] = accessesOf(app);
  const identity = objectOf(app, 'UserAssignedIdentity');
  expect(access).toMatchObject({
    apiVersion: 'databases.aso.cdk8s.io/v1',
    metadata: { namespace: identity.metadata.namespace },
    spec: {
      owner: { armId: service.database!.armId },
      azureName: identity.spec.azureName,
      administrator: 'platform-db-admin',
      level: 'Owner',
      principalType: 'ServicePrincipal',
      principalIdFromConfig: { name: service.identity.configMapName, key: 'principalId' },
      clientIdFromConfig: { name: service.identity.configMapName, key: 'clientId' },
    },
  });
  expect(service.databaseLogin).toBe(identity.spec.azureName);
});

test('the administrator may have a credential of its own', () => {
  const credential = CredentialReference.fromSecretName('database-administrator');
  const { app } = serviceOf({ database: DATABASE }, withServer({ name: 'platform-db-admin', credential }));
  expect(accessesOf(app)[0].metadata.annotations).toMatchObject({ 'serviceoperator.azure.com/credential-from': 'database-administrator' });
});

test('a login has 32 characters at most, and long names stay different', () => {
  const login = (name: string) => serviceOf({ name, database: DATABASE }, managed()).service.databaseLogin;
  const [one, other] = [login(`${'x'.repeat(50)}a`), login(`${'x'.repeat(50)}b`)];
  expect([one.length, other.length]).toEqual([32, 32]);
  expect(one).not.toBe(other);
});

test('roles of the request replace the default; none, and one at most', () => {
  const level = (roles: DatabaseRole[]) =>
    accessesOf(serviceOf({ database: { ...DATABASE, roles } }, managed()).app).map(({ spec }) => spec.level);
  expect(level([])).toEqual([]);
  expect(level([DatabaseRole.WRITER])).toEqual(['Writer']);
  expect(() => level([DatabaseRole.WRITER, DatabaseRole.READER])).toThrow('database.roles: has several roles');
  expect(() => level(['DatabaseOwnr' as DatabaseRole])).toThrow("Did you mean 'DatabaseOwner'?");
});

test('another service of the team gets a role; twice is an error, and so is another team without an offer', () => {
  const env = managed();
  const app = new App();
  const make = (name: string, team = teamIn(env), database?: DatabaseRequest) =>
    new Service(new Chart(app, name), 'service', { team, name, ...(database && { database }) });
  const postings = make('postings', undefined, DATABASE);
  const reports = make('reports');
  postings.database!.grant(reports, DatabaseRole.READER);
  expect(accessesOf(app).map(({ spec: { azureName, level, owner } }) => [azureName, level, owner.armId])).toEqual([
    [postings.databaseLogin, 'Owner', postings.database!.armId],
    [reports.databaseLogin, 'Reader', postings.database!.armId],
  ]);
  expect(() => postings.database!.grant(reports, DatabaseRole.WRITER)).toThrow('has the role DatabaseReader on');
  const permits = make('permits', teamIn(env, 'permits'));
  expect(() => postings.database!.grant(permits, DatabaseRole.READER)).toThrow('offerTo(team, role)');
  permits.use(postings.database!.offerTo(permits.team, DatabaseRole.READER));
  expect(accessesOf(app)).toHaveLength(3);
});

test('a team that leaves loses its access, although its database stays', () => {
  const env = managed();
  const team = new Team({ name: 'ledger', uses: ['postgres'] }).in(env, { offboarding: Offboarding.RETAIN });
  const app = new App();
  new Service(new Chart(app, 'chart'), 'service', { team, name: 'postings', database: DATABASE });
  const policy = 'serviceoperator.azure.com/reconcile-policy';
  expect(accessesOf(app)[0].metadata.annotations?.[policy] ?? 'manage').toBe('manage');
  expect(objectOf(app, 'FlexibleServersDatabase').metadata.annotations[policy]).toBe('detach-on-delete');
});

test.each([
  ['mysql', 'Microsoft.DBforMySQL/flexibleServers/my-dev', SharedService.mysqlServer],
  ['sql', 'Microsoft.Sql/servers/sql-dev', SharedService.sqlServer],
] as const)('%s: a role on a database of the server, and none without an administrator', (on, resource, factory) => {
  const sharing = (administrator?: DatabaseAdministratorLogin) =>
    environment({ shared: { services: [factory({ resource: shared(resource), role, ...(administrator && { administrator }) })] } });
  const resources = [{ on, name: 'main', roles: ['DatabaseOwner'] }];
  const { app, service } = serviceOf({ resources }, sharing({ name: 'platform-db-admin' }));
  expect(accessesOf(app).map(({ spec }) => [spec.level, spec.owner.armId])).toEqual([['Owner', service.resources[0]!.armId]]);
  expect(() => serviceOf({ resources }, sharing())).toThrow('is not a role the catalogue offers here');
});

test('the same by the table of shared services', () => {
  const { app } = serviceOf({
    resources: [{ on: 'postgres', name: 'postings', owned: false, roles: ['DatabaseReader'] }],
  }, managed());
  expect(accessesOf(app).map(({ spec }) => spec.level)).toEqual(['Reader']);
});
