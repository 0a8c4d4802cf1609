import { Chart, Yaml, type App } from 'cdk8s';
import { environment, objectOf, objectsOf, role, serviceOf, shared, SUBSCRIPTION, teamIn } from './service-fixture';
import { SHARED_SERVICE_TYPES } from '../../src/platform/model/shared-service-types';
import { BuiltInRole, RemovalPolicy } from 'cdk8s-aso';
import { Environment, Offboarding, QueueRole, Service, SharedRole, SharedService, Team, TopicRole } from 'cdk8s-aso/platform';
import type { SharedResourceKind, SharedResourceRequest, SharedServiceProps } from 'cdk8s-aso/platform';

const SHARED = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shared/providers`;
const PREFIX = /^ledger-(-|[a-z0-9]{6}-)/;

/** An environment that shares these services. */
function sharing(...services: SharedService[]): Environment {
  return environment({ shared: { services } });
}

/** A service that asks for something in an environment that shares these services. */
function asking(resources: SharedResourceRequest[], ...services: SharedService[]) {
  return serviceOf({ resources }, sharing(...services));
}

type Factory = keyof typeof SHARED_SERVICE_TYPES;

/** The factories of known types, each with a resource of its type. */
const FACTORIES = (Object.keys(SHARED_SERVICE_TYPES) as Factory[]).map((factory) => {
  const { armType } = SHARED_SERVICE_TYPES[factory];
  const [provider, ...types] = armType.split('/');
  const resource = shared([provider, ...types.flatMap((type, index) => [type, `shared${index}`])].join('/'));
  const make = (props: Partial<SharedServiceProps> = {}) =>
    (SharedService[factory] as (of: SharedServiceProps) => SharedService)({ resource, role, ...props });
  return { factory, make };
});

/** Requests for all that a shared service offers. */
function everything({ name, resources, roles }: SharedService): SharedResourceRequest[] {
  const child = (kind: SharedResourceKind) => ({ kind: kind.kind, name: 'inner', ...settingsOf(kind) });
  return [
    ...(roles.length > 0 ? [{ on: name, roles: roles.slice(-1).map((each) => each.name) }] : []),
    ...resources.map((kind) => ({
      on: name,
      kind: kind.kind,
      name: 'clicks',
      ...settingsOf(kind),
      ...(kind.roles && { roles: kind.roles.map((each) => each.name) }),
      ...(kind.children && { children: kind.children.map(child) }),
    })),
  ];
}

function settingsOf({ kind, group }: SharedResourceKind): { settings?: object } {
  if (kind === 'SqlDatabaseContainer') return { settings: { resource: { partitionKey: { paths: ['/id'], kind: 'Hash' } } } };
  return kind === 'FlexibleServersDatabase' && group === 'dbforpostgresql.azure.com' ? { settings: { charset: 'UTF8', collation: 'C' } } : {};
}

describe.each(FACTORIES)('SharedService.$factory', ({ factory, make }) => {
  const service = make();

  test('offers what its table says, and each is made', () => {
    const { app } = asking(everything(service), service);
    const objects = objectsOf(app).filter(({ kind }) => !/^(UserAssignedIdentity|FederatedIdentityCredential)$/.test(kind));
    expect(Yaml.stringify(...objects)).toMatchSnapshot();
  });

  test('keeps the teams apart by the beginning of the names', () => {
    const { service: made } = asking(everything(service), service);
    const named = made.resources.filter(({ resourceName }) => resourceName !== undefined);
    for (const { azureName } of named) expect(azureName).toMatch(factory === 'keyVault' ? /^ledger--postings--clicks$/ : PREFIX);
    const others = new Service(new Chart(made.node.root as App, 'other'), 'service', {
      team: teamIn(made.team.environment, 'permits'), name: 'postings', resources: everything(service),
    });
    const ids = (of: Service) => of.resources.filter(({ resourceName }) => resourceName !== undefined).map(({ armId }) => armId);
    expect(ids(others).filter((id) => ids(made).includes(id))).toEqual([]);
  });

  test('twice, with two names: all names of objects differ', () => {
    const other = make({ name: 'other', resource: shared(`${resourcePath(service)}2`) });
    const { app } = asking([...everything(service), ...everything(other)], service, other);
    const names = objectsOf(app).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('is refused for a team that does not use it', () => {
    const [request] = everything(service);
    if (!request) return;
    const env = sharing(service);
    expect(() => serviceOf({ team: new Team({ name: 'ledger' }).in(env), resources: [request] }, env)).toThrow(
      `resources[0].on: team 'ledger' does not use '${service.name}' in 'dev'. Add the shared service to the team's uses.`,
    );
  });

  test('wants a resource of its type', () => {
    const wrong = make({ resource: shared('Microsoft.Compute/disks/one') });
    expect(() => sharing(wrong)).toThrow(/shared\.services\[0\]\.resource: is a Microsoft\.Compute\/disks, and '[-a-z]+' has to be/);
  });
});

