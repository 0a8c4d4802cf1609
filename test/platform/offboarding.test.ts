import { App, Chart } from 'cdk8s';
import { environment, services, SUBSCRIPTION } from './service-fixture';
import { compare } from '../../cli/diff/compare';
import { assignment, fates, federation, identity } from '../cli/diff/objects';
import { RemovalPolicy } from 'cdk8s-aso';
import { Offboarding, Service, Team, TeamOnboarding } from 'cdk8s-aso/platform';
import type { Environment, TeamOverrides } from 'cdk8s-aso/platform';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const PROTECTED = 'aso.cdk8s.io/removal-policy';
const ACCESS = ['RoleAssignment', 'FederatedIdentityCredential', 'UserAssignedIdentity'];

const mayNotDelete = () => environment();
const mayDelete = () => environment({ shared: { ...environment().shared, services: services({ serviceBus: true, postgres: true }) } });

/** A team with a service, of which some say themselves what is to become of them. */
function objectsOf(
  overrides: TeamOverrides,
  env: Environment = mayNotDelete(),
  cluster?: string,
  annotations?: Record<string, string>,
): any[] {
  const app = new App();
  const team = new Team({ name: 'ledger', uses: ['service-bus', 'postgres'] }).in(env, overrides);
  new TeamOnboarding(new Chart(app, 'onboarding'), 'onboarding', { team, ...(cluster === undefined ? {} : { cluster }) });
  new Service(new Chart(app, 'service'), 'service', {
    team,
    ...(cluster === undefined ? {} : { cluster }),
    name: 'postings',
    queues: [{ name: 'intake' }, { name: 'kept', removalPolicy: RemovalPolicy.PROTECT }],
    topics: [
      { name: 'events', subscriptions: [{ name: 'audit', removalPolicy: RemovalPolicy.DESTROY, rules: [{ name: 'all', sqlExpression: '1=1' }] }] },
      { name: 'news', owned: false, subscriptions: [{ name: 'read', rules: [{ name: 'all', sqlExpression: '1=1' }] }] },
    ],
    database: { name: 'postings', charset: 'UTF8', collation: 'en_US.utf8', removalPolicy: RemovalPolicy.DESTROY },
    storageAccounts: [{ name: 'docs', removalPolicy: RemovalPolicy.RETAIN, containers: [{ name: 'letters' }] }],
    ...(annotations && { annotations }),
  });
  app.synthYaml();
  return app.charts.flatMap((chart) => chart.toJson());
}

const ofAzure = (objects: readonly any[]) => objects.filter(({ apiVersion }) => /\.azure\.com\//.test(apiVersion));
const policies = (objects: readonly any[]) =>
  Object.fromEntries(ofAzure(objects).map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.annotations?.[POLICY]]));

