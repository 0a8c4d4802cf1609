import { Environment as CelEnvironment } from '@marcbachmann/cel-js';
import { App, Chart, Testing } from 'cdk8s';
import { composed, type ClaimObject, type SynthesizedObject } from './compose';
import { CUSTOM_ROLE, ENVIRONMENT, GROUP, SERVICE, sharedId, TEAM } from './definitions';
import { administrativeKinds, composerRights } from '../../composer/definition/composer-rights';
import { crdManifest } from '../../composer/definition/crd-manifest';
import { factsOf } from '../../composer/definition/facts-of';
import { BuiltInRole, AzureReference } from '../../src/core';
import { Environment, PlatformPreset, PrefixedPlatformNaming, SelfServicePolicy, Service, SharedService, Team, TeamOnboarding, type ServiceProps } from '../../src/platform';
import { platformKinds, type PlatformKindsProps } from '../../src/platform-kinds';

interface SchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

interface CustomResourceDefinitionSpec {
  readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: SchemaNode } }[];
}

const { spec } = ENVIRONMENT;
const at = (type: string, name: string) => AzureReference.fromArmId(sharedId(type, name));
const role = BuiltInRole.custom(CUSTOM_ROLE);

/** The environment of the object, in TypeScript. */
const dev = new Environment({
  name: 'dev',
  subscriptionId: spec.subscriptionId,
  tenantId: spec.tenantId,
  location: 'uksouth',
  clusters: [...spec.clusters],
  roles: { storageDataReader: BuiltInRole.STORAGE_BLOB_DATA_READER },
  shared: {
    services: [
      SharedService.serviceBus({ resource: at('Microsoft.ServiceBus/namespaces', 'bus'), role }),
      SharedService.keyVault({ resource: at('Microsoft.KeyVault/vaults', 'secrets') }),
      SharedService.postgresServer({ resource: at('Microsoft.DBforPostgreSQL/flexibleServers', 'databases'), role }),
    ],
  },
});
const ledger = new Team({ name: 'ledger', uses: [...TEAM.spec.uses], groups: ['f2a1'], quotas: { cpu: '12', memory: '24Gi' } }).in(dev);

const kinds = (props: Partial<PlatformKindsProps> = {}) => platformKinds({ group: GROUP, ...props });
const others: readonly ClaimObject[] = [ENVIRONMENT, TEAM];
const serviceOf = (more: object, props: Partial<PlatformKindsProps> = {}, name = 'postings') =>
  composed(kinds(props), { ...SERVICE, name, spec: more }, others);

function built(make: (chart: Chart) => unknown): unknown[] {
  const chart = new Chart(new App(), 'chart');
  make(chart);
  return Testing.synth(chart) as unknown[];
}

describe('claims give the objects of the constructs', () => {
  const team = built((chart) => new TeamOnboarding(chart, 'team', { team: ledger }));
  const service = built((chart) => new Service(chart, 'service', { team: ledger, name: 'postings', ...SERVICE.spec } as unknown as ServiceProps));

  test.each([['an object', {}], ['a value of TypeScript', { environment: dev }]])('with an environment that is %s', (_, props) => {
    const isRight = ({ apiVersion }: { readonly apiVersion: string }) => apiVersion.startsWith('rbac.');
    expect(composed(kinds(props), TEAM, others).objects.filter((object) => !isRight(object))).toEqual(team);
    expect(composed(kinds(props), SERVICE, others).objects).toEqual(service);
  });

  test('only for kinds that the definition lists', () => {
    const definitions = kinds({ policy: undefined as never });
    for (const claim of [TEAM, SERVICE]) {
      const listed = definitions.find(({ kind }) => kind === claim.kind)!.composes.map(({ group, kind }) => `${group}/${kind}`);
      const made = composed(definitions, claim, others).objects.map(({ apiVersion, kind }) => `${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''}/${kind}`);
      expect(made.filter((kind) => !listed.includes(kind))).toEqual([]);
    }
  });
});