function resourcePath({ resource }: SharedService): string {
  return resource.azureResourceRef.armId!.slice(SHARED.length + 1);
}

test('the roles that teams need have no default where a built-in role would be too wide', () => {
  const needed = FACTORIES.flatMap(({ factory, make }) => {
    const { resource } = make();
    const bare = (SharedService[factory] as (of: SharedServiceProps) => SharedService)({ resource });
    const env = sharing(bare);
    try {
      return [[factory, new Team({ name: 'ledger', uses: [bare.name] }).in(env).grants.map((grant) => grant.to).join() || 'none needed']];
    } catch (error) {
      expect((error as Error).message).toContain('does not say which role teams get');
      return [[factory, 'required']];
    }
  });
  expect(Object.fromEntries(needed)).toEqual({
    serviceBus: 'required',
    eventHubs: 'required',
    postgresServer: 'required',
    mysqlServer: 'required',
    sqlServer: 'operator',
    cosmosDb: 'required',
    redis: 'none needed',
    managedRedis: 'none needed',
    keyVault: 'none needed',
    appConfiguration: 'workload',
    containerRegistry: 'none needed',
    storageAccount: 'required',
    frontDoorEndpoint: 'required',
    dnsZone: 'none needed',
  });
});

describe('several of one kind', () => {
  const bus = SharedService.serviceBus({ resource: shared('Microsoft.ServiceBus/namespaces/one'), role });
  const orders = SharedService.serviceBus({ name: 'orders-bus', resource: shared('Microsoft.ServiceBus/namespaces/two'), role, mayDelete: true });
  const env = sharing(bus, orders);

  test('a request names the one that is meant', () => {
    const { app } = serviceOf({
      queues: [
        { name: 'intake', on: 'service-bus', roles: [QueueRole.SENDER] },
        { name: 'intake', on: 'orders-bus', roles: [QueueRole.SENDER] },
      ],
      topics: [{ name: 'news', on: 'orders-bus', roles: [TopicRole.SENDER], subscriptions: [{ name: 'all' }] }],
    }, env);
    const queues = objectsOf(app).filter(({ kind }) => kind === 'NamespacesQueue');
    expect(queues.map(({ metadata, spec }) => [metadata.name, spec.azureName, spec.owner.armId.split('/').pop()])).toEqual([
      ['intake', 'ledger--intake', 'one'],
      ['orders-bus--intake', 'ledger--intake', 'two'],
    ]);
    expect(objectOf(app, 'NamespacesTopicsSubscription').metadata.name).toBe('orders-bus--news--all');
    const roles = objectsOf(app).filter(({ kind }) => kind === 'RoleAssignment').map(({ metadata }) => metadata.name);
    expect(roles).toEqual([
      'dev-id-ledger--postings-dev-ledger--intake-queuesender',
      'dev-id-ledger--postings-dev-orders-bus-ledger--intake-queuesender',
      'dev-id-ledger--postings-dev-orders-bus-ledger--news-topicsender',
    ]);
  });

  test('each has its own fate', () => {
    const { app } = serviceOf({ queues: [{ name: 'a', on: 'service-bus' }, { name: 'b', on: 'orders-bus' }] }, env);
    const policies = objectsOf(app).filter(({ kind }) => kind === 'NamespacesQueue')
      .map(({ metadata }) => metadata.annotations?.['serviceoperator.azure.com/reconcile-policy']);
    expect(policies).toEqual(['detach-on-delete', undefined]);
  });

  test.each([
    [{ queues: [{ name: 'a' }] }, "queues[0].on: required: team 'ledger' uses 'service-bus' and 'orders-bus'."],
    [{ topics: [{ name: 'a' }] }, 'topics[0].on: required'],
    [{ queues: [{ name: 'a', on: 'order-bus' }] }, "queues[0].on: 'order-bus' is no shared service for this in environment 'dev'. Did you mean 'orders-bus'?"],
    [{ queues: [{ name: 'a', on: 'orders-bus' }, { name: 'A', on: 'orders-bus' }] }, 'queues[1].name: \'orders-bus/a\' is given twice'],
  ])('refuses %j', (props, message) => expect(() => serviceOf(props, env)).toThrow(message));

  test('where the team uses one, that one is meant', () => {
    const team = new Team({ name: 'ledger', uses: ['orders-bus'] }).in(env);
    const { app } = serviceOf({ team, queues: [{ name: 'a' }] }, env);
    expect(objectOf(app, 'NamespacesQueue').spec.owner.armId).toMatch(/\/two$/);
  });

  test('are added one after the other as well', () => {
    const { service } = serviceOf({}, env);
    service.addQueue('a', { on: 'service-bus' });
    service.addQueue('a', { on: 'orders-bus' });
    expect(() => service.addQueue('a', { on: 'orders-bus' })).toThrow("queue['a'].name: is there already");
    expect(service.queues.map(({ on }) => on.name)).toEqual(['service-bus', 'orders-bus']);
  });
});

