import { Cluster } from '../../../../controller/reconcile/cluster';
import type { ObjectReconcile } from '../../../../controller/reconcile/object-reconcile';
import { policyWithWarning } from '../../../../controller/reconcile/steps/own-policy';
import { OPERATOR_NAMESPACE, RECONCILE_POLICY } from '../../../../src/azure/annotations';

function policyOf(annotations: Readonly<Record<string, string>>) {
  const warnings: string[] = [];
  const options = {
    cluster: new Cluster(), defaultPolicy: 'detach-on-delete', operatorNamespace: 'aso', onWarning: (message: string) => warnings.push(message),
  };
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', annotations } };
  const key = { group: '', kind: 'X', namespace: '', name: 'x' };
  return { policy: policyWithWarning({ object, options, key } as unknown as ObjectReconcile), warnings };
}

test('the policy of an object of this controller is its annotation', () => {
  expect(policyOf({ [RECONCILE_POLICY]: 'manage' })).toEqual({ policy: 'manage', warnings: [] });
});

test('an annotation that is no policy is reported, and the default applies', () => {
  expect(policyOf({ [RECONCILE_POLICY]: 'mange' })).toEqual({
    policy: 'detach-on-delete', warnings: ['unknown reconcile policy "mange", using "detach-on-delete"'],
  });
});

test('an object of another controller is skipped, without a look at its policy or Namespace', () => {
  expect(policyOf({ [OPERATOR_NAMESPACE]: 'other', [RECONCILE_POLICY]: 'mange' })).toEqual({ policy: 'skip', warnings: [] });
});
