import { App, Chart } from 'cdk8s';
import { environment, objectOf, objectsOf, serviceOf, services, SUBSCRIPTION, teamIn } from './service-fixture';
import { AzureReference, BuiltInRole, ReconcilePolicy, RemovalPolicy } from 'cdk8s-aso';
import { QueueRole, Service, StorageRole, TopicRole } from 'cdk8s-aso/platform';
import type { ServiceProps, TopicRequest } from 'cdk8s-aso/platform';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const policyOf = (object: any) => object.metadata.annotations?.[POLICY];

describe('placement', () => {
  test('what belongs to the platform is in its namespace, the rest in the team\'s', () => {
    const { app } = serviceOf({
      queues: [{ name: 'intake', roles: [QueueRole.SENDER] }],
      database: { name: 'main', charset: 'UTF8', collation: 'C' },
      storageAccounts: [{ name: 'docs', containers: [{ name: 'letters' }] }],
      privateDnsRecords: [{ storageAccount: 'docs', addresses: { blob: '10.0.0.8' } }],
    });
    const namespaces = new Map<string, Set<string>>();
    for (const { kind, metadata } of objectsOf(app)) {
      namespaces.set(metadata.namespace, (namespaces.get(metadata.namespace) ?? new Set()).add(kind));
    }
    expect([...namespaces.get('platform')!].sort()).toEqual([
      'FederatedIdentityCredential',
      'PrivateDnsZonesARecord',
      'PrivateEndpoint',
      'PrivateEndpointsPrivateDnsZoneGroup',
      'RoleAssignment',
      'UserAssignedIdentity',
    ]);
    expect([...namespaces.get('ledger')!].sort()).toEqual([
      'FlexibleServersDatabase',
      'NamespacesQueue',
      'StorageAccount',
      'StorageAccountsBlobService',
      'StorageAccountsBlobServicesContainer',
      'StorageAccountsFileService',
    ]);
    expect(namespaces.size).toBe(2);
  });

  test('owners by ARM id, where the environment wants it', () => {
    const options = { topics: [{ name: 'news', subscriptions: [{ name: 'all', rules: [{ name: 'r', sqlExpression: '1=1' }] }] }] };
    const ownersOf = (ownersByArmId: boolean) => objectsOf(serviceOf(options, environment({ conventions: { ownersByArmId } })).app)
      .filter(({ kind }) => /Subscription/.test(kind)).map(({ spec }) => Object.keys(spec.owner));
    expect(ownersOf(false)).toEqual([['name'], ['name']]);
    expect(ownersOf(true)).toEqual([['armId'], ['armId']]);
  });
});