describe('access without role assignments', () => {
  const redis = SharedService.redis({ resource: shared('Microsoft.Cache/redis/cache') });
  const cosmos = SharedService.cosmosDb({ resource: shared('Microsoft.DocumentDB/databaseAccounts/cosmos'), role });

  test("a cache's policy is for the keys of the team only", () => {
    const { app } = asking([{ on: 'redis', roles: ['CacheWriter'] }], redis);
    const { metadata, spec } = objectOf(app, 'RedisAccessPolicy');
    expect(metadata.namespace).toBe('platform');
    expect(spec.permissions.split(' ')).toEqual(expect.arrayContaining(['+@all', '-@dangerous', '-scan', '~ledger:*']));
    expect(objectOf(app, 'RedisAccessPolicyAssignment').spec).toMatchObject({
      accessPolicyName: spec.azureName,
      objectIdFromConfig: { name: 'id-ledger--postings-dev-ids', key: 'principalId' },
    });
  });

  test('an identity has one access policy of a cache', () => {
    expect(() => asking([{ on: 'redis', roles: ['CacheReader', 'CacheWriter'] }], redis)).toThrow(
      'resources[0].roles: Azure takes only one of CacheReader and CacheWriter for an identity. Give the wider one.',
    );
    const { service } = asking([{ on: 'redis', roles: ['CacheReader'] }], redis);
    expect(() => service.resources[0]!.grant(service, 'CacheWriter')).toThrow('has the role CacheReader on cache already');
  });

  test('names of policies differ where only hyphens do', () => {
    const policyOf = (team: string, name: string) => {
      const env = sharing(redis);
      return objectOf(serviceOf({ team: teamIn(env, team), name, resources: [{ on: 'redis', roles: ['CacheReader'] }] }, env).app, 'RedisAccessPolicy');
    };
    expect(policyOf('a', 'b-c').spec.azureName).not.toBe(policyOf('a-b', 'c').spec.azureName);
    expect(policyOf('a'.repeat(40), 'b'.repeat(40)).spec.azureName.length).toBeLessThanOrEqual(63);
  });

  test('a role on the data of Cosmos DB is for one database', () => {
    const { app } = asking([{ on: 'cosmos-db', name: 'main', roles: ['DatabaseReader'] }], cosmos);
    expect(objectOf(app, 'SqlRoleAssignment').spec).toEqual({
      owner: { armId: `${SHARED}/Microsoft.DocumentDB/databaseAccounts/cosmos` },
      principalIdFromConfig: { name: 'id-ledger--postings-dev-ids', key: 'principalId' },
      roleDefinitionId: `${SHARED}/Microsoft.DocumentDB/databaseAccounts/cosmos/sqlRoleDefinitions/00000000-0000-0000-0000-000000000001`,
      scope: `${SHARED}/Microsoft.DocumentDB/databaseAccounts/cosmos/dbs/ledger--main`,
    });
  });

  test('ends when the team leaves, though its data stays', () => {
    const env = sharing(redis, cosmos);
    const team = new Team({ name: 'ledger', uses: ['redis', 'cosmos-db'] }).in(env, { offboarding: Offboarding.RETAIN });
    const { app } = serviceOf({
      team,
      resources: [{ on: 'redis', roles: ['CacheReader'] }, { on: 'cosmos-db', name: 'main', roles: ['DatabaseReader'] }],
    }, env);
    const policies = objectsOf(app).map(({ kind, metadata }) => [kind, metadata.annotations['serviceoperator.azure.com/reconcile-policy']]);
    expect(Object.fromEntries(policies)).toEqual({
      UserAssignedIdentity: 'manage',
      FederatedIdentityCredential: 'manage',
      RedisAccessPolicy: 'manage',
      RedisAccessPolicyAssignment: 'manage',
      SqlRoleAssignment: 'manage',
      SqlDatabase: 'detach-on-delete',
    });
  });

  test('is offered to another team like any role', () => {
    const { app, service } = asking([{ on: 'cosmos-db', name: 'main' }], cosmos);
    const permits = new Service(new Chart(app, 'permits'), 'service', { team: teamIn(service.team.environment, 'permits'), name: 'check' });
    const [main] = service.resources;
    expect(() => main!.grant(permits, 'DatabaseReader')).toThrow('Across teams both have to agree');
    const offer = main!.offerTo(permits.team, 'DatabaseReader');
    expect(permits.use(offer).map(({ kind }) => kind)).toEqual(['SqlRoleAssignment']);
    expect(objectOf(app, 'SqlRoleAssignment').spec.principalIdFromConfig.name).toBe('id-permits--check-dev-ids');
    expect(() => main!.offerTo(permits.team, 'DatabaseReadr')).toThrow("Did you mean 'DatabaseReader'?");
  });
});

