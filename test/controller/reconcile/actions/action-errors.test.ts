import { guarded, rethrowAbort } from '../../../../controller/reconcile/actions/action-errors';
import { ArmError } from '../../../../engine/arm/types';
import { ExternalFailure } from '../../../../engine/kinds/external';
import { unknownState, UnknownStateError } from '../../../../engine/kubernetes/cache-state';
import { KubernetesError } from '../../../../engine/kubernetes/types';

const open = new AbortController().signal;
const unknown = UnknownStateError.ofKind(unknownState({ group: '', kind: 'Secret' }, 'the list is not complete'));
const failing = (error: unknown) => () => Promise.reject(error as Error);

test('an action that succeeds has its outcome', async () => {
  expect(await guarded({ during: 'remove' }, open, () => Promise.resolve({ of: 'remove' }))).toEqual({ of: 'remove' });
});

test('an error becomes a failure of the action, with its purpose', async () => {
  expect(await guarded({ during: 'read', purpose: 'adopt' }, open, failing(new Error('no')))).toMatchObject({
    of: 'failure', during: 'read', purpose: 'adopt', failure: { severity: 'Warning', reason: 'Failed', message: 'no' },
  });
});

test("Azure's code is the reason where the request was about the resource itself, and a part of the message otherwise", async () => {
  const error = new ArmError('InvalidTemplate', 'it is wrong', 400);
  expect(await guarded({ during: 'read', isOfResource: true }, open, failing(error))).toMatchObject({ failure: { reason: 'InvalidTemplate' } });
  expect(await guarded({ during: 'preCheck' }, open, failing(error))).toMatchObject({
    failure: { reason: 'Failed', message: 'InvalidTemplate: it is wrong' },
  });
});

test('a failure of a kind without ARM keeps the annotations that identify what it has made', async () => {
  const error = new ExternalFailure(new Error('half done'), { 'x/id': '1' });
  expect(await guarded({ during: 'ensure' }, open, failing(error))).toMatchObject({
    of: 'failure', during: 'ensure', annotations: { 'x/id': '1' }, failure: { message: 'half done' },
  });
});

test.each([
  ['an unknown object', unknown],
  ['a cached object that is gone', new KubernetesError(404, 'NotFound', 'gone')],
  ['a cached object that has changed', new KubernetesError(409, 'Conflict', 'changed')],
])('%s ends the reconcile without an outcome', async (_, error) => {
  await expect(guarded({ during: 'resolve' }, open, failing(error))).rejects.toBe(error);
});

test('any other error of Kubernetes is a failure', async () => {
  expect(await guarded({ during: 'export' }, open, failing(new KubernetesError(403, 'Forbidden', 'no right')))).toMatchObject({
    of: 'failure', failure: { message: 'no right' },
  });
});

test('an error after an abort ends the reconcile, whatever it is', async () => {
  const error = new ArmError('InvalidTemplate', 'it is wrong', 400);
  await expect(guarded({ during: 'delete' }, AbortSignal.abort(), failing(error))).rejects.toBe(error);
  expect(() => rethrowAbort(error, AbortSignal.abort())).toThrow(error);
  expect(rethrowAbort(error, open)).toBe(error);
});
