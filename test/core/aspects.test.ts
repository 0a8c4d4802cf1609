import { App, Lazy, Testing } from 'cdk8s';
import { account, BlobService, chart, findings, group, identity, SUBSCRIPTION, synth } from './kinds';
import {
  AsoAuthentication,
  AsoCredential,
  CredentialReference,
  Credentials,
  OwnerGraph,
  ReconcilePolicies,
  ReconcilePolicy,
  Tags,
} from '../../src/core';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const CREDENTIAL = 'serviceoperator.azure.com/credential-from';

const nested = () => {
  const app: App = Testing.app();
  return { app, scope: chart('platform', 'chart', app) };
};

describe('tags of a scope', () => {
  test('go to whatever takes tags; the resource\'s own win, then the nearest scope\'s, then the latest', () => {
    const { app, scope } = nested();
    const rg = group(scope);
    const sa = account(scope, 'sa1', rg, { tags: { own: '1', team: 'own' } });
    new BlobService(scope, 'blobs', { owner: sa });
    Tags.of(scope).add('stage', 'chart');
    Tags.of(app).add('stage', 'app');
    Tags.of(app).add('team', 'app');
    Tags.of(scope).add('stage', 'later');
    Tags.of(sa).add('only', 'here');
    expect(findings(scope)).toEqual([]);
    expect(synth(scope).map(({ spec }) => spec.tags)).toEqual([
      { stage: 'later', team: 'app' },
      { own: '1', team: 'own', stage: 'later', only: 'here' },
      undefined,
    ]);
  });

  test('are one and the same whatever their case', () => {
    const scope = chart();
    group(scope, 'rg', { tags: { Team: 'own' } });
    Tags.of(scope).add('TEAM', 'scope');
    expect(synth(scope)[0].spec.tags).toEqual({ Team: 'own' });
  });

  test('come to tokens and additional properties too', () => {
    const scope = chart();
    group(scope, 'rg1', { tags: Lazy.any({ produce: () => ({ team: 'token' }) }) });
    group(scope, 'rg2', { additionalSpec: { tags: { team: 'additional' } } });
    Tags.of(scope).add('team', 'scope');
    Tags.of(scope).add('stage', 'scope');
    expect(synth(scope).map(({ spec }) => spec.tags)).toEqual([{ team: 'token', stage: 'scope' }, { team: 'additional', stage: 'scope' }]);
  });

  test('hold for some kinds, or for all but some', () => {
    const scope = chart();
    const rg = group(scope);
    account(scope, 'sa1', rg);
    identity(scope, 'user', rg);
    Tags.of(scope).add('a', '1', { kinds: ['StorageAccount'] });
    Tags.of(scope).add('b', '2', { exceptKinds: ['storage.azure.com/StorageAccount', 'ResourceGroup'] });
    expect(synth(scope).map(({ spec }) => spec.tags)).toEqual([undefined, { a: '1' }, { b: '2' }]);
  });

  test('said after a resource was looked at, or after a synth, are there all the same', () => {
    const scope = chart();
    expect(group(scope).azureName).toBe('rg');
    Tags.of(scope).add('a', '1');
    expect(synth(scope)[0].spec.tags).toEqual({ a: '1' });
    Tags.of(scope.node.root).add('b', '2');
    expect([synth(scope), synth(scope)].map(([{ spec }]) => spec.tags)).toEqual([{ a: '1', b: '2' }, { a: '1', b: '2' }]);
  });

  test('that Azure would refuse are errors: names and values at once, too many at synth', () => {
    const scope = chart();
    for (const key of ['', ' ', 'a/b', 'a?', 'x'.repeat(513)]) {
      expect(() => Tags.of(scope).add(key, 'v')).toThrow('is not the name of a tag');
    }
    expect(() => Tags.of(scope).add('k', 'v'.repeat(257))).toThrow(
      "[chart] Tags.add: the value of 'k' has to be a text of at most 256 characters.",
    );
    group(scope, 'rg', { tags: { own: '1' } });
    for (let i = 0; i < 50; i++) Tags.of(scope).add(`tag${i}`, 'v');
    expect(findings(scope)).toEqual([
      '[chart/rg] ResourceGroup tags: there are 51 tags with those of the scopes (Tags.of); Azure takes at most 50. Leave some out.',
    ]);
  });

  test('leave a faulty value to its own error', () => {
    const scope = chart();
    group(scope, 'rg', { tags: 'team' });
    Tags.of(scope).add('a', '1');
    expect(findings(scope)).toEqual(['[chart/rg] ResourceGroup tags: is \'team\', but has to be a map.']);
  });
});