test('the end of a service leaves topics of a shared namespace with the messages in them, and those of another service', () => {
  const subscriptions = [{ name: 'audit', rules: [{ name: 'all', sqlExpression: '1=1' }] }];
  const { objects } = serviceOf({ topics: [{ name: 'orders', subscriptions }, { name: 'news', owned: false, subscriptions }] });
  const ofTopics = objects.filter(({ kind }) => kind.startsWith('NamespacesTopic')) as unknown as { metadata: { annotations: object } }[];
  expect(ofTopics.length).toBe(5);
  for (const { metadata: { annotations } } of ofTopics) {
    expect(annotations).toMatchObject({ 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
  }
});

test('an environment composes nothing', () => {
  const { objects, composition } = composed(kinds(), ENVIRONMENT);
  expect([objects, composition.outputs]).toEqual([[], { platformNamespace: 'platform' }]);
});

test('a team\'s groups may write their services, read their team, and nothing else', () => {
  const { objects } = composed(kinds(), TEAM, others);
  const rbac = objects.filter(({ apiVersion }) => apiVersion.startsWith('rbac.'));
  expect(rbac).toMatchSnapshot();
  const { groups: _, ...withoutGroups } = TEAM.spec;
  expect(composed(kinds(), { ...TEAM, spec: withoutGroups }, others).objects.filter(({ apiVersion }) => apiVersion.startsWith('rbac.'))).toEqual([]);
});

test.each([['without', {}], ['with', { policy: SelfServicePolicy.ofComponents() }]])('the composer has the rights that it gives, %s guard rails', (_, props) => {
  const definitions = kinds(props);
  const facts = factsOf(definitions);
  const { manifests } = composerRights(facts, { name: 'composer', namespace: 'c' });
  const held = (manifests as unknown as readonly SynthesizedObject[]).filter(({ kind }) => kind === 'ClusterRole').flatMap(({ rules = [] }) => rules);
  const has = (group: string, resource: string, verb: string) =>
    held.some(({ apiGroups, resources, verbs }) => apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb));
  const given = composed(definitions, TEAM, others).objects.flatMap(({ kind, rules = [] }) => (/Role$/.test(kind) ? rules : []));
  expect(given.length).toBeGreaterThan(1);
  const missing = given.flatMap(({ apiGroups, resources, verbs }) => apiGroups.flatMap((group) => (
    resources.flatMap((resource) => verbs.filter((verb) => !has(group, resource, verb)).map((verb) => `${verb} ${resource}.${group}`)))));
  expect(missing).toEqual([]);
  expect(has('', 'configmaps', 'get')).toBe(true);
  expect(administrativeKinds(facts)).toEqual([]);
});

test('the status of a team says how much of each quota is used', () => {
  const { outputs } = composed(kinds(), TEAM, others).composition;
  expect(Object.keys(outputs!)).toEqual(expect.arrayContaining(['used-cpu', 'used-memory', 'used-limits-memory', 'used-pods', 'used-requests-storage']));
});

test('the status has what pods and people need', () => {
  const { composition } = composed(kinds(), SERVICE, others);
  expect(composition.outputs).toMatchObject({
    'host-service-bus': 'bus.servicebus.windows.net',
    'queue-intake': 'ledger--intake',
    'topic-decisions': 'ledger--decisions',
    'database': 'ledger--postings',
    'databaseHost': 'databases.postgres.database.azure.com',
    'storage-docs': expect.stringMatching(/^stdocsdev/),
  });
  expect(Object.keys(composition.outputs!)).toEqual(expect.arrayContaining(['identityClientId', 'blobs-docs']));
  expect(Object.values(composition.links!).every((link) => link.startsWith('https://portal.azure.com/#@7c1d6b0a'))).toBe(true);
});

test.each<[string, ClaimObject, readonly ClaimObject[], string, RegExp]>([
  ['an unknown field', { ...SERVICE, spec: { queus: [] } }, others, 'spec.queus', /there is no such field. Did you mean 'queues'\?/],
  ['a text instead of a list', { ...SERVICE, spec: { queues: 'intake' } }, others, 'spec.queues', /is 'intake', but has to be a list/],
  ['an unknown role', { ...SERVICE, spec: { queues: [{ name: 'a', roles: ['QueueOwner'] }] } }, others, 'spec.queues[0].roles[0]', /Did you mean 'QueueSender'\?/],
  ['a service without a team', { ...SERVICE, namespace: 'other' }, others, 'metadata.namespace', /is the namespace of no team: there is no Team of that name/],
  ['a team without an environment', TEAM, [], 'spec.environment', /there is no Environment 'default'/],
  ['a service of a broken team', SERVICE, [ENVIRONMENT, { ...TEAM, spec: { uses: ['redis'] } }], 'metadata.namespace', /^Team 'ledger' is not right, .*spec\.uses/],
  ['a team with an unknown role', { ...TEAM, spec: { grants: [{ id: 'a', on: sharedId('Microsoft.KeyVault/vaults', 'v'), role: 'Contributer' }] } }, others, 'spec.grants[0].role', /Did you mean 'Contributor'\?/],
  ['a team with a reserved name', { ...TEAM, name: 'kube-system' }, others, 'metadata.name', /is reserved/],
  ['a team whose name could begin another\'s', { ...TEAM, name: 'a--b' }, others, 'metadata.name', /two hyphens/],
  ['an environment with a wrong id', { ...ENVIRONMENT, spec: { ...spec, tenantId: '7' } }, [], 'spec.tenantId', /is no UUID/],
  ['an environment with a wrong resource', { ...ENVIRONMENT, spec: { ...spec, shared: { services: [{ type: 'keyVault', resource: 'vault' }] } } }, [], 'spec.shared.services[0].resource', /is not an ARM id/],
])('%s is refused, with its place', (_, claim, read, path, message) => {
  expect(composed(kinds(), claim, read).issues).toEqual([{ path, message: expect.stringMatching(message) }]);
});

describe('a service reaches nothing of others', () => {
  const SQL = sharedId('Microsoft.Sql/servers', 'sql');
  const STORAGE = sharedId('Microsoft.Storage/storageAccounts', 'shared');
  const PROFILE = sharedId('Microsoft.Cdn/profiles', 'edge');
  const services = [
    ...spec.shared.services,
    { type: 'sqlServer', resource: SQL },
    { type: 'eventHubs', resource: sharedId('Microsoft.EventHub/namespaces', 'events'), role: CUSTOM_ROLE },
    { type: 'storageAccount', resource: STORAGE, role: CUSTOM_ROLE },
    { type: 'frontDoorEndpoint', resource: `${PROFILE}/afdEndpoints/edge`, role: CUSTOM_ROLE },
  ];
  const uses = ['service-bus', 'key-vault', 'postgres', 'sql', 'event-hubs', 'storage', 'front-door'];
  const reaching = (more: object, props: Partial<PlatformKindsProps> = {}) => composed(kinds(props), { ...SERVICE, spec: more }, [
    { ...ENVIRONMENT, spec: { ...spec, shared: { services } } },
    { ...TEAM, spec: { ...TEAM.spec, uses, hostNames: ['*.ledger.example.com'] } },
  ]);

  test.each<[string, object, string]>([
    ['a credential of the platform', { annotations: { 'serviceoperator.azure.com/credential-from': 'other' } }, 'spec.annotations["serviceoperator.azure.com/credential-from"]'],
    ['the claim of another object', { annotations: { 'aso.cdk8s.io/composed-for': 'x' } }, 'spec.annotations["aso.cdk8s.io/composed-for"]'],
    ['a pod of another namespace', { identity: { federatedServiceAccounts: [{ namespace: 'billing', name: 'api' }] } }, 'spec.identity.federatedServiceAccounts[0].namespace'],
    ['the operator\'s account', { identity: { federatedServiceAccounts: [{ namespace: 'ledger', name: 'aso-workload' }] } }, 'spec.identity.federatedServiceAccounts[0].name'],
    ['a queue of another team', { queues: [{ name: 'a', settings: { forwardTo: 'billing--invoices' } }] }, 'spec.queues[0].settings.forwardTo'],
    ['the same by a subscription', { topics: [{ name: 'a', subscriptions: [{ name: 'b', settings: { forwardDeadLetteredMessagesTo: 'billing--x' } }] }] }, 'spec.topics[0].subscriptions[0].settings.forwardDeadLetteredMessagesTo'],
    ['the same by a resource', { resources: [{ on: 'service-bus', kind: 'NamespacesQueue', name: 'a', settings: { forwardTo: 'billing--invoices' } }] }, 'spec.resources[0].settings.forwardTo'],
    ['a database of another team, to copy', {
      resources: [{ on: 'sql', name: 'a', settings: { sourceDatabaseReference: { armId: `${SQL}/databases/billing--people` } } }],
    }, 'spec.resources[0].settings.sourceDatabaseReference.armId'],
    ['the same by a path', {
      resources: [{ on: 'sql', name: 'a', settings: { sourceDatabaseReference: { armId: `${SQL}/databases/ledger--a/../billing--people` } } }],
    }, 'spec.resources[0].settings.sourceDatabaseReference.armId'],
    ['a certificate of another team', { domains: [{ hostName: 'www.ledger.example.com', certificate: 'billing-web' }] }, 'spec.domains[0].certificate'],
    ['a container of another team for its events', {
      resources: [{
        on: 'event-hubs', name: 'a', settings: { captureDescription: { destination: { storageAccountResourceReference: { armId: STORAGE }, blobContainer: 'billing' } } },
      }],
    }, 'spec.resources[0].settings.captureDescription.destination.blobContainer'],
  ])('%s', (_, more, path) => {
    expect(reaching(more).issues?.map((issue) => issue.path)).toEqual([path]);
  });

  // As part of an id such a name leads to what is another team's, or the platform's.
  test.each<[string, (name: string) => object, string]>([
    ['a queue of its own', (name) => ({ queues: [{ name }] }), 'spec.queues[0].name'],
    ['a queue of another service', (name) => ({ queues: [{ name, owned: false, roles: ['QueueSender'] }] }), 'spec.queues[0].name'],
    ['a topic of another service', (name) => ({ topics: [{ name, owned: false }] }), 'spec.topics[0].name'],
    ['a subscription', (name) => ({ topics: [{ name: 'a', subscriptions: [{ name }] }] }), 'spec.topics[0].subscriptions[0].name'],
    ['a rule', (name) => ({ topics: [{ name: 'a', subscriptions: [{ name: 'b', rules: [{ name, sqlExpression: '1=1' }] }] }] }), 'spec.topics[0].subscriptions[0].rules[0].name'],
    ['the queue to which it forwards', (name) => ({ queues: [{ name: 'a', settings: { forwardTo: `ledger--a/${name}` } }] }), 'spec.queues[0].settings.forwardTo'],
    ['a resource of another service', (name) => ({ resources: [{ on: 'event-hubs', name, owned: false }] }), 'spec.resources[0].name'],
    ['a resource below one', (name) => ({ resources: [{ on: 'event-hubs', name: 'a', children: [{ name }] }] }), 'spec.resources[0].children[0].name'],
    ['a database', (name) => ({ database: { name, charset: 'UTF8', collation: 'en_US.utf8' } }), 'spec.database.name'],
    ['a secret', (name) => ({ keyVaultSecrets: [name] }), 'spec.keyVaultSecrets[0]'],
    ['a storage account of another service', (name) => ({ storageAccounts: [{ name, owned: false }] }), 'spec.storageAccounts[0].name'],
    ['a container', (name) => ({ storageAccounts: [{ name: 'a', containers: [{ name }] }] }), 'spec.storageAccounts[0].containers[0].name'],
    ['a container of another service\'s account', (name) => ({ storageAccounts: [{ name: 'a', owned: false, containers: [{ name }] }] }), 'spec.storageAccounts[0].containers[0].name'],
    ['a share', (name) => ({ storageAccounts: [{ name: 'a', owned: false, fileShares: [{ name }] }] }), 'spec.storageAccounts[0].fileShares[0].name'],
    ['a table', (name) => ({ storageAccounts: [{ name: 'a', owned: false, tables: [name] }] }), 'spec.storageAccounts[0].tables[0]'],
    ['a route', (name) => ({ domains: [{ hostName: 'www.ledger.example.com' }], routes: [{ name, domains: ['www.ledger.example.com'], origin: { hostName: 'a.example.net' } }] }), 'spec.routes[0].name'],
  ])('names of shared things are names: %s', (_, more, path) => {
    for (const name of ['../../billing--orders', '..', 'a/../billing--orders', 'a?x', 'a%2fb', 'a#b']) {
      const { issues } = reaching(more(name));
      expect([name, [...new Set(issues?.map((issue) => issue.path))]]).toEqual([name, [path]]);
    }
  });

  test('a service has no name of the operator\'s account', () => {
    const named = (identity?: object) => composed(kinds({}), { ...SERVICE, name: 'aso-workload', spec: { ...(identity && { identity }) } }, others);
    expect(named().issues).toEqual([{ path: 'metadata.name', message: expect.stringMatching(/the operator signs in/) }]);
    expect(named({ federatedServiceAccounts: [{ namespace: 'ledger', name: 'api' }] }).issues).toBeUndefined();
  });

  test('what is the team\'s, or what the platform trusts, is taken', () => {
    const forwarded = { queues: [{ name: 'a', settings: { forwardTo: 'ledger--b' } }], annotations: { 'example.com/owner': 'x' } };
    expect(serviceOf(forwarded).issues).toBeUndefined();
    const identity = { federatedServiceAccounts: [{ namespace: 'config', name: 'reader' }] };
    expect(serviceOf({ identity }, { trustedServiceAccounts: ['config:reader'] }).issues).toBeUndefined();
  });

  test('what the platform shares with all teams, and what is the team\'s', () => {
    const pool = `${SQL}/elasticPools/all`;
    const resources = [{ on: 'sql', name: 'a', settings: { sku: { name: 'ElasticPool' }, elasticPoolReference: { armId: pool } } }];
    const domains = [{ hostName: 'www.ledger.example.com', certificate: 'wildcard' }];
    expect(reaching({ resources, domains }).issues).toHaveLength(2);
    const sharedReferences = [pool, `${PROFILE}/secrets/wildcard`];
    expect(reaching({ resources, domains }, { sharedReferences }).issues).toBeUndefined();
    expect(reaching({ resources, domains }, { policy: SelfServicePolicy.ofComponents({ sharedReferences }) }).issues).toBeUndefined();
    expect(reaching({ domains: [{ ...domains[0], certificate: 'ledger--web' }] }).issues).toBeUndefined();
  });

  test('the limits of the policy hold for the objects of the team\'s namespace', () => {
    const policy = SelfServicePolicy.ofComponents({ locations: ['uksouth'] });
    expect(() => serviceOf({ storageAccounts: [{ name: 'docs', location: 'eastus', removalPolicy: 'retain' }] }, { policy }))
      .toThrow(/self-service-location/);
    expect(serviceOf({ storageAccounts: [{ name: 'docs', removalPolicy: 'retain' }] }, { policy }).issues).toBeUndefined();
  });
});

describe('names of teams that overlap', () => {
  const preset = PlatformPreset.standard().extend({ naming: new PrefixedPlatformNaming({ identityPrefix: 'dev', sharedResourceGroup: 'dev-rg' }) });
  const props = { preset };
  const team = (name: string, createdAt: string) => ({ ...TEAM, name, createdAt });
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  const short = (createdAt: string) => team('ledger', createdAt);
  const long = (createdAt: string) => team('ledger-eu', createdAt);
  const issuesOf = (claim: ClaimObject, read: readonly ClaimObject[], more: Partial<PlatformKindsProps> = props) =>
    composed(kinds(more), claim, [ENVIRONMENT, ...read]).issues;
  const service = (namespace: string, more: object, name = `${namespace}-api`) => ({ kind: 'Service', name, namespace, spec: more });

  test('the younger of two teams does not get the names of the older', () => {
    expect(issuesOf(long(late), [short(early)])).toEqual([{ path: 'metadata.name', message: expect.stringMatching(/begin as those of Team 'ledger' do/) }]);
    expect(issuesOf(long(early), [short(early)])).toHaveLength(1);
    const withoutGroups = PlatformPreset.standard().extend({ naming: new PrefixedPlatformNaming({ identityPrefix: 'dev' }) });
    const withGroup = { ...long(late), spec: { ...TEAM.spec, resourceGroup: 'rg-own' } };
    expect(issuesOf(withGroup, [short(early)], { preset: withoutGroups })?.map(({ path }) => path)).toEqual(['metadata.name']);
    expect(issuesOf(long(early), [short(late)])).toBeUndefined();
    expect(issuesOf(short(late), [long(early)])).toBeUndefined();
    expect(issuesOf(service('ledger-eu', {}), [short(early), long(late)])).toEqual([{ path: 'metadata.namespace', message: expect.stringMatching(/Team 'ledger-eu' is not right/) }]);
  });

  test('services of a younger team do not take names of an older one', () => {
    const asked = { queues: [{ name: 'eu-orders' }, { name: 'us-orders', settings: { forwardTo: 'Ledger-eu-in' } }], topics: [{ name: 'news', subscriptions: [{ name: 'EU-all' }] }] };
    expect(issuesOf(service('ledger', asked), [short(late), long(early)])?.map(({ path }) => path))
      .toEqual(['spec.queues[0].name', 'spec.queues[1].settings.forwardTo', 'spec.topics[0].subscriptions[0].name']);
    expect(issuesOf(service('ledger', asked), [short(early), long(late)])).toBeUndefined();
    expect(issuesOf(service('ledger', { keyVaultSecrets: ['key'] }, 'other-eu'), [short(early)])).toEqual([
      { path: 'spec.keyVaultSecrets[0]', message: expect.stringMatching(/^'other-eu-key' does not begin with 'ledger-'/) },
    ]);
  });

  test('more names than can be checked are refused', () => {
    const queues = Array.from({ length: 21 }, (_, index) => ({ name: `a${index}-b-c` }));
    expect(issuesOf(service('ledger', { queues }), [short(early)])?.map(({ path }) => path)).toEqual(['spec']);
  });

  test('guard rails have to know the names', () => {
    const policy = SelfServicePolicy.ofComponents();
    expect(issuesOf(long(early), [], { preset, policy })).toEqual([{ path: 'metadata.name', message: expect.stringMatching(/add 'ledger-eu-' to otherNamePrefixes/) }]);
    const listed = SelfServicePolicy.ofComponents({ otherNamePrefixes: ['Ledger-EU-'] });
    expect(issuesOf(long(early), [], { preset, policy: listed })).toBeUndefined();
  });

  test('names with two hyphens overlap with none', () => {
    expect(issuesOf(long(late), [short(early)], {})).toBeUndefined();
    expect(issuesOf(service('ledger', { queues: [{ name: 'eu-orders' }] }), [short(late), long(early)], {})).toBeUndefined();
  });

  test('a second team of one name', () => {
    const other = { ...TEAM, name: 'books', spec: { ...TEAM.spec, name: 'ledger' } };
    expect(issuesOf(other, [TEAM], {})).toEqual([{ path: 'spec.name', message: expect.stringMatching(/is the name of another Team/) }]);
    expect(issuesOf(other, [], {})).toBeUndefined();
  });
});

describe('a team with services', () => {
  test('is held by them when it is deleted', () => {
    const facts = factsOf(kinds());
    expect(facts.map(({ kind, heldBy = [] }) => [kind, ...heldBy.map((holder) => holder.kind)])).toEqual([['Environment'], ['Team', 'Service'], ['Service']]);
    const alone = kinds().filter(({ kind }) => kind === 'Team');
    expect(() => factsOf(alone)).toThrow("kind 'Team': heldBy: 'Service' of group 'platform.example.com' is no namespaced kind of this module. Export its definition too");
  });

  test('gets no more once it is being deleted, and those that it has may change', () => {
    const leaving = [ENVIRONMENT, { ...TEAM, deletedAt: '2026-03-01T00:00:00Z' }];
    expect(composed(kinds(), { ...SERVICE, createdAt: '2026-02-01T00:00:00Z' }, leaving).issues).toBeUndefined();
    expect(composed(kinds(), { ...SERVICE, createdAt: '2026-03-02T00:00:00Z' }, leaving).issues).toEqual([
      { path: 'metadata.namespace', message: "Team 'ledger' is being deleted, so it gets no further services." },
    ]);
  });
});

test('the composer is one of the platform\'s accounts, which guard rails let write', () => {
  const policy = SelfServicePolicy.ofComponents();
  const { objects } = composed(kinds({ policy }), TEAM, others);
  const rails = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  expect(rails).toHaveLength(2);
  for (const one of rails) expect(JSON.stringify(one)).toContain('system:serviceaccount:cdk8s-aso-composer:composer');
  expect(() => kinds({ environment: dev, policy })).toThrow(/environment\.platform\.serviceAccounts: has not 'cdk8s-aso-composer:composer'/);
});

test('guard rails protect the status of claims, by which the composer deletes, and the rights on them', () => {
  const { objects } = composed(kinds({ policy: SelfServicePolicy.ofComponents() }), TEAM, others);
  const policy = objects.find(({ metadata }) => metadata.name === 'self-service-ledger-platform')!;
  const expressionOf = (member: 'matchConditions' | 'variables', name: string) =>
    (policy.spec![member] as { name: string; expression: string }[]).find((one) => one.name === name)!.expression;
  expect(expressionOf('matchConditions', 'limited-subresources')).toMatch(/ \|\| \(.*\) in \["platform\.example\.com\/services"\]$/);
  const isProtected = expressionOf('variables', 'isProtected');
  for (const kind of ['roles', 'rolebindings']) expect(isProtected).toContain(`"rbac.authorization.k8s.io/${kind}/services.platform.example.com"`);
});

test('guard rails keep the finalizer of a claim, and the annotation of a rollout from the team', () => {
  const { objects } = composed(kinds({ policy: SelfServicePolicy.ofComponents() }), TEAM, others);
  const rails = objects.find(({ metadata }) => metadata.name === 'self-service-ledger-platform')!.spec as {
    readonly matchConstraints: { readonly resourceRules: readonly object[] };
    readonly validations: readonly { readonly message: string; readonly expression: string }[];
  };
  const writes = { apiGroups: [GROUP], resources: ['services'], operations: ['CREATE', 'UPDATE'] };
  expect(rails.matchConstraints.resourceRules).toContainEqual(expect.objectContaining(writes));
  const { expression } = rails.validations.find(({ message }) => message.startsWith('[self-service-claim] '))!;
  const cel = new CelEnvironment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
  const variables = { resource: `${GROUP}/services`, subresource: '' };
  const allows = (object: object, oldObject?: object) => {
    const request = { operation: oldObject ? 'UPDATE' : 'CREATE' };
    const before = oldObject ? { metadata: oldObject } : null;
    return cel.evaluate(expression, { variables, request, object: { metadata: object }, oldObject: before });
  };
  const kept = { finalizers: ['example.com/mine', 'aso.cdk8s.io/composed-objects'] };
  const other = { finalizers: ['example.com/mine'] };
  const past = { annotations: { 'aso.cdk8s.io/continue-rollout': 'a' } };
  const allowed: readonly [object, object?][] = [[{}], [{}, {}], [kept], [kept, kept], [past, past], [{}, past]];
  const refused: readonly [object, object?][] = [[{}, kept], [other, kept], [past], [past, {}]];
  expect(allowed.map((one) => allows(...one))).toEqual(allowed.map(() => true));
  expect(refused.map((one) => allows(...one))).toEqual(refused.map(() => false));
});

test('further constructs, other names and columns', () => {
  const definitions = kinds({
    teamKind: { kind: 'Crew', shortNames: ['cr'], columns: [{ name: 'Code', jsonPath: '.spec.serviceCode' }] },
    extendTeam: (_, claim, { team }) => ({ outputs: { code: `${claim.name}/${team.namespace}` } }),
  });
  expect(definitions.map(({ kind, plural }) => `${kind} ${plural}`)).toEqual(['Environment environments', 'Crew crews', 'Service services']);
  const crew = { ...TEAM, kind: 'Crew' };
  expect(composed(definitions, crew, others).composition.outputs).toMatchObject({ namespace: 'ledger', code: 'ledger/ledger' });
  expect(composed(definitions, SERVICE, [ENVIRONMENT, crew]).issues).toBeUndefined();
});

test('the schemas are such that a cluster takes, with descriptions, a maximum for every value and no open object but settings', () => {
  for (const facts of factsOf(kinds())) {
    const { manifest, problems, advice } = crdManifest(facts);
    expect([facts.kind, problems, advice]).toEqual([facts.kind, [], []]);
    const { versions: [served] } = manifest.spec as unknown as CustomResourceDefinitionSpec;
    const members = Object.entries(served!.schema.openAPIV3Schema.properties!.spec!.properties!);
    expect(members.filter(([, { description }]) => !description)).toEqual([]);
  }
});
