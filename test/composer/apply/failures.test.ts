import { problemOfWrite } from '../../../composer/apply/failures';
import { KubernetesError } from '../../../engine/kubernetes';

const NAME = { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'shop', name: 'data' };
const reasonOf = (status: number, message = 'no', act: 'create' | 'apply' = 'apply') =>
  problemOfWrite(new KubernetesError(status, 'Reason', message), act, NAME)?.reason;

test.each([0, 401, 409, 429, 500, 503])('%i says nothing about the claim: the reconcile is tried again', (status) => {
  expect(reasonOf(status)).toBeUndefined();
  expect(reasonOf(status, 'no', 'create')).toBeUndefined();
});

test.each([
  [400, 'no', 'Rejected'],
  [403, 'no', 'Forbidden'],
  [403, 'unable to create new content in namespace shop because it is being terminated', 'NamespaceTerminating'],
  [404, 'the server could not find the requested resource', 'KindNotServed'],
  [404, 'namespaces "shop" not found', 'NamespaceNotFound'],
  [422, 'spec.location: Invalid value: field is immutable', 'ImmutableField'],
  [422, 'spec.location: Required value', 'Rejected'],
])('%i %s: %s', (status, message, reason) => {
  expect(reasonOf(status, message)).toBe(reason);
});

test('of an object that is created no field is immutable', () => {
  expect(reasonOf(422, 'spec.location: Invalid value: field is immutable', 'create')).toBe('Rejected');
});

test('other errors are not the API server\'s', () => {
  expect(problemOfWrite(new TypeError('x'), 'apply', NAME)).toBeUndefined();
});