describe('the credential of a scope', () => {
  const credentialIn = (scope: ReturnType<typeof chart>, name: string) =>
    new AsoCredential(scope, name, {
      metadata: { name },
      subscriptionId: SUBSCRIPTION,
      tenantId: SUBSCRIPTION,
      authentication: AsoAuthentication.workloadIdentity(SUBSCRIPTION),
    });

  test('is used where there is none of the resource\'s own, comes first, and is in the graph', () => {
    const { app, scope } = nested();
    const rg = group(scope);
    account(scope, 'sa1', rg, { credential: CredentialReference.fromSecretName('own') });
    account(scope, 'sa2', rg, { metadata: { name: 'sa2', annotations: { [CREDENTIAL]: 'annotated' } } });
    Credentials.of(app).use(CredentialReference.fromSecretName('far'));
    Credentials.of(scope).use(credentialIn(scope, 'near').reference);
    expect(findings(scope)).toEqual([]);
    const manifests = synth(scope);
    expect(manifests.map(({ kind }) => kind)).toEqual(['Secret', 'ResourceGroup', 'StorageAccount', 'StorageAccount']);
    expect(manifests.slice(1).map(({ metadata }) => metadata.annotations[CREDENTIAL])).toEqual(['near', 'own', 'annotated']);
    expect(
      OwnerGraph.of(app)
        .edges.filter(({ relation, to }) => relation === 'authenticatesWith' && to.includes('near'))
        .map(({ from }) => from),
    ).toEqual([expect.stringContaining('ResourceGroup')]);
  });

  test('in another namespace is an error', () => {
    const { app, scope } = nested();
    const other = chart('other', 'other', app);
    Credentials.of(scope).use(credentialIn(other, 'theirs').reference);
    group(scope);
    expect(findings(scope).join()).toContain(
      "[chart/rg] ResourceGroup credential: the credential's Secret 'other/theirs/Resource' is in namespace 'other'",
    );
  });

  test('that is none is refused at once', () => {
    expect(() => Credentials.of(chart()).use('secret' as unknown as CredentialReference)).toThrow(
      '[chart] Credentials.use: that is no credential.',
    );
  });
});

describe('the reconcile policy of a scope', () => {
  test('is used where there is none of the resource\'s own', () => {
    const { app, scope } = nested();
    group(scope, 'a');
    group(scope, 'b', { reconcilePolicy: ReconcilePolicy.MANAGE });
    group(scope, 'c', { metadata: { name: 'c', annotations: { [POLICY]: 'detach-on-delete' } } });
    group(scope, 'd').metadata.addAnnotation(POLICY, 'manage');
    ReconcilePolicies.of(app).apply(ReconcilePolicy.SKIP);
    expect(findings(scope)).toEqual([]);
    expect(synth(scope).map(({ metadata }) => metadata.annotations[POLICY])).toEqual(['skip', 'manage', 'detach-on-delete', 'manage']);
  });

  test('of another app says nothing here', () => {
    const scope = chart();
    group(scope);
    ReconcilePolicies.of(chart()).apply(ReconcilePolicy.SKIP);
    expect(synth(scope)[0].metadata.annotations).toBeUndefined();
  });
});

test('what is said changes nothing but the order in which it was said: the same app gives the same manifests', () => {
  const make = () => {
    const { app, scope } = nested();
    Tags.of(app).add('z', '1');
    Tags.of(app).add('a', '2');
    ReconcilePolicies.of(app).apply(ReconcilePolicy.SKIP);
    account(scope, 'sa1', group(scope));
    return app.synthYaml();
  };
  expect(make()).toBe(make());
});