describe('a team that leaves', () => {
  test('and whose data stays: everything is detached, but what gives access', () => {
    const objects = objectsOf({ offboarding: Offboarding.RETAIN }, mayDelete());
    expect(ofAzure(objects).length).toBeGreaterThan(12);
    for (const { kind, metadata } of ofAzure(objects)) {
      expect([kind, metadata.name, metadata.annotations[POLICY]]).toEqual([
        kind,
        metadata.name,
        ACCESS.includes(kind) ? 'manage' : 'detach-on-delete',
      ]);
    }
    expect(ofAzure(objects).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([...ACCESS, 'ResourceGroup', 'StorageAccount', 'NamespacesQueue', 'FlexibleServersDatabase']),
    );
  });

  test('with everything: all is managed, whatever was said of it, and no guard is left', () => {
    const objects = objectsOf({ offboarding: Offboarding.DELETE }, mayDelete());
    expect(new Set(Object.values(policies(objects)))).toEqual(new Set(['manage']));
    expect(JSON.stringify(objects)).not.toContain(PROTECTED);
    expect(objects.map(({ kind }) => kind)).not.toContain('ValidatingAdmissionPolicy');
  });

  test('with everything but what the team\'s credential may not delete: its deletion would never end', () => {
    const said = Object.entries(policies(objectsOf({ offboarding: Offboarding.DELETE })));
    const detached = said.filter(([, policy]) => policy !== 'manage').map(([name, policy]) => [name.split(' ')[0], policy]);
    const contents = ['NamespacesTopicsSubscription', 'NamespacesTopicsSubscriptionsRule'];
    const kinds = ['FlexibleServersDatabase', 'NamespacesQueue', 'NamespacesQueue', 'NamespacesTopic', ...contents, ...contents].sort();
    expect(detached.sort()).toEqual(kinds.map((kind) => [kind, 'detach-on-delete']));
  });

  test('only the policies change: what is in Azure is not touched by the first stage', () => {
    for (const offboarding of [Offboarding.RETAIN, Offboarding.DELETE]) {
      const [before, after] = [objectsOf({}, mayDelete()), objectsOf({ offboarding }, mayDelete())];
      const { resources, roles, credentials, summary } = compare(before, after, { subscriptionId: SUBSCRIPTION });
      expect(new Set(resources.map(({ fate }) => fate))).toEqual(new Set(['policy']));
      expect([roles, credentials]).toEqual([[], []]);
      expect(summary).toMatchObject({ created: 0, changed: 0, deleted: 0 });
    }
  });

  test.each([
    [Offboarding.RETAIN, 'detach-on-delete'],
    [Offboarding.DELETE, 'manage'],
  ])('%s: the namespace says it for what the team has made itself', (offboarding, expected) => {
    const namespace = objectsOf({ offboarding }).find(({ kind }) => kind === 'Namespace');
    expect(namespace.metadata.annotations[POLICY]).toBe(expected);
    expect(objectsOf({}).find(({ kind }) => kind === 'Namespace').metadata.annotations?.[POLICY]).toBeUndefined();
  });

  test('the annotations of a service are no way around it', () => {
    const said = { [POLICY]: 'skip', [PROTECTED]: 'protect', 'example.com/owner': 'finance' };
    const objects = objectsOf({ offboarding: Offboarding.DELETE }, mayDelete(), undefined, said);
    expect(new Set(Object.values(policies(objects)))).toEqual(new Set(['manage']));
    expect(JSON.stringify(objects)).not.toContain(PROTECTED);
    expect(JSON.stringify(objects)).toContain('example.com/owner');
  });

  test('on a passive cluster everything watches on', () => {
    for (const offboarding of [Offboarding.RETAIN, Offboarding.DELETE]) {
      const passive = objectsOf({ offboarding }, mayDelete(), 'aks-two');
      expect(new Set(Object.values(policies(passive)))).toEqual(new Set(['skip']));
      expect(passive).toEqual(objectsOf({}, mayDelete(), 'aks-two'));
    }
  });

  test('everywhere, where the team itself says so; an environment may say otherwise', () => {
    const team = new Team({ name: 'ledger', offboarding: Offboarding.RETAIN });
    expect(team.in(environment()).offboarding).toBe('retain');
    expect(team.in(environment(), { offboarding: Offboarding.DELETE }).offboarding).toBe('delete');
    expect(team.workspace('alice').in(environment()).offboarding).toBe('retain');
  });

  test('by a word that is none: the field is named', () => {
    expect(() => new Team({ name: 'ledger' }).in(environment(), { offboarding: 'keep' as Offboarding })).toThrow(
      "offboarding: 'keep' is none of retain, delete.",
    );
  });
});

describe('diff tells before the second stage what it would do', () => {
  const removed = (overrides: TeamOverrides) => {
    const changes = compare(objectsOf(overrides, mayDelete()), [], { subscriptionId: SUBSCRIPTION });
    return new Set(fates(changes).map((text) => text.split(' ').slice(0, 2).join(' ')));
  };

  test('without the first one: data would be lost', () => {
    expect(removed({})).toContain('deleted FlexibleServersDatabase');
    expect(removed({})).toContain('deleted NamespacesQueue');
  });

  test('data stays, access goes', () => {
    const found = [...removed({ offboarding: Offboarding.RETAIN })];
    expect(found.filter((text) => text.startsWith('deleted'))).toEqual(['deleted UserAssignedIdentity']);
    expect(found).toEqual(
      expect.arrayContaining(['kept ResourceGroup', 'kept StorageAccount', 'kept NamespacesQueue', 'kept FlexibleServersDatabase']),
    );
    const { roles } = compare(objectsOf({ offboarding: Offboarding.RETAIN }, mayDelete()), [], { subscriptionId: SUBSCRIPTION });
    expect(new Set(roles.map(({ change }) => change))).toEqual(new Set(['revoked']));
  });

  test('the access that stays with what the team has made itself, by name', () => {
    const own = [identity(), federation(), assignment()].map((one) => ({ ...one, metadata: { ...one.metadata, namespace: 'ledger' } }));
    const warned = (offboarding: Offboarding) =>
      compare([...objectsOf({ offboarding }, mayDelete()), ...own], [], { subscriptionId: SUBSCRIPTION })
        .warnings.map(({ message }) => message);
    expect(warned(Offboarding.RETAIN)).toEqual([
      'access stays in Azure: FederatedIdentityCredential ledger/pods, RoleAssignment ledger/reads, UserAssignedIdentity ledger/api',
      expect.stringContaining('Namespace ledger is removed under detach-on-delete'),
    ]);
    expect(warned(Offboarding.DELETE)).toEqual([]);
  });

  test('everything goes', () => {
    expect([...removed({ offboarding: Offboarding.DELETE })].filter((text) => text.startsWith('kept'))).toEqual([]);
  });
});