describe('identity', () => {
  test('trusts the service account of its name in every cluster; others where they are given', () => {
    const subjects = (identity?: object) =>
      objectsOf(serviceOf(identity ? { identity } : {}).app)
        .filter(({ kind }) => kind === 'FederatedIdentityCredential')
        .map(({ spec }) => `${spec.issuer} ${spec.subject}`);
    expect(subjects()).toEqual([
      'https://one.example/ system:serviceaccount:ledger:postings',
      'https://two.example/ system:serviceaccount:ledger:postings',
    ]);
    expect(subjects({ federatedServiceAccounts: [] })).toEqual([]);
    expect(subjects({ federatedServiceAccounts: [{ namespace: 'a', name: 'b' }] })).toHaveLength(2);
  });

  test('an existing one is not made, but gets roles by its ConfigMap', () => {
    const { app, service } = serviceOf({ identity: { existing: true }, queues: [{ name: 'q', owned: false, roles: [QueueRole.SENDER] }] });
    expect(objectsOf(app).map(({ kind }) => kind)).toEqual(['RoleAssignment']);
    expect(objectsOf(app)[0].spec).toMatchObject({
      principalIdFromConfig: { name: 'id-ledger--postings-dev-ids', key: 'principalId' },
      principalType: 'ServicePrincipal',
    });
    expect(service.identity.resource).toBeUndefined();
  });

  test('principal types can be left out', () => {
    const { app } = serviceOf(
      { queues: [{ name: 'q', roles: [QueueRole.SENDER] }] },
      environment({ conventions: { principalTypes: false } }),
    );
    expect(objectOf(app, 'RoleAssignment').spec).not.toHaveProperty('principalType');
  });

  test('the location may be another one', () => {
    expect(objectOf(serviceOf({ identity: { location: 'ukwest' } }).app, 'UserAssignedIdentity').spec.location).toBe('ukwest');
  });

  test.each<[string, object, string]>([
    [
      'too many',
      { federatedServiceAccounts: Array.from({ length: 11 }, (_, i) => ({ namespace: 'a', name: `b${i}` })) },
      'identity.federatedServiceAccounts: 11 service accounts in 2 clusters',
    ],
    [
      'twice',
      {
        federatedServiceAccounts: [
          { namespace: 'a', name: 'b' },
          { namespace: 'a', name: 'b' },
        ],
      },
      'identity.federatedServiceAccounts[1]: a/b is given twice',
    ],
    ['no name', { federatedServiceAccounts: [{ namespace: 'a', name: '' }] }, 'identity.federatedServiceAccounts[0].name: required'],
    ['no namespace', { federatedServiceAccounts: [{ name: 'a' }] }, 'identity.federatedServiceAccounts[0].namespace: required'],
    ['no delivery', { serviceAccounts: [{ name: 'a' }] }, 'identity.delivery: required'],
  ])('refuses service accounts: %s', (_what, identity, message) => {
    expect(() => serviceOf({ identity: identity as never })).toThrow(message);
  });
});

describe('settings', () => {
  test.each([
    ['queues', 'NamespacesQueue', {
      deadLetteringOnMessageExpiration: true,
      defaultMessageTimeToLive: 'P1D',
      duplicateDetectionHistoryTimeWindow: 'PT1H',
      enableBatchedOperations: false,
      enableExpress: true,
      enablePartitioning: true,
      lockDuration: 'PT2M',
      maxDeliveryCount: 1,
      maxMessageSizeInKilobytes: 256,
      maxSizeInMegabytes: 2048,
      requiresDuplicateDetection: true,
      requiresSession: false,
      autoDeleteOnIdle: 'P30D',
      forwardTo: 'x',
      forwardDeadLetteredMessagesTo: 'y',
    }],
    ['topics', 'NamespacesTopic', {
      defaultMessageTimeToLive: 'P1D',
      duplicateDetectionHistoryTimeWindow: 'PT1H',
      enableBatchedOperations: false,
      enableExpress: true,
      enablePartitioning: true,
      maxMessageSizeInKilobytes: 256,
      maxSizeInMegabytes: 2048,
      requiresDuplicateDetection: true,
      supportOrdering: false,
      autoDeleteOnIdle: 'P30D',
    }],
  ])('every one of %s wins over its default', (list, kind, settings) => {
    for (const [name, value] of Object.entries(settings)) {
      const spec = objectOf(serviceOf({ [list]: [{ name: 'x', settings: { [name]: value } }] }).app, kind).spec;
      expect({ [name]: spec[name] }).toEqual({ [name]: value });
    }
  });

  test('every one of subscriptions wins over its default', () => {
    const settings = {
      deadLetteringOnFilterEvaluationExceptions: true,
      deadLetteringOnMessageExpiration: true,
      defaultMessageTimeToLive: 'P1D',
      duplicateDetectionHistoryTimeWindow: 'PT1H',
      enableBatchedOperations: false,
      isClientAffine: true,
      lockDuration: 'PT2M',
      maxDeliveryCount: 1,
      requiresSession: false,
      autoDeleteOnIdle: 'P30D',
      forwardTo: 'x',
      forwardDeadLetteredMessagesTo: 'y',
    };
    const { app } = serviceOf({ topics: [{ name: 't', subscriptions: [{ name: 's', settings }] }] });
    expect(objectOf(app, 'NamespacesTopicsSubscription').spec).toMatchObject(settings);
  });

  test('what is undefined is not said', () => {
    expect(
      objectOf(serviceOf({ queues: [{ name: 'x', settings: { maxDeliveryCount: undefined as never } }] }).app, 'NamespacesQueue').spec
        .maxDeliveryCount,
    ).toBe(10);
  });

  test.each([
    [
      { queues: [{ name: 'x', settings: { maxDeliverCount: 3 } }] },
      "queues[0].settings.maxDeliverCount: is no setting. Did you mean 'maxDeliveryCount'?",
    ],
    [{ queues: [{ name: 'x', settings: { maxDeliveryCount: 'three' } }] }, 'queues[0].settings.maxDeliveryCount: '],
    [{ topics: [{ name: 'x', settings: { requiresSession: true } }] }, 'topics[0].settings.requiresSession: is no setting'],
    [
      { topics: [{ name: 'x', subscriptions: [{ name: 'a' }, { name: 'b', settings: { supportOrdering: true } }] }] },
      'topics[0].subscriptions[1].settings.supportOrdering: is no setting',
    ],
    [{ queues: [{ name: '' }] }, 'queues[0].name: required'],
    [{ topics: [{ name: 'x', subscriptions: [{ name: '' }] }] }, 'topics[0].subscriptions[0].name: required'],
    [{ queues: [{ name: 'x' }, { name: 'X' }] }, "queues[1].name: 'x' is given twice"],
    [
      { topics: [{ name: 'x', subscriptions: [{ name: 'a' }, { name: 'A' }] }] },
      "topics[0].subscriptions[1].name: 'A' is another subscription's name too",
    ],
  ])('refuses %j', (props, message) => {
    expect(() => serviceOf(props as never)).toThrow(message);
  });

  test('one error names all that is wrong', () => {
    expect(() => serviceOf({ queues: [{ name: '' }, { name: 'x', roles: ['Reader' as never] }], keyVaultSecrets: ['a b'] }))
      .toThrow(/queues\[0\]\.name: required.*queues\[1\]\.roles\[0\]: .*keyVaultSecrets\[0\]: /s);
  });
});

