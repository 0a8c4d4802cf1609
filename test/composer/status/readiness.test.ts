import { desiredObject } from '../../../composer/apply/desired-object';
import { firstCause, readinessOf, type Readiness } from '../../../composer/status/readiness';
import { evaluateReadiness } from '../../../composer/status/values';
import { unknownState, type KubernetesObject } from '../../../engine/kubernetes';

const object = (apiVersion: string, kind: string, status?: object, metadata: object = {}, spec: object = {}): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name: 'x', namespace: 'shop', generation: 2, ...metadata }, spec, ...(status && { status }) }) as KubernetesObject;
const of = (one: KubernetesObject, readiness?: string, wave = 0): Readiness => {
  const name = { group: one.apiVersion.includes('/') ? one.apiVersion.split('/')[0]! : '', kind: one.kind, namespace: 'shop', name: 'x', wave };
  const desired = readiness === undefined ? undefined : desiredObject({ manifest: one, path: 'x', wave, readiness }, name);
  return readinessOf(name, { state: 'present', object: one }, desired, evaluateReadiness);
};
const ready = (status: string, reason: string, more: object = {}) =>
  ({ conditions: [{ type: 'Ready', status, reason, lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 2, ...more }] });
const azure = (status?: object, metadata: object = {}) => object('storage.azure.com/v1', 'StorageAccount', status, { finalizers: ['serviceoperator.azure.com/finalizer'], ...metadata });

test.each<[string, KubernetesObject, string | undefined, boolean, string]>([
  ['Azure: Ready', azure(ready('True', 'Succeeded')), undefined, true, 'Ready'],
  ['Azure: Ready of an older spec', azure(ready('True', 'Succeeded', { observedGeneration: 1 })), undefined, false, 'Reconciling'],
  ['Azure: an error', azure(ready('False', 'AuthorizationFailed', { severity: 'Error', message: 'no' })), undefined, false, 'AuthorizationFailed'],
  ['Azure: no condition', azure(), undefined, false, 'Reconciling'],
  ['Azure: policy skip', azure(ready('True', 'Succeeded'), { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } }), undefined, true, 'Ready'],
  ['a ConfigMap', object('v1', 'ConfigMap'), undefined, true, 'Ready'],
  ['any object that is being deleted', object('v1', 'ConfigMap', undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }), undefined, false, 'Deleting'],
  ['a Deployment without status', object('apps/v1', 'Deployment'), undefined, false, 'InProgress'],
  ['a Deployment', object('apps/v1', 'Deployment', { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }, {}, { replicas: 2 }), undefined, true, 'Ready'],
  ['a Deployment on its way', object('apps/v1', 'Deployment', { observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas: 2 }, {}, { replicas: 2 }), undefined, false, 'InProgress'],
  ['a Deployment that is stuck', object('apps/v1', 'Deployment', { observedGeneration: 2, conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] }), undefined, false, 'ProgressDeadlineExceeded'],
  ['a StatefulSet', object('apps/v1', 'StatefulSet', { observedGeneration: 2, readyReplicas: 1, updatedReplicas: 1 }), undefined, true, 'Ready'],
  ['a DaemonSet', object('apps/v1', 'DaemonSet', { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 }), undefined, false, 'InProgress'],
  ['a Job that failed', object('batch/v1', 'Job', { conditions: [{ type: 'Failed', status: 'True', message: 'x' }] }), undefined, false, 'Failed'],
  ['a Job', object('batch/v1', 'Job', { conditions: [{ type: 'Complete', status: 'True' }] }), undefined, true, 'Ready'],
  ['a PersistentVolumeClaim', object('v1', 'PersistentVolumeClaim', { phase: 'Pending' }), undefined, false, 'InProgress'],
  ['a kind with a condition Ready', object('example.com/v1', 'Thing', ready('False', 'Installing')), undefined, false, 'Installing'],
  ['a kind without', object('example.com/v1', 'Thing', {}), undefined, true, 'Ready'],
  ['CEL: true', object('example.com/v1', 'Thing', { phase: 'Up' }), "self.status.phase == 'Up'", true, 'Ready'],
  ['CEL: false', object('example.com/v1', 'Thing', { phase: 'Down' }), "self.status.phase == 'Up'", false, 'NotReady'],
  ['CEL: not there', object('example.com/v1', 'Thing'), "self.status.phase == 'Up'", false, 'NotReady'],
  ['CEL: numbers', object('example.com/v1', 'Thing', { replicas: 3 }), 'self.status.replicas + 1 == 4', true, 'Ready'],
])('%s', (_, one, cel, isReady, reason) => {
  expect(of(one, cel)).toMatchObject({ isReady, reason });
});

test('an object that is not there, and one that cannot be seen', () => {
  const name = { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'x', wave: 0 };
  expect(readinessOf(name, { state: 'absent' }, undefined, evaluateReadiness)).toMatchObject({ isReady: false, reason: 'NotCreated', text: 'ConfigMap shop/x: it does not exist yet' });
  expect(readinessOf(name, unknownState(name, 'no rights'), undefined, evaluateReadiness)).toMatchObject({ isReady: false, reason: 'Unknown', text: 'ConfigMap shop/x: no rights' });
});

test('the first cause: an error before a warning before what is under way before what waits; the owner before the child', () => {
  const waiting = of(azure(ready('False', 'WaitingForOwner', { severity: 'Warning', message: 'owner' })), undefined, 1);
  const owner = of(azure(ready('False', 'Reconciling', { severity: 'Info' })), undefined, 0);
  const child = of(azure(ready('False', 'Reconciling', { severity: 'Info' })), undefined, 2);
  const error = of(azure(ready('False', 'BadRequest', { severity: 'Error', message: 'sku' })), undefined, 3);
  expect(firstCause([waiting, child, owner])).toBe(owner);
  expect(firstCause([waiting, child, owner, error])).toBe(error);
  expect(error.text).toBe('StorageAccount shop/x: Error/BadRequest: sku');
  expect(firstCause([of(object('v1', 'ConfigMap'))])).toBeUndefined();
});
