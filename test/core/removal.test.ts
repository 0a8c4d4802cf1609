import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate } from '@marcbachmann/cel-js';
import { App, Chart, Testing, YamlOutputType } from 'cdk8s';
import fc from 'fast-check';
import { account, chart, findings, group, Props, synth } from './kinds';
import { CONTAINER_KINDS, DATA_BEARING_KINDS, INSEPARABLE_KINDS } from '../../src/azure/data-bearing-kinds';
import { Catalog } from '../../src/catalog';
import { ReconcilePolicies, ReconcilePolicy, RemovalPolicies, RemovalPolicy } from '../../src/core';
import { OWN, settle } from '../../src/core/removal/settle';
import { StorageAccount } from '../../src/services/storage/storage-account';
import { StorageAccountsBlobService } from '../../src/services/storage/storage-accounts-blob-service';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const REMOVAL = 'aso.cdk8s.io/removal-policy';

const annotationsOf = (scope: Chart, kind = 'ResourceGroup') =>
  synth(scope).find((manifest) => manifest.kind === kind).metadata.annotations;
const guards = (manifests: any[]) => manifests.filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy'));

/** One resource group with these props. */
function withProps(props: Props): Chart {
  const scope = chart();
  group(scope, 'rg', props);
  return scope;
}

describe('a removal policy', () => {
  test.each<[RemovalPolicy, object]>([
    [RemovalPolicy.DESTROY, { [POLICY]: 'manage' }],
    [RemovalPolicy.RETAIN, { [POLICY]: 'detach-on-delete' }],
    [RemovalPolicy.PROTECT, { [POLICY]: 'detach-on-delete', [REMOVAL]: 'protect' }],
  ])('%s is written as annotations', (removalPolicy, annotations) =>
    expect(annotationsOf(withProps({ removalPolicy }))).toEqual(annotations),
  );

  test('not given leaves no trace', () => expect(synth(withProps({}))[0].metadata).toEqual({ name: 'rg', namespace: 'platform' }));

  test.each<[Props, object]>([
    [{ removalPolicy: RemovalPolicy.RETAIN, reconcilePolicy: ReconcilePolicy.SKIP }, { [POLICY]: 'skip' }],
    [{ removalPolicy: RemovalPolicy.RETAIN, reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE }, { [POLICY]: 'detach-on-delete' }],
    [
      { removalPolicy: RemovalPolicy.PROTECT, reconcilePolicy: ReconcilePolicy.MANAGE },
      { [POLICY]: 'manage', [REMOVAL]: 'protect' },
    ],
    [
      { removalPolicy: RemovalPolicy.DESTROY, metadata: { name: 'rg', annotations: { [POLICY]: 'manage', note: 'x' } } },
      { [POLICY]: 'manage', note: 'x' },
    ],
  ])('goes together with a reconcile policy that fits: %j', (props, annotations) => {
    const scope = withProps(props);
    expect(findings(scope)).toEqual([]);
    expect(annotationsOf(scope)).toEqual(annotations);
  });

  test.each<[string, Props, string]>([
    [
      'retain and manage',
      { removalPolicy: RemovalPolicy.RETAIN, reconcilePolicy: ReconcilePolicy.MANAGE },
      "removalPolicy: 'retain' and the reconcile policy 'manage' contradict each other. Give one of them",
    ],
    [
      'destroy and skip',
      { removalPolicy: RemovalPolicy.DESTROY, reconcilePolicy: ReconcilePolicy.SKIP },
      "removalPolicy: 'destroy' and the reconcile policy 'skip' contradict",
    ],
    [
      'destroy and an annotation',
      { removalPolicy: RemovalPolicy.DESTROY, metadata: { annotations: { [POLICY]: 'detach-on-delete' } } },
      "removalPolicy: 'destroy' and the reconcile policy 'detach-on-delete' contradict",
    ],
    [
      'another annotation',
      { removalPolicy: RemovalPolicy.RETAIN, metadata: { annotations: { [REMOVAL]: 'protect' } } },
      `removalPolicy: contradicts the annotation ${REMOVAL}`,
    ],
    [
      'no policy',
      { removalPolicy: 'retian' as RemovalPolicy },
      "removalPolicy: 'retian' is not a policy. Did you mean 'retain'? Allowed: destroy, retain, protect.",
    ],
  ])('%s: is an error', (_, props, message) => {
    expect(findings(withProps(props)).join('\n')).toContain(`[chart/rg] ResourceGroup ${message}`);
  });

  test('that a later annotation takes back is an error', () => {
    const scope = chart();
    group(scope, 'rg', { removalPolicy: RemovalPolicy.RETAIN }).metadata.addAnnotation(POLICY, 'manage');
    expect(findings(scope)).toEqual([`[chart/rg] ResourceGroup removalPolicy: 'retain' needs the annotation ${POLICY} to be 'detach-on-delete', but it was set to 'manage'. Set one of them only.`]);
  });
});