describe('rules', () => {
  const ruled = (rule: object) => serviceOf({ topics: [{ name: 't', subscriptions: [{ name: 's', rules: [rule as never] }] }] });

  test('all fields of a correlation filter', () => {
    const correlation = {
      contentType: 'a',
      correlationId: 'b',
      label: 'c',
      messageId: 'd',
      replyTo: 'e',
      replyToSessionId: 'f',
      sessionId: 'g',
      to: 'h',
      properties: { x: 'y' },
    };
    expect(objectOf(ruled({ name: 'r', correlation }).app, 'NamespacesTopicsSubscriptionsRule').spec).toMatchObject({
      action: {},
      filterType: 'CorrelationFilter',
      correlationFilter: correlation,
    });
  });

  test('properties are empty where none are given', () => {
    expect(
      objectOf(ruled({ name: 'r', correlation: { label: 'c' } }).app, 'NamespacesTopicsSubscriptionsRule').spec.correlationFilter,
    ).toEqual({ label: 'c', properties: {} });
  });

  test('the rule that lets everything pass can be replaced', () => {
    const rule = objectOf(ruled({ name: '$Default', sqlExpression: 'a = 1' }).app, 'NamespacesTopicsSubscriptionsRule');
    expect(rule.spec.azureName).toBe('$default');
    expect(rule.metadata.name).toMatch(/^t--s--default-[a-z0-9]{6}$/);
  });

  test.each([
    [{ name: 'r' }, 'topics[0].subscriptions[0].rules[0].sqlExpression: required'],
    [{ name: 'r', sqlExpression: '', correlation: undefined }, 'topics[0].subscriptions[0].rules[0].sqlExpression: required'],
    [{ name: 'r', sqlExpression: '1=1', correlation: {} }, 'topics[0].subscriptions[0].rules[0].correlation: '],
    [
      { name: 'r', correlation: { lable: 'x' } },
      "topics[0].subscriptions[0].rules[0].correlation.lable: is no setting. Did you mean 'label'?",
    ],
    [{ name: 'r', correlation: { label: 3 } }, 'topics[0].subscriptions[0].rules[0].correlation.label: '],
    [{ sqlExpression: '1=1' }, 'topics[0].subscriptions[0].rules[0].name: required'],
  ])('refuses %j', (rule, message) => {
    expect(() => ruled(rule)).toThrow(message);
  });

  test('are added later as well, once', () => {
    const { app, service } = serviceOf();
    const subscription = service.addTopic('t').addSubscription('s');
    subscription.addRule('r', { sqlExpression: '1=1' });
    expect(objectOf(app, 'NamespacesTopicsSubscriptionsRule').spec.owner).toEqual({ name: 't--s' });
    expect(() => subscription.addRule('R', { sqlExpression: '1=1' })).toThrow('rules[\'R\'].name: is another rule\'s name too');
    expect(() => subscription.addRule('q', {})).toThrow('rules[\'q\'].sqlExpression: required');
    expect(() => service.topics[0]!.addSubscription('S')).toThrow('subscriptions[\'S\'].name: is another subscription\'s name too');
  });
});

