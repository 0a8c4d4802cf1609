import { chart, findings, group, Props, synth } from './kinds';
import { AdoptionPolicy, ReconcilePolicies, ReconcilePolicy, RemovalPolicy } from '../../src/core';

const ADOPT = 'aso.cdk8s.io/adopt';
const POLICY = 'serviceoperator.azure.com/reconcile-policy';

function withProps(props: Props) {
  const scope = chart();
  group(scope, 'rg', props);
  return scope;
}

test.each(Object.values(AdoptionPolicy))('%s is written as an annotation, and is no property of the spec', (adopt) => {
  const [manifest] = synth(withProps({ adopt }));
  expect(manifest.metadata.annotations).toEqual({ [ADOPT]: adopt });
  expect(manifest.spec).not.toHaveProperty('adopt');
});

test('goes together with policies under which something is managed', () => {
  expect(findings(withProps({ adopt: AdoptionPolicy.IF_PRESENT, reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE }))).toEqual([]);
  expect(findings(withProps({ adopt: AdoptionPolicy.NEVER, removalPolicy: RemovalPolicy.DESTROY }))).toEqual([]);
  expect(findings(withProps({ adopt: AdoptionPolicy.NEVER, metadata: { annotations: { [ADOPT]: 'Never' } } }))).toEqual([]);
});

test.each<[string, Props, string]>([
  [
    'skip',
    { adopt: AdoptionPolicy.IF_PRESENT, reconcilePolicy: ReconcilePolicy.SKIP },
    "adopt: 'IfPresent' says what may be managed, but the reconcile policy 'skip' manages nothing",
  ],
  [
    'skip as an annotation',
    { adopt: AdoptionPolicy.NEVER, metadata: { annotations: { [POLICY]: 'skip' } } },
    "adopt: 'Never' says what may be managed",
  ],
  [
    'another annotation',
    { adopt: AdoptionPolicy.NEVER, metadata: { annotations: { [ADOPT]: 'IfPresent' } } },
    `adopt: contradicts the annotation ${ADOPT} in metadata. Give one of them.`,
  ],
  [
    'no policy',
    { adopt: 'ifPresent' as AdoptionPolicy },
    "adopt: 'ifPresent' is not a policy. Did you mean 'IfPresent'? Allowed: IfPresent, OrCreate, Never.",
  ],
  ['no policy, as an annotation', { metadata: { annotations: { [ADOPT]: 'Nevr' } } }, "adopt: 'Nevr' is not a policy."],
])('%s is an error', (_, props, message) => {
  expect(findings(withProps(props)).join('\n')).toContain(`[chart/rg] ResourceGroup ${message}`);
});

test('the policy of a scope counts as well', () => {
  const scope = withProps({ adopt: AdoptionPolicy.IF_PRESENT });
  ReconcilePolicies.of(scope).apply(ReconcilePolicy.SKIP);
  expect(findings(scope).join('\n')).toContain("the reconcile policy 'skip' manages nothing");
});
