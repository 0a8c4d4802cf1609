import { isFromGateway, operationOutcome, watchedDeletion } from '../../../../controller/reconcile/actions/operation-outcome';
import { ArmError, type ArmResponse } from '../../../../engine/arm/types';

const answer = (status: number, text = '{}', type = 'application/json'): ArmResponse => ({
  status, text, body: text.startsWith('{') ? JSON.parse(text) as unknown : undefined, headers: { 'content-type': type },
} as ArmResponse);

test.each<[string, boolean, ArmResponse]>([
  ['200', false, answer(200)],
  ['202 without a body', false, answer(202, '')],
  ['409', false, answer(409)],
  ['408', true, answer(408)],
  ['500', true, answer(500)],
  ['503', true, answer(503)],
  ['a page with 200', true, answer(200, '<html>', 'text/html')],
])('%s may be the answer of a gateway: %s', (_, expected, response) => expect(isFromGateway(response)).toBe(expected));

test('an operation that runs is a step; one that failed is a failure, classified as the kind says', () => {
  expect(operationOutcome('put', { kind: 'succeeded' }, undefined)).toEqual({ of: 'put', step: { kind: 'succeeded' } });
  const error = new ArmError('InUse', 'it is in use', 400);
  expect(operationOutcome('poll', { kind: 'failed', error }, undefined)).toMatchObject({ of: 'poll', failed: { reason: 'InUse' } });
  const adjusted = operationOutcome('poll', { kind: 'failed', error }, (classification) => ({ ...classification, code: 'Busy' }));
  expect(adjusted).toMatchObject({ failed: { reason: 'Busy' } });
});

test('a deletion without an operation URL is followed at the resource itself', () => {
  expect(watchedDeletion({ url: '/subscriptions/1/resourceGroups/rg', apiVersion: '2020-06-01' })).toMatchObject({
    method: 'DELETE', pollUrl: '/subscriptions/1/resourceGroups/rg?api-version=2020-06-01', state: 'InProgress',
  });
});