describe('a service of any other type', () => {
  const kusto = (props: object = {}) => SharedService.custom({
    name: 'kusto',
    resource: shared('Microsoft.Kusto/clusters/dec'),
    role,
    resources: [{
      group: 'kusto.azure.com',
      kind: 'Database',
      roles: [
        SharedRole.assignment('DatabaseAuditor', BuiltInRole.READER),
        SharedRole.access('DatabaseViewer', [{
          group: 'kusto.azure.com',
          kind: 'PrincipalAssignment',
          principal: 'principalIdFromConfig',
          properties: { azureName: '{access}', role: 'Viewer', principalType: 'App', tenantId: '{resource}' },
        }]),
      ],
      defaults: { readWriteDatabase: { kind: 'ReadWrite', location: '{location}', hotCachePeriod: 'P7D' } },
      fixed: { readWriteDatabase: { softDeletePeriod: 'P30D' } },
    }],
    ...props,
  });

  test('is one entry', () => {
    const { app } = asking([{ on: 'kusto', name: 'clicks', roles: ['DatabaseAuditor', 'DatabaseViewer'], settings: { readWriteDatabase: { hotCachePeriod: 'P1D' } } }], kusto());
    const objects = objectsOf(app).filter(({ kind }) => ['Database', 'RoleAssignment', 'PrincipalAssignment'].includes(kind));
    expect(Yaml.stringify(...objects)).toMatchSnapshot();
  });

  test.each<[string, SharedService, string]>([
    ['a name that is no word', kusto({ name: 'My Kusto' }), "shared.services[0].name: 'My Kusto' is no word."],
    ['the id of the role on the group', kusto({ name: 'group' }), "shared.services[0].name: 'group' is the id"],
    ['a kind that is none', kusto({ resources: [{ group: 'kusto.azure.com', kind: 'Databse' }] }), "shared.services[0].resources[0].kind: 'kusto.azure.com/Databse' is no kind"],
    ['a kind of another service', kusto({ resources: [{ group: 'sql.azure.com', kind: 'ServersDatabase' }] }), "resources[0].kind: 'ServersDatabase' is not directly below Microsoft.Kusto/clusters in Azure"],
    ['a path without one', kusto({ resources: [{ kind: 'Thing' }] }), "resources[0].path: required for 'Thing'"],
    ['a role that grants nothing', kusto({ roles: [SharedRole.access('Nothing', [])] }), "shared.services[0].roles[0]: 'Nothing' grants nothing"],
    [
      'a role by an object elsewhere',
      kusto({ roles: [SharedRole.access('User', [{ group: 'sql.azure.com', kind: 'User', properties: {} }])] }),
      "shared.services[0].roles[0].objects[0].kind: 'sql.azure.com/User' is no kind that belongs to Microsoft.Kusto/clusters",
    ],
    ['two roles of a name', kusto({ roles: [SharedRole.assignment('A', BuiltInRole.READER), SharedRole.assignment('A', BuiltInRole.READER)] }), "roles[1].name: 'A' is another role's name"],
    ['no resource', kusto({ resource: undefined }), 'shared.services[0].resource: required'],
    ['an identity that is none', kusto({ roleTo: 'me' }), "shared.services[0].roleTo: 'me' is none of operator, workload"],
    [
      'defaults of a kind that it does not offer',
      SharedService.sqlServer({ resource: shared('Microsoft.Sql/servers/sql'), defaults: { ServerDatabase: {} } }),
      "shared.services[0].defaults.ServerDatabase: is no kind of resource in a SQL server. Did you mean 'ServersDatabase'?",
    ],
  ])('refuses %s', (_what, service, message) => expect(() => sharing(service)).toThrow(message));

  test('refuses two of one name', () => expect(() => sharing(kusto(), kusto())).toThrow("shared.services[1].name: 'kusto' is another shared service's name too"));

  test.each<[SharedResourceRequest, string]>([
    [{ on: 'kusto', name: 'a', settings: { readWriteDatabase: { softDeletePeriod: 'P90D' } } }, 'resources[0].settings.readWriteDatabase.softDeletePeriod: is the same for all teams'],
    [{ on: 'kusto', name: 'a', settings: { readWriteDatabas: {} } }, "resources[0].settings.readWriteDatabas: is no setting. Did you mean 'readWriteDatabase'?"],
    [{ on: 'kusto', name: 'a', roles: ['DatabaseAudit'] }, "resources[0].roles[0]: 'DatabaseAudit' is not a role the catalogue offers here. Did you mean 'DatabaseAuditor'?"],
    [{ on: 'kusto', name: 'a', kind: 'Databas' }, "resources[0].kind: 'Databas' is nothing to ask for in 'kusto'. Did you mean 'Database'?"],
    [{ on: 'kusto', roles: ['DatabaseAuditor'] }, "resources[0].name: required: 'kusto' offers no role on the whole of it, but resources: Database."],
    [{ on: 'kustos', name: 'a' }, "resources[0].on: 'kustos' is no shared service for this in environment 'dev'. Did you mean 'kusto'?"],
    [{ on: 'kusto', name: 'a', owned: false, settings: {} }, 'resources[0].settings: belongs to the service that has the resource'],
    [{ on: 'kusto', name: 'a', children: [{ name: 'b' }] }, 'resources[0].children[0]: there are no resources to ask for in a Database'],
    [{ on: 'kusto', name: 'a', settings: 'big' as never }, "resources[0].settings: is 'big', but has to be an object."],
    [{ on: '', name: 'a' }, 'resources[0].on: required'],
    [{ on: 'kusto', name: '' }, 'resources[0].name: required'],
  ])('a request: refuses %j', (request, message) => expect(() => asking([request], kusto())).toThrow(message));

  test('all problems are in one error', () => {
    expect(() => asking([{ on: 'kusto', name: 'a', roles: ['X'] }, { on: 'nowhere', name: 'b' }], kusto())).toThrow(/resources\[0\]\.roles\[0\][^]*resources\[1\]\.on/);
  });
});

