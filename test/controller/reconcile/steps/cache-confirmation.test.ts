import { warning } from '../../../../controller/reconcile/core/failure';
import type { CredentialState } from '../../../../controller/reconcile/core/observed';
import type { ObjectReconcile } from '../../../../controller/reconcile/object-reconcile';
import { isSameCredential, needsConfirmation } from '../../../../controller/reconcile/steps/cache-confirmation';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { withAnnotations, withFinalizer } from '../../../../engine/objects/annotations';
import { OPERATOR_NAMESPACE } from '../../../../src/azure/annotations';

const created: KubernetesObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };
const deleted: KubernetesObject = { ...created, metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } };
const confirms = (object: KubernetesObject) =>
  needsConfirmation({ object, options: { operatorNamespace: 'aso' } } as unknown as ObjectReconcile);

test('the surroundings of an object are confirmed before it is claimed, and before its finalizer is removed', () => {
  expect(confirms(created)).toBe(true);
  expect(confirms(withFinalizer(created))).toBe(false);
  expect(confirms(withFinalizer(deleted))).toBe(true);
  expect(confirms(deleted)).toBe(false);
});

test('nothing is confirmed for an object of another controller', () => {
  expect(confirms(withAnnotations(created, { [OPERATOR_NAMESPACE]: 'other' }))).toBe(false);
  expect(confirms(withAnnotations(withFinalizer(deleted), { [OPERATOR_NAMESPACE]: 'other' }))).toBe(false);
  expect(confirms(withAnnotations(created, { [OPERATOR_NAMESPACE]: 'aso' }))).toBe(true);
});

const own: CredentialState = { source: 'team/aso-credential', subscriptionId: '1', endpoint: 'https://arm.test' };
const failed = (reason: string): CredentialState => ({ failure: warning(reason, 'x') });
test.each<[string, CredentialState, CredentialState, boolean]>([
  ['the same Secret', own, { ...own }, true],
  ['another Secret', own, { ...own, source: 'aso/aso-controller-settings' }, false],
  ['another subscription', own, { ...own, subscriptionId: '2' }, false],
  ['a Secret that is gone', own, failed('CredentialNotFound'), false],
  ['a Secret that has come', failed('CredentialNotFound'), own, false],
  ['two failures', failed('CredentialNotFound'), failed('CredentialInvalid'), true],
])('%s', (_, before, now, expected) => expect(isSameCredential(before, now)).toBe(expected));