describe('roles', () => {
  test.each([
    [
      { queues: [{ name: 'x', roles: ['TopicSender'] }] },
      "queues[0].roles[0]: 'TopicSender' is not a role the catalogue offers here.",
      'Give QueueSender or QueueReceiver.',
    ],
    [
      { topics: [{ name: 'x', roles: ['TopicSender', 'QueueSender'] }] },
      "topics[0].roles[1]: 'QueueSender' is not",
      'Give TopicSender or TopicReceiver.',
    ],
    [
      { storageAccounts: [{ name: 'x', roles: ['BlobDataReader'] }] },
      "storageAccounts[0].roles[0]: 'BlobDataReader' is not",
      'Give DataWriter or DataReader.',
    ],
    [{ queues: [{ name: 'x', roles: ['QueueSender', 'QueueSender'] }] }, "queues[0].roles[1]: 'QueueSender' is given twice", ''],
  ])('refuses %j', (props, message, offered) => {
    expect(() => serviceOf(props as never)).toThrow(message as string);
    expect(() => serviceOf(props as never)).toThrow(offered as string);
  });

  test('the data of storage by roles of the environment, else by built-in ones', () => {
    const custom = environment({ roles: { storageDataReader: BuiltInRole.custom('ebdd18c0-21ec-5084-850b-22e68c91bc60') } });
    const given = (env = environment()) =>
      objectsOf(serviceOf({ storageAccounts: [{ name: 'x', roles: [StorageRole.DATA_READER] }] }, env).app)
        .filter(({ kind }) => kind === 'RoleAssignment')
        .map(({ spec }) => spec.roleDefinitionReference.armId.split('/').pop());
    expect(given(custom)).toEqual(['ebdd18c0-21ec-5084-850b-22e68c91bc60']);
    expect(given()).toEqual([
      '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
      '76199698-9eea-4c19-bc75-cec21354c6b6',
      'b8eda974-7b85-4f76-af95-65846b26df6d',
    ]);
  });

  test('their names do not depend on the order of a list', () => {
    const names = (roles: QueueRole[]) =>
      objectsOf(serviceOf({ queues: [{ name: 'x', roles }] }).app)
        .filter(({ kind }) => kind === 'RoleAssignment')
        .map(({ metadata }) => metadata.name)
        .sort();
    expect(names([QueueRole.SENDER, QueueRole.RECEIVER])).toEqual(names([QueueRole.RECEIVER, QueueRole.SENDER]));
  });

  test('another service of the team, on what this one has', () => {
    const { app, service } = serviceOf({ queues: [{ name: 'x' }], topics: [{ name: 'y' }], storageAccounts: [{ name: 'z' }] });
    const other = new Service(new Chart(app, 'other'), 'service', { team: service.team, name: 'audit' });
    service.queues[0]!.grant(other, QueueRole.RECEIVER);
    service.topics[0]!.grant(other, TopicRole.RECEIVER);
    service.storageAccounts[0]!.grant(other, StorageRole.DATA_READER);
    const assignments = objectsOf(app).filter(({ kind }) => kind === 'RoleAssignment');
    expect(assignments).toHaveLength(5);
    for (const { spec, metadata } of assignments) {
      expect(spec.principalIdFromConfig.name).toBe('id-ledger--audit-dev-ids');
      expect(metadata.namespace).toBe('platform');
    }
    expect(() => service.queues[0]!.grant(other, QueueRole.RECEIVER)).toThrow('has the role QueueReceiver on ledger--x already');
  });

  test('one that is not in the catalogue', () => {
    const { app, service } = serviceOf();
    service.addRole(
      'search',
      AzureReference.fromArmId(`/subscriptions/${SUBSCRIPTION}/resourceGroups/g/providers/Microsoft.Search/searchServices/s`),
      BuiltInRole.SEARCH_INDEX_DATA_READER,
    );
    expect(objectOf(app, 'RoleAssignment').metadata.name).toBe('dev-id-ledger--postings-dev-s-search');
  });
});