test('a database of the platform fixes its size for all teams', () => {
  const sql = SharedService.sqlServer({
    resource: shared('Microsoft.Sql/servers/sql'),
    fixed: { ServersDatabase: { sku: { name: 'ElasticPool' }, elasticPoolReference: shared('Microsoft.Sql/servers/sql/elasticPools/teams') } },
    defaults: { ServersDatabase: { collation: 'Latin1_General_100_CI_AS' } },
  });
  const { app } = asking([{ on: 'sql', name: 'main', settings: { maxSizeBytes: 1073741824 } }], sql);
  expect(objectOf(app, 'ServersDatabase').spec).toMatchObject({
    azureName: 'ledger--main',
    collation: 'Latin1_General_100_CI_AS',
    createMode: 'Default',
    elasticPoolReference: { armId: `${SHARED}/Microsoft.Sql/servers/sql/elasticPools/teams` },
    location: 'uksouth',
    maxSizeBytes: 1073741824,
    sku: { name: 'ElasticPool' },
  });
  expect(() => asking([{ on: 'sql', name: 'main', settings: { sku: { name: 'P15' } } }], sql)).toThrow('resources[0].settings.sku.name: is the same for all teams');
  expect(() => asking([{ on: 'sql', name: 'main', settings: { createMode: 'Copy' } }], sql)).toThrow('resources[0].settings.createMode: is the same');
});

