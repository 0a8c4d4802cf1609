import { table } from './table';
import { beginOperation } from '../../engine/arm/operation';
import { pollOperation } from '../../engine/arm/poll-operation';
import type { ArmRequest, ArmResponse, OperationState } from '../../engine/arm/types';
import { answer, del, ID, MARK, post, put, scripted, state } from '../engine/arm/fixtures';

/* Every way in which an operation ends. Where an answer was reported by somebody, the report is named. */

const ASYNC = '/subscriptions/s/providers/P/operations/1';
const LOCATION = '/subscriptions/s/providers/P/results/1';
const GONE = answer(404, { error: { code: 'ResourceNotFound', message: 'not found' } }, MARK);
const RESOURCE = `${ID}?api-version=2025-06-01`;
const signed = (status: number, body?: unknown, headers: Record<string, string> = {}) => answer(status, body, { ...MARK, ...headers });
const failed = { status: 'Failed', error: { code: 'QuotaExceeded', message: 'too much' } };

/** A beginning, then the answers to the polls; the end and the requests after the first. */
interface Ending {
  readonly of: ArmRequest;
  readonly begin: ArmResponse;
  readonly polls: readonly ArmResponse[];
  readonly end: string;
  readonly asked: readonly string[];
}

const asynchronous = signed(202, undefined, { 'azure-asyncoperation': ASYNC });
const located = signed(202, undefined, { location: LOCATION });
const both = signed(201, state('Creating'), { 'azure-asyncoperation': ASYNC, 'location': LOCATION });