describe('across teams', () => {
  const two = () => {
    const app = new App();
    const env = environment();
    const owner = new Service(new Chart(app, 'owner'), 'service', {
      team: teamIn(env, 'ledger'),
      name: 'postings',
      queues: [{ name: 'x' }],
      topics: [{ name: 'y' }],
      storageAccounts: [{ name: 'z' }],
    });
    const user = new Service(new Chart(app, 'user'), 'service', { team: teamIn(env, 'permits'), name: 'intake' });
    return { app, owner, user, env };
  };

  test('one side alone grants nothing', () => {
    const { app, owner, user } = two();
    owner.queues[0]!.offerTo(user.team, QueueRole.RECEIVER);
    expect(objectsOf(app).filter(({ kind }) => kind === 'RoleAssignment')).toEqual([]);
    expect(() => owner.queues[0]!.grant(user, QueueRole.RECEIVER)).toThrow(
      /belongs to team 'ledger' in 'dev', the service to team 'permits' in 'dev'.*team 'ledger' in 'dev' writes offerTo\(team, role\), and team 'permits' in 'dev' accepts it with service\.use\(offer\)/,
    );
    expect(() => owner.topics[0]!.grant(user, TopicRole.RECEIVER)).toThrow('service.use(offer)');
    expect(() => owner.storageAccounts[0]!.grant(user, StorageRole.DATA_READER)).toThrow('service.use(offer)');
  });

  test('both sides grant, once, in the platform\'s namespace', () => {
    const { app, owner, user } = two();
    const offer = owner.queues[0]!.offerTo(user.team, QueueRole.RECEIVER, QueueRole.SENDER);
    user.use(offer);
    user.use(owner.topics[0]!.offerTo(user.team, TopicRole.RECEIVER));
    user.use(owner.storageAccounts[0]!.offerTo(user.team, StorageRole.DATA_READER));
    const assignments = objectsOf(app).filter(({ kind }) => kind === 'RoleAssignment');
    expect(assignments.map(({ metadata }) => metadata.namespace)).toEqual(Array(6).fill('platform'));
    expect(assignments[0].spec.owner.armId).toBe(owner.queues[0]!.armId);
    expect(assignments[0].spec.principalIdFromConfig.name).toBe('id-permits--intake-dev-ids');
    expect(() => user.use(offer)).toThrow('already');
    expect(offer.roleNames).toEqual(['QueueReceiver', 'QueueSender']);
  });

  test('an offer is for one team, in one environment', () => {
    const { app, owner, user, env } = two();
    const third = new Service(new Chart(app, 'third'), 'service', { team: teamIn(env, 'fraud'), name: 'scan' });
    const offer = owner.queues[0]!.offerTo(user.team, QueueRole.RECEIVER);
    expect(() => third.use(offer)).toThrow(
      "ledger--x is offered to team 'permits' in 'dev', not to team 'fraud' in 'dev'. Ask team 'ledger' in 'dev'",
    );
    const elsewhere = teamIn(environment({ name: 'prd' }), 'permits');
    expect(() => owner.queues[0]!.offerTo(elsewhere, QueueRole.RECEIVER)).toThrow('cannot be offered to team \'permits\' in \'prd\'');
  });
});