describe('removal policies of a scope', () => {
  test('hold for named kinds before data-bearing ones before all, whenever they were said and made', () => {
    const app: App = Testing.app();
    const scope = chart('platform', 'chart', app);
    RemovalPolicies.of(app).applyTo(['storage.azure.com/StorageAccountsBlobService'], RemovalPolicy.DESTROY);
    RemovalPolicies.of(app).applyToDataBearing(RemovalPolicy.RETAIN);
    const rg = group(scope);
    account(scope, 'sa1', rg, { removalPolicy: RemovalPolicy.DESTROY });
    account(scope, 'sa2', rg);
    RemovalPolicies.of(app).apply(RemovalPolicy.DESTROY);
    expect(findings(scope)).toEqual([]);
    expect(synth(scope).map(({ metadata }) => metadata.annotations[POLICY])).toEqual(['detach-on-delete', 'manage', 'detach-on-delete']);
  });

  test('of data hold for the service of a storage account too, which Azure cannot delete while the account is kept', () => {
    const scope = chart();
    account(scope, 'sa1', group(scope));
    const owner = StorageAccount.fromArmId('/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/sa1');
    new StorageAccountsBlobService(scope, 'blobs', { owner });
    RemovalPolicies.of(scope).applyToDataBearing(RemovalPolicy.RETAIN);
    expect(synth(scope).map(({ kind, metadata }) => [kind, metadata.annotations[POLICY]])).toEqual([
      ['ResourceGroup', 'detach-on-delete'], ['StorageAccount', 'detach-on-delete'], ['StorageAccountsBlobService', 'detach-on-delete'],
    ]);
  });

  test('the nearest scope wins, in one scope the latest', () => {
    const app: App = Testing.app();
    const scope = chart('platform', 'chart', app);
    group(scope);
    RemovalPolicies.of(scope).apply(RemovalPolicy.RETAIN);
    RemovalPolicies.of(scope).apply(RemovalPolicy.DESTROY);
    RemovalPolicies.of(app).applyTo(['ResourceGroup'], RemovalPolicy.RETAIN);
    expect(annotationsOf(scope)).toEqual({ [POLICY]: 'manage' });
  });

  test('a reconcile policy that is nearer wins; the same scope may not say both; a pause is a pause', () => {
    const nearer = withProps({ reconcilePolicy: ReconcilePolicy.MANAGE });
    RemovalPolicies.of(nearer).apply(RemovalPolicy.RETAIN);
    expect([findings(nearer), annotationsOf(nearer)]).toEqual([[], { [POLICY]: 'manage' }]);

    const both = withProps({});
    RemovalPolicies.of(both).apply(RemovalPolicy.RETAIN);
    ReconcilePolicies.of(both).apply(ReconcilePolicy.MANAGE);
    expect(findings(both).join()).toContain('contradict each other, and both are said of the same scope');

    const paused = withProps({ removalPolicy: RemovalPolicy.DESTROY });
    ReconcilePolicies.of(paused.node.root).apply(ReconcilePolicy.SKIP);
    expect([findings(paused), annotationsOf(paused)]).toEqual([[], { [POLICY]: 'skip' }]);
  });

  test('a misspelt kind is an error, since it would protect nothing; one that the scope does not have is none', () => {
    const scope = withProps({});
    RemovalPolicies.of(scope).applyTo(['StorageAcount', 'Vault'], RemovalPolicy.PROTECT);
    expect(findings(scope)).toEqual(['[chart] \'StorageAcount\' is no kind of Azure Service Operator, so what is said of it here holds for nothing. Did you mean \'StorageAccount\'? Write the kind alone (StorageAccount) or with its group (storage.azure.com/StorageAccount).']);
  });

  test('what is no policy is refused at once', () => {
    expect(() => RemovalPolicies.of(chart()).apply('keep' as RemovalPolicy)).toThrow(
      "[chart] RemovalPolicies.apply: 'keep' is not a policy.",
    );
    expect(() => ReconcilePolicies.of(chart()).apply('stop' as ReconcilePolicy)).toThrow(
      "[chart] ReconcilePolicies.apply: 'stop' is not a policy.",
    );
  });
});