const ENDS: readonly [string, string, Ending][] = [
  // A PUT
  ['plain', 'PUT, 200, Succeeded', { of: put, begin: signed(200, state('Succeeded')), polls: [], end: 'succeeded', asked: [] }],
  ['failed', 'PUT, 200, Failed', { of: put, begin: signed(200, state('Failed')), polls: [], end: 'failed Failed', asked: [] }],
  ['error', 'PUT, 200, an error instead of the resource', {
    of: put,
    begin: signed(200, failed),
    polls: [],
    end: 'failed QuotaExceeded',
    asked: [],
  }],
  ['empty', 'PUT, 200, empty, of Azure', { of: put, begin: signed(200), polls: [], end: 'succeeded', asked: [] }],
  ['empty', 'PUT, 204, of Azure', { of: put, begin: signed(204), polls: [], end: 'succeeded', asked: [] }],
  ['empty of a proxy', 'PUT, 200, empty, of a proxy', { of: put, begin: answer(200), polls: [], end: 'failed UnknownError', asked: [] }],
  ['plain', 'PUT, 202, empty', {
    of: put,
    begin: signed(202),
    polls: [signed(200, state('Updating')), signed(200, state('Succeeded'))],
    end: 'succeeded',
    asked: [RESOURCE, RESOURCE],
  }],
  ['empty of a proxy', 'PUT, 204, of a proxy', { of: put, begin: answer(204), polls: [], end: 'failed UnknownError', asked: [] }],
  ['plain', 'Azure-AsyncOperation: Succeeded', {
    of: put,
    begin: asynchronous,
    polls: [signed(200, { status: 'Succeeded' })],
    end: 'succeeded',
    asked: [ASYNC],
  }],
  // https://github.com/Azure/azure-sdk-for-net/issues/30766
  ['failed', 'Azure-AsyncOperation: 200, Failed without an error', {
    of: put,
    begin: asynchronous,
    polls: [signed(200, { status: 'Failed' })],
    end: 'failed Failed',
    asked: [ASYNC],
  }],
  ['failed', 'Azure-AsyncOperation: Canceled', {
    of: put,
    begin: asynchronous,
    polls: [signed(200, { status: 'Canceled' })],
    end: 'failed Canceled',
    asked: [ASYNC],
  }],
  ['success and an error', 'Azure-AsyncOperation: Succeeded and an error', {
    of: put,
    begin: asynchronous,
    polls: [signed(200, { ...failed, status: 'Succeeded' }), signed(200, state('Failed'))],
    end: 'failed Failed',
    asked: [ASYNC, RESOURCE],
  }],
  ['plain', 'Azure-AsyncOperation: an error that is null', {
    of: put,
    begin: asynchronous,
    polls: [signed(200, { status: 'Succeeded', error: null })],
    end: 'succeeded',
    asked: [ASYNC],
  }],
  ['empty of a proxy', 'Azure-AsyncOperation: empty 200, of a proxy', {
    of: put,
    begin: asynchronous,
    polls: [answer(200), signed(200, state('Updating')), signed(200, state('Succeeded'))],
    end: 'succeeded',
    asked: [ASYNC, RESOURCE, RESOURCE],
  }],
  ['vanished', 'Azure-AsyncOperation: vanished', {
    of: put,
    begin: asynchronous,
    polls: [signed(404), signed(200, state('Succeeded'))],
    end: 'succeeded',
    asked: [ASYNC, RESOURCE],
  }],
  ['both headers', 'Azure-AsyncOperation and Location: the operation decides', {
    of: put,
    begin: both,
    polls: [signed(200, { status: 'InProgress' }), signed(200, { status: 'Succeeded' })],
    end: 'succeeded',
    asked: [ASYNC, ASYNC],
  }],
  ['plain', 'Location: 200 with the resource', {
    of: put,
    begin: located,
    polls: [signed(202), signed(200, state('Succeeded'))],
    end: 'succeeded',
    asked: [LOCATION, LOCATION],
  }],
  ['failed', 'Location: 200 with a failed resource', {
    of: put,
    begin: located,
    polls: [signed(200, state('Failed'))],
    end: 'failed Failed',
    asked: [LOCATION],
  }],
  // https://github.com/Azure/azure-sdk-for-net/issues/3396
  ['failed', 'Location: 200 with a failed operation', {
    of: put,
    begin: located,
    polls: [signed(200, failed)],
    end: 'failed QuotaExceeded',
    asked: [LOCATION],
  }],
  ['plain', 'Location: 200 with a running operation', {
    of: put,
    begin: located,
    polls: [signed(200, { status: 'InProgress' }), signed(200, state('Succeeded'))],
    end: 'succeeded',
    asked: [LOCATION, LOCATION],
  }],
  ['error', 'Location: 200 with an error alone', {
    of: put,
    begin: located,
    polls: [signed(200, { error: failed.error })],
    end: 'failed QuotaExceeded',
    asked: [LOCATION],
  }],
  ['two states', 'Location: 200, Failed and Succeeded at once', {
    of: put,
    begin: located,
    polls: [signed(200, { status: 'Failed', properties: { provisioningState: 'Succeeded' } })],
    end: 'failed Failed',
    asked: [LOCATION],
  }],
  ['empty', 'Location: 204, of Azure', { of: put, begin: located, polls: [signed(204)], end: 'succeeded', asked: [LOCATION] }],
  ['empty of a proxy', 'Location: 204, of a proxy', {
    of: put,
    begin: located,
    polls: [answer(204), signed(200, state('Failed'))],
    end: 'failed Failed',
    asked: [LOCATION, RESOURCE],
  }],
  // A DELETE
  ['end of a DELETE', 'DELETE, Azure-AsyncOperation: Succeeded, and gone', {
    of: del,
    begin: asynchronous,
    polls: [signed(200, { status: 'Succeeded' }), GONE],
    end: 'succeeded',
    asked: [ASYNC, RESOURCE],
  }],
  // https://github.com/hashicorp/terraform-provider-azurerm/issues/25462
  ['end of a DELETE', 'DELETE, Azure-AsyncOperation: Succeeded, and still there', {
    of: del,
    begin: asynchronous,
    polls: [signed(200, { status: 'Succeeded' }), signed(200, state('Succeeded')), GONE],
    end: 'succeeded',
    asked: [ASYNC, RESOURCE, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Azure-AsyncOperation: Succeeded, and it stays', {
    of: del,
    begin: asynchronous,
    polls: [signed(200, { status: 'Succeeded' }), signed(200, state('Succeeded')), signed(200, state('Succeeded'))],
    end: 'failed DeleteOperationLost',
    asked: [ASYNC, RESOURCE, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Azure-AsyncOperation: Succeeded and an error', {
    of: del,
    begin: asynchronous,
    polls: [signed(200, { ...failed, status: 'Succeeded' }), GONE],
    end: 'succeeded',
    asked: [ASYNC, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Azure-AsyncOperation: Failed', {
    of: del,
    begin: asynchronous,
    polls: [signed(200, failed)],
    end: 'failed QuotaExceeded',
    asked: [ASYNC],
  }],
  ['end of a DELETE', 'DELETE, Location: 200 with a failed operation', {
    of: del,
    begin: located,
    polls: [signed(200, failed)],
    end: 'failed QuotaExceeded',
    asked: [LOCATION],
  }],
  ['end of a DELETE', 'DELETE, Location: 204, of Azure, and gone', {
    of: del,
    begin: located,
    polls: [signed(204), GONE],
    end: 'succeeded',
    asked: [LOCATION, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Location: 204, of a proxy, and gone', {
    of: del,
    begin: located,
    polls: [answer(204), GONE],
    end: 'succeeded',
    asked: [LOCATION, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Location: 204, of a proxy, and it stays', {
    of: del,
    begin: located,
    polls: [answer(204), signed(200, state('Succeeded'))],
    end: 'failed DeleteOperationLost',
    asked: [LOCATION, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE without URL: 204 at the resource, of Azure', {
    of: del,
    begin: signed(202),
    polls: [signed(204)],
    end: 'succeeded',
    asked: [RESOURCE],
  }],
  ['end of a DELETE', 'DELETE without URL: 204 at the resource, of a proxy, and it stays', {
    of: del,
    begin: signed(202),
    polls: [answer(204), signed(200, state('Succeeded'))],
    end: 'failed DeleteOperationLost',
    asked: [RESOURCE, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Azure-AsyncOperation: empty, of a proxy, then 204 at the resource, of a proxy, and gone', {
    of: del,
    begin: asynchronous,
    polls: [answer(204), answer(204), GONE],
    end: 'succeeded',
    asked: [ASYNC, RESOURCE, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, Location: 404 of the resource', {
    of: del,
    begin: located,
    polls: [GONE, GONE],
    end: 'succeeded',
    asked: [LOCATION, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, and no right to read the resource', {
    of: del,
    begin: located,
    polls: [signed(200, {}), signed(403, { error: { code: 'AuthorizationFailed', message: 'm' } })],
    end: 'succeeded',
    asked: [LOCATION, RESOURCE],
  }],
  ['end of a DELETE', 'DELETE, and a proxy refuses the read', {
    of: del,
    begin: located,
    polls: [signed(200, {}), answer(403), GONE],
    end: 'succeeded',
    asked: [LOCATION, RESOURCE, RESOURCE],
  }],
  // A POST
  ['plain', 'POST, Location: 200 with the result', {
    of: post,
    begin: located,
    polls: [signed(202), signed(200, { keys: [] })],
    end: 'succeeded',
    asked: [LOCATION, LOCATION],
  }],
  ['plain', 'POST, Azure-AsyncOperation and Location: the result comes after the end', {
    of: post,
    begin: signed(202, undefined, { 'azure-asyncoperation': ASYNC, 'location': LOCATION }),
    polls: [signed(200, { status: 'Succeeded' }), signed(202), signed(202, {}), signed(200, { keys: [] })],
    end: 'succeeded',
    asked: [ASYNC, LOCATION, LOCATION, LOCATION],
  }],
  ['failed', 'POST, Location: 200 with a failed operation', {
    of: post,
    begin: located,
    polls: [signed(200, failed)],
    end: 'failed QuotaExceeded',
    asked: [LOCATION],
  }],
  ['success and an error', 'POST, Azure-AsyncOperation: Succeeded and an error', {
    of: post,
    begin: asynchronous,
    polls: [signed(200, { ...failed, status: 'Succeeded' })],
    end: 'failed QuotaExceeded',
    asked: [ASYNC],
  }],
  ['empty of a proxy', 'POST, Location: empty 200', {
    of: post,
    begin: located,
    polls: [answer(200), signed(200, { keys: [] })],
    end: 'succeeded',
    asked: [LOCATION, LOCATION],
  }],
  ['vanished', 'POST, the operation vanished', {
    of: post,
    begin: asynchronous,
    polls: [signed(404)],
    end: 'failed UnknownError',
    asked: [ASYNC],
  }],
];

table('docs/spec/arm.md#ends-of-operations', (row) => {
  for (const [name, text, { of, begin, polls, end, asked }] of ENDS) {
    row(name, text, async () => {
      const client = scripted(...polls);
      let step = beginOperation(of, begin);
      let current: OperationState | undefined = step.kind === 'running' ? step.state : undefined;
      for (let looks = 0; current !== undefined && looks < 10; looks += 1) {
        step = await pollOperation(client, current);
        current = step.kind === 'running' ? step.state : undefined;
      }
      expect(step.kind === 'failed' ? `failed ${step.error.code}` : step.kind).toBe(end);
      expect(client.urls).toEqual(asked.map((url) => `GET ${url}`));
    });
  }
});

test('an operation that says two things at once says so', async () => {
  const client = scripted(signed(200, { ...failed, status: 'Succeeded' }));
  const begun = beginOperation(put, asynchronous);
  if (begun.kind !== 'running') throw new Error('running was expected');
  expect(await pollOperation(client, begun.state)).toMatchObject({
    kind: 'running',
    transient: { code: 'ContradictoryAnswer', message: expect.stringContaining('QuotaExceeded: too much') },
  });
});