describe('life cycle', () => {
  const all = {
    queues: [{ name: 'q', roles: [QueueRole.SENDER] }],
    topics: [{ name: 't', subscriptions: [{ name: 's', rules: [{ name: 'r', sqlExpression: '1=1' }] }] }],
    database: { name: 'd', charset: 'UTF8', collation: 'C' },
    storageAccounts: [{ name: 'a', containers: [{ name: 'ccc' }] }],
    privateDnsRecords: [{ storageAccount: 'a', addresses: { blob: '10.0.0.8' } }],
  };
  const withServices = (mayDelete: Parameters<typeof services>[0]) =>
    environment({ shared: { ...environment().shared, services: services(mayDelete) } });
  const policies = (app: App) => Object.fromEntries(objectsOf(app).filter(policyOf).map((object) => [object.kind, policyOf(object)]));

  test("what the team's credential may not delete stays", () => {
    expect(policies(serviceOf(all).app)).toEqual({
      NamespacesQueue: 'detach-on-delete',
      NamespacesTopic: 'detach-on-delete',
      NamespacesTopicsSubscription: 'detach-on-delete',
      NamespacesTopicsSubscriptionsRule: 'detach-on-delete',
      FlexibleServersDatabase: 'detach-on-delete',
    });
    expect(policies(serviceOf(all, withServices({ serviceBus: true })).app)).toEqual({
      FlexibleServersDatabase: 'detach-on-delete',
    });
    expect(policies(serviceOf(all, withServices({ postgres: true })).app)).toEqual({
      NamespacesQueue: 'detach-on-delete',
      NamespacesTopic: 'detach-on-delete',
      NamespacesTopicsSubscription: 'detach-on-delete',
      NamespacesTopicsSubscriptionsRule: 'detach-on-delete',
    });
  });

  describe('the contents of what is kept are kept', () => {
    const AUDIT = { name: 's', rules: [{ name: 'r', sqlExpression: '1=1' }] };
    const topic = (request: Partial<TopicRequest>) => ({ topics: [{ name: 't', subscriptions: [AUDIT], ...request }] });
    const kept = { NamespacesTopicsSubscription: 'detach-on-delete', NamespacesTopicsSubscriptionsRule: 'detach-on-delete' };
    const deleted = { NamespacesTopicsSubscriptionsRule: 'manage', NamespacesTopicsSubscription: 'manage' };
    const mayDelete = withServices({ serviceBus: true });
    const mayNot = withServices({});

    test.each<[string, Partial<ServiceProps>, ReturnType<typeof environment>, Record<string, string>]>([
      ['of a topic of another service', topic({ owned: false }), mayNot, kept],
      ['of a topic of another service, that may be deleted', topic({ owned: false }), mayDelete, {}],
      ['of a topic that retains', topic({ removalPolicy: RemovalPolicy.RETAIN }), mayDelete, { NamespacesTopic: 'detach-on-delete', ...kept }],
      ['of a topic that is only watched', topic({ reconcilePolicy: ReconcilePolicy.SKIP }), mayDelete, { NamespacesTopic: 'skip', ...kept }],
      ['of a protected topic', topic({ removalPolicy: RemovalPolicy.PROTECT }), mayDelete, { NamespacesTopic: 'detach-on-delete', ...kept }],
      ['not of a topic that is deleted', topic({ removalPolicy: RemovalPolicy.DESTROY }), mayNot, { NamespacesTopic: 'manage', ...deleted }],
      [
        'not where the subscription says so, with its rules', topic({ subscriptions: [{ ...AUDIT, removalPolicy: RemovalPolicy.DESTROY }] }),
        mayNot, { NamespacesTopic: 'detach-on-delete', ...deleted },
      ],
      [
        'of a subscription that retains', topic({ subscriptions: [{ ...AUDIT, removalPolicy: RemovalPolicy.RETAIN }] }), mayDelete, kept,
      ],
      [
        'by the annotations of the service', { ...topic({}), annotations: { [POLICY]: 'detach-on-delete' } },
        mayDelete, { NamespacesTopic: 'detach-on-delete', UserAssignedIdentity: 'detach-on-delete', ...kept },
      ],
      [
        'not where the annotations of the service manage', { ...topic({}), annotations: { [POLICY]: 'manage' } },
        mayNot, { NamespacesTopic: 'manage', UserAssignedIdentity: 'manage', ...deleted },
      ],
    ])('%s', (_, props, env, expected) => expect(policies(serviceOf(props, env).app)).toEqual(expected));

    test('of a topic to which they are added later', () => {
      const { app, service } = serviceOf({ topics: [{ name: 't', removalPolicy: RemovalPolicy.RETAIN }] }, mayDelete);
      service.topics[0]!.addSubscription('s').addRule('r', { sqlExpression: '1=1' });
      expect(policies(app)).toEqual({ NamespacesTopic: 'detach-on-delete', ...kept });
    });
  });

  test('what is said of a thing wins', () => {
    const { app } = serviceOf({
      queues: [{ name: 'q', removalPolicy: RemovalPolicy.DESTROY }],
      topics: [{ name: 't', reconcilePolicy: ReconcilePolicy.SKIP }],
      storageAccounts: [{ name: 'a', removalPolicy: RemovalPolicy.RETAIN, containers: [{ name: 'ccc' }] }],
    });
    expect(policies(app)).toEqual({
      NamespacesQueue: 'manage',
      NamespacesTopic: 'skip',
      StorageAccount: 'detach-on-delete',
      StorageAccountsBlobService: 'detach-on-delete',
      StorageAccountsFileService: 'detach-on-delete',
      StorageAccountsBlobServicesContainer: 'detach-on-delete',
    });
  });

  test('services of a storage account do not keep their objects when the account is deleted', () => {
    const { app } = serviceOf({ storageAccounts: [{ name: 'a', removalPolicy: RemovalPolicy.DESTROY, tables: ['ttt'] }] });
    expect(policies(app)).toEqual({
      StorageAccount: 'manage',
      StorageAccountsBlobService: 'detach-on-delete',
      StorageAccountsFileService: 'detach-on-delete',
      StorageAccountsTableService: 'detach-on-delete',
      StorageAccountsTableServicesTable: 'manage',
    });
  });

  test('annotations are on everything but subscriptions, rules, federated credentials and records', () => {
    const objects = objectsOf(serviceOf({ ...all, annotations: { 'example.com/a': 'b' } }).app);
    const without = objects.filter(({ metadata }) => metadata.annotations?.['example.com/a'] !== 'b').map(({ kind }) => kind);
    expect([...new Set(without)].sort()).toEqual([
      'FederatedIdentityCredential',
      'NamespacesTopicsSubscription',
      'NamespacesTopicsSubscriptionsRule',
      'PrivateDnsZonesARecord',
    ]);
  });

  test('a policy among the annotations wins over the default', () => {
    expect(policyOf(objectOf(serviceOf({ ...all, annotations: { [POLICY]: 'manage' } }).app, 'NamespacesQueue'))).toBe('manage');
  });

  test('a passive cluster only watches, whatever the annotations say', () => {
    const objects = objectsOf(serviceOf({ ...all, cluster: 'aks-two', annotations: { [POLICY]: 'manage', 'example.com/a': 'b' } }).app);
    expect(new Set(objects.map(policyOf))).toEqual(new Set(['skip']));
    expect(objects[0].metadata.annotations['example.com/a']).toBe('b');
    expect(() => serviceOf({ cluster: 'aks-three' })).toThrow(
      "cluster: 'aks-three' is no cluster of environment 'dev'. Give one of aks-one, aks-two.",
    );
  });
});