test('a hub of another service of the team: roles and consumer groups, not the hub', () => {
  const hubs = SharedService.eventHubs({ resource: shared('Microsoft.EventHub/namespaces/hubs'), role });
  const { app, service } = asking([{ on: 'event-hubs', name: 'clicks', owned: false, roles: ['EventHubReceiver'], children: [{ name: 'reports' }] }], hubs);
  expect(objectsOf(app).map(({ kind }) => kind).filter((kind) => !/Identity/.test(kind))).toEqual(['NamespacesEventhubsConsumerGroup', 'RoleAssignment']);
  expect(objectOf(app, 'NamespacesEventhubsConsumerGroup').spec.owner).toEqual({ armId: `${SHARED}/Microsoft.EventHub/namespaces/hubs/eventhubs/ledger--clicks` });
  expect(() => service.addResource({ on: 'event-hubs', name: 'clicks' })).toThrow("resources['clicks'].name: is there already");
  expect(service.addResource({ on: 'event-hubs', name: 'views' }).azureName).toBe('ledger--views');
});

test.each<[string, Partial<SharedResourceRequest>, Record<string, string>]>([
  ['that retains, are kept with it', { removalPolicy: RemovalPolicy.RETAIN }, { SqlDatabase: 'detach-on-delete', SqlDatabaseContainer: 'detach-on-delete' }],
  ['that is deleted, go with it', { removalPolicy: RemovalPolicy.DESTROY }, { SqlDatabase: 'manage', SqlDatabaseContainer: 'manage' }],
  ['that says nothing, are as by themselves', {}, {}],
])('the contents of a resource %s', (_, request, expected) => {
  const cosmos = SharedService.cosmosDb({ resource: shared('Microsoft.DocumentDB/databaseAccounts/cosmos'), role, mayDelete: true });
  const settings = { resource: { partitionKey: { paths: ['/id'], kind: 'Hash' } } };
  const children = [{ kind: 'SqlDatabaseContainer', name: 'a', settings }];
  const { app } = asking([{ on: 'cosmos-db', kind: 'SqlDatabase', name: 'main', children, ...request }], cosmos);
  const policies = objectsOf(app).map(({ kind, metadata }) => [kind, metadata.annotations?.['serviceoperator.azure.com/reconcile-policy']]);
  expect(Object.fromEntries(policies.filter(([, policy]) => policy !== undefined))).toEqual(expected);
});