test('law: of two policies the nearer counts; only equals contradict each other; what is retained is never managed', () => {
  const depth = fc.constantFrom(0, 1, 2, OWN);
  const removal = fc.record({ value: fc.constantFrom(...Object.values(RemovalPolicy)), depth });
  const reconcile = fc.record({ value: fc.constantFrom(...Object.values(ReconcilePolicy)), depth });
  fc.assert(fc.property(removal, reconcile, (one, other) => {
    const { policy, contradiction, protect } = settle(one, other);
    expect(protect).toBe(one.value === RemovalPolicy.PROTECT);
    if (contradiction) expect(one.depth).toBe(other.depth);
    if (policy === 'manage' && one.value === RemovalPolicy.RETAIN) expect(other.depth).toBeGreaterThanOrEqual(one.depth);
    if (other.depth > one.depth) expect(policy).toBe(other.value);
    if (other.value === ReconcilePolicy.SKIP && other.depth !== OWN) expect(policy).toBe('skip');
    expect(settle(undefined, other).policy).toBe(other.value);
  }));
});

describe('protection', () => {
  function protectedApp(): { app: App; scope: Chart } {
    const app: App = Testing.app();
    const scope = chart('platform', 'chart', app);
    const rg = group(scope, 'rg', { removalPolicy: RemovalPolicy.PROTECT });
    account(scope, 'sa1', rg, { removalPolicy: RemovalPolicy.PROTECT });
    account(scope, 'sa2', rg, { removalPolicy: RemovalPolicy.PROTECT });
    return { app, scope };
  }

  test('is one admission policy with its binding, after all that it protects, without a namespace', () => {
    const manifests = synth(protectedApp().scope);
    expect(manifests.map(({ kind }) => kind)).toEqual([
      'ResourceGroup',
      'StorageAccount',
      'StorageAccount',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
    ]);
    const [policy, binding] = guards(manifests);
    expect(policy.metadata).toEqual({
      name: expect.stringMatching(/^chart-deletion-guard-.*platform/),
      annotations: expect.objectContaining({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled' }),
    });
    expect(binding.spec).toEqual({ policyName: policy.metadata.name, validationActions: ['Deny'] });
    // The guard covers all groups, also those without an object in the chart: a resource removed from the code must keep its guard.
    const apiGroups = [...new Set(Catalog.default().allKinds.map((kind) => kind.group))].sort();
    expect(policy.spec.matchConstraints.resourceRules).toEqual([
      { apiGroups, apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] },
    ]);
    expect(policy.spec.failurePolicy).toBe('Fail');
  });

  test('refuses marked objects and no others, and says how to lift it', () => {
    const manifests = synth(protectedApp().scope);
    const [{ expression, messageExpression }] = guards(manifests)[0].spec.validations;
    const request = { kind: { kind: 'ResourceGroup' } };
    const allowed = (metadata: object) => evaluate(expression, { oldObject: { metadata }, request });
    expect(allowed(manifests[0].metadata)).toBe(false);
    expect([{}, { annotations: {} }, { annotations: { [REMOVAL]: 'retain' } }, { annotations: { other: 'protect' } }].map(allowed)).toEqual(
      [true, true, true, true],
    );
    expect(evaluate(messageExpression, { oldObject: { metadata: { name: 'rg' } }, request })).toBe(
      `ResourceGroup 'rg' is protected from deletion (annotation ${REMOVAL}). To delete it, first give it another removalPolicy and apply that, or remove the annotation.`,
    );
  });

  test('comes with every chart that has something to protect, once, however often the app is synthesized', () => {
    const app: App = Testing.app();
    const [one, two, none] = ['one', 'two', 'none'].map((id) => chart('platform', id, app));
    RemovalPolicies.of(app).applyTo(['ResourceGroup'], RemovalPolicy.PROTECT);
    group(one!, 'rg1');
    const inner = new Chart(two!, 'inner', { namespace: 'other' });
    const rg = group(inner, 'rg2');
    account(none!, 'sa1', group(none!, 'rg3', { removalPolicy: RemovalPolicy.DESTROY }));
    const counts = () => [one, two, inner, none].map((scope) => guards(synth(scope!)).length);
    expect([counts(), counts()]).toEqual([[2, 0, 2, 0], [2, 0, 2, 0]]);
    expect(new Set([...guards(synth(one!)), ...guards(synth(inner))].map(({ kind, metadata }) => `${kind}/${metadata.name}`)).size).toBe(4);
    inner.node.tryRemoveChild(rg.node.id);
    expect(counts()).toEqual([2, 0, 0, 0]);
  });

  test('without any, there is no policy', () => expect(guards(synth(withProps({ removalPolicy: RemovalPolicy.RETAIN })))).toEqual([]));

  test.each(Object.values(YamlOutputType).filter((type): type is YamlOutputType => typeof type === 'number'))(
    'gets into the files of output type %s',
    (yamlOutputType) => {
      const outdir = mkdtempSync(join(tmpdir(), 'removal-'));
      const app = new App({ outdir, yamlOutputType });
      group(chart('platform', 'chart', app), 'rg', { removalPolicy: RemovalPolicy.PROTECT });
      app.synth();
      const files = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const text = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
      expect(text.match(/^kind: .*$/gm)!.sort()).toEqual([
        'kind: ResourceGroup',
        'kind: ValidatingAdmissionPolicy',
        'kind: ValidatingAdmissionPolicyBinding',
      ]);
      expect(app.synthYaml()).toContain('ValidatingAdmissionPolicyBinding');
    },
  );
});

test('the data-bearing kinds are kinds of the catalog', () => {
  const kinds = new Set(Catalog.default().allKinds.map(({ group: apiGroup, kind }) => `${apiGroup}/${kind}`));
  expect([...DATA_BEARING_KINDS.keys(), ...CONTAINER_KINDS.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
  expect([...DATA_BEARING_KINDS.keys()]).toEqual([...DATA_BEARING_KINDS.keys()].sort());
});

test('the parts that Azure deletes only together with their owner are those of the catalog that own data', () => {
  const latest = Catalog.default().allKinds.map((kind) => ({ key: `${kind.group}/${kind.kind}`, facts: kind.latest.facts }));
  const owners = latest.filter(({ key }) => DATA_BEARING_KINDS.has(key))
    .flatMap(({ facts: { owner } }) => (typeof owner === 'object' && owner ? [`${owner.group}/${owner.kind}`] : []));
  const found = latest.filter(({ key, facts: { operations = ['DELETE'] } }) => !operations.includes('DELETE') && owners.includes(key));
  expect([...INSEPARABLE_KINDS]).toEqual(found.map(({ key }) => key).sort());
});