describe('tags', () => {
  test('of environment, team, service and account, the nearest first', () => {
    const { app } = serviceOf({
      tags: { service: 'postings', team: 'own' },
      storageAccounts: [{ name: 'a', tags: { data: 'personal', service: 'nearer' } }],
    });
    expect(objectOf(app, 'StorageAccount').spec.tags).toEqual({ environment: 'dev', team: 'own', service: 'nearer', data: 'personal' });
    expect(objectOf(app, 'PrivateEndpoint', 'blob').spec.tags).toEqual({
      environment: 'dev',
      team: 'own',
      service: 'nearer',
      data: 'personal',
    });
    expect(objectOf(app, 'UserAssignedIdentity').spec.tags).toEqual({ environment: 'dev', team: 'own', service: 'postings' });
  });
});

describe('what the environment lacks', () => {
  const bare = environment({ shared: {} });
  test.each([
    [{ queues: [{ name: 'x' }] }, 'shared.services: required for queues'],
    [{ topics: [{ name: 'x' }] }, 'shared.services: required for topics'],
    [{ database: { name: 'x', charset: 'a', collation: 'b' } }, 'shared.services: required for a database'],
    [{ keyVaultSecrets: ['x'] }, 'shared.services: required for access to secrets'],
    [{ privateDnsRecords: [{ storageAccount: 'x', addresses: { blob: '10.0.0.8' } }] }, 'shared.privateDnsZones: required'],
    [{ storageAccounts: [{ name: 'x', privateAccess: true }] }, 'storageAccounts[0].privateAccess: environment \'dev\' has no subnet'],
  ])('%j', (props, message) => {
    expect(() => serviceOf(props as never, bare)).toThrow(message);
  });
});

describe('databases and secrets', () => {
  test.each([
    [{ database: { name: 'x', charset: 'UTF8' } }, 'database.collation: required'],
    [{ database: { name: 'x', collation: 'C' } }, 'database.charset: required'],
    [{ database: { charset: 'UTF8', collation: 'C' } }, 'database.name: required'],
    [{ keyVaultSecrets: ['a/b'] }, 'keyVaultSecrets[0]: \'a/b\' is no name of a secret'],
    [{ keyVaultSecrets: ['a', 'a'] }, 'keyVaultSecrets[1]: \'a\' is given twice'],
    [{ keyVaultSecrets: ['a'.repeat(120)] }, 'longer than the 127 characters'],
    [{ name: 'a b' }, 'name: \'a b\' is no name of a service'],
  ])('refuses %j', (props, message) => {
    expect(() => serviceOf(props as never)).toThrow(message);
  });

  test('a service has one database', () => {
    const { service } = serviceOf({ database: { name: 'x', charset: 'UTF8', collation: 'C' } });
    expect(service.database?.azureName).toBe('ledger--x');
    expect(() => service.addDatabase({ name: 'y', charset: 'UTF8', collation: 'C' })).toThrow('database: is there already');
  });

  test('a name with underscores is a name of a database and not of an object', () => {
    const database = objectOf(serviceOf({ database: { name: 'my_db', charset: 'UTF8', collation: 'C' } }).app, 'FlexibleServersDatabase');
    expect(database.spec.azureName).toBe('ledger--my_db');
    expect(database.metadata.name).toMatch(/^my-db-[a-z0-9]{6}$/);
  });

  test('secrets of services that are called the same in two teams are two', () => {
    const scopes = ['ledger', 'permits'].map(
      (team) => objectOf(serviceOf({ team: teamIn(environment(), team), keyVaultSecrets: ['key'] }).app, 'RoleAssignment').spec.owner.armId,
    );
    expect(scopes.map((id: string) => id.split('/').pop())).toEqual(['ledger--postings--key', 'permits--postings--key']);
  });
});
