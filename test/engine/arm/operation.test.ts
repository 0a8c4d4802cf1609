import { answer, del, ID, MARK, networkError, post, put, scripted, state } from './fixtures';
import { beginOperation } from '../../../engine/arm/operation';
import { decodeToken, encodeToken, RESULT_TYPES } from '../../../engine/arm/operation-token';
import { FOREIGN_URL_CODE, pollOperation } from '../../../engine/arm/poll-operation';
import type { ArmRequest, ArmResponse, OperationState, OperationStep } from '../../../engine/arm/types';
import { ArmError } from '../../../engine/arm/types';
import { capitalized } from '../../../src/util/words';

const ENDPOINT = 'https://management.azure.com';
const OPERATION = 'https://management.azure.com/operations/1?api-version=1';
const LOCATION = 'https://management.azure.com/results/1?api-version=1';
const ORIGINAL = `${ID}?api-version=2025-06-01`;
const asynchronous = { 'azure-asyncoperation': OPERATION };

function begun(request: ArmRequest, response: ArmResponse): OperationState {
  const step = beginOperation(request, response);
  if (step.kind !== 'running') throw new Error(`running was expected, not ${step.kind}`);
  return step.state;
}

function restarted(running: OperationState): OperationState {
  const { method, originalUrl } = running;
  const type = method === 'POST' ? RESULT_TYPES.syncBackupInstance : RESULT_TYPES.put;
  return decodeToken(encodeToken(running, type, ENDPOINT), { type, method, originalUrl });
}

/** Polls until there is an end; the steps on the way. */
async function followed(from: OperationState, ...answers: (ArmResponse | Error)[]): Promise<{ steps: OperationStep[]; urls: string[] }> {
  const client = scripted(...answers);
  const steps: OperationStep[] = [];
  for (let current = from; ;) {
    const step = await pollOperation(client, current);
    steps.push(step);
    if (step.kind !== 'running') return { steps, urls: client.urls };
    // Only the token survives a restart, so every step goes through it.
    current = restarted(step.state);
  }
}

describe('the first answer', () => {
  test.each<[string, ArmRequest, ArmResponse]>([
    ['PUT 200 without provisioningState', put, answer(200, { properties: {} })],
    ['PUT 201 without provisioningState', put, answer(201, { id: ID })],
    [
      'PUT 201 with a relative Location, as managed identities answer',
      put,
      answer(201, { properties: {} }, { location: '/subscriptions/s/resourcegroups/rg/x' }),
    ],
    ['PUT 200 Succeeded', put, answer(200, state('Succeeded'))],
    ['PUT 201 succeeded with a header', put, answer(201, state('succeeded'), asynchronous)],
    ['DELETE 200', del, answer(200)],
    ['DELETE 204', del, answer(204, undefined, { location: LOCATION })],
  ])('%s is done', (_, request, response) => expect(beginOperation(request, response)).toEqual({ kind: 'succeeded' }));

  test('what a synchronous POST answers is its result', () => {
    expect(beginOperation(post, answer(200, { key: 'k' }))).toEqual({ kind: 'succeeded', result: { key: 'k' } });
  });

  test.each<[string, ArmRequest, ArmResponse, Partial<OperationState>]>([
    [
      'PUT 201 Creating with Azure-AsyncOperation',
      put,
      answer(201, state('Creating'), { ...asynchronous, location: LOCATION }),
      { style: 'azure-asyncoperation', pollUrl: OPERATION, state: 'Creating' },
    ],
    [
      'PUT 202 with both headers',
      put,
      answer(202, undefined, { ...asynchronous, location: LOCATION }),
      { style: 'azure-asyncoperation', pollUrl: OPERATION, locationUrl: LOCATION },
    ],
    [
      'PUT 202 with Operation-Location',
      put,
      answer(202, { status: 'NotStarted' }, { 'operation-location': OPERATION }),
      { style: 'operation-location', pollUrl: OPERATION, state: 'NotStarted' },
    ],
    ['PUT 202 with Location', put, answer(202, undefined, { location: LOCATION }), { style: 'location', pollUrl: LOCATION }],
    [
      'PUT 202 with a relative Location',
      put,
      answer(202, undefined, { location: '/results/2?x=y' }),
      { style: 'location', pollUrl: '/results/2?x=y' },
    ],
    ['PUT 202 without headers', put, answer(202), { style: 'body', pollUrl: ORIGINAL }],
    ['PUT 200 that is still creating', put, answer(200, state('Created')), { style: 'body', pollUrl: ORIGINAL, state: 'Created' }],
    [
      'PUT 201 provisioning with an unusable header',
      put,
      answer(201, state('provisioning'), { 'azure-asyncoperation': ' ' }),
      { style: 'body', pollUrl: ORIGINAL },
    ],
    ['DELETE 202 with Location', del, answer(202, undefined, { location: LOCATION }), { style: 'location', method: 'DELETE' }],
    ['DELETE 202 without headers', del, answer(202), { style: 'body', pollUrl: ORIGINAL }],
  ])('%s goes on', (_, request, response, want) =>
    expect(begun(request, response)).toMatchObject({ method: request.method, originalUrl: ORIGINAL, ...want }),
  );

  test.each(['Failed', 'Canceled', 'cancelled'])('an immediate 201 whose provisioningState is %s is a failure', (word) => {
    const step = beginOperation(
      put,
      answer(201, { properties: { provisioningState: word }, error: { code: 'QuotaExceeded', message: 'too much' } }),
    );
    expect(step).toMatchObject({ kind: 'failed', error: { code: 'QuotaExceeded', message: 'too much' } });
    expect(beginOperation(put, answer(200, state(word)))).toMatchObject({
      kind: 'failed',
      error: { code: capitalized(word), message: expect.stringContaining(word) },
    });
  });

  test('refusals and an unwatchable POST fail', () => {
    expect(beginOperation(put, answer(409, { error: { code: 'Conflict', message: 'm' } }))).toMatchObject({
      kind: 'failed',
      error: { code: 'Conflict', status: 409 },
    });
    expect(beginOperation(put, answer(302))).toMatchObject({ kind: 'failed' });
    expect(beginOperation(post, answer(202))).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('without a polling URL') },
    });
  });

  test('Retry-After is reported', () => {
    expect(beginOperation(put, answer(202, undefined, { 'location': LOCATION, 'retry-after': '17' }))).toMatchObject({
      retryAfterSeconds: 17,
    });
  });
});

describe('polling', () => {
  const operation = begun(put, answer(201, state('Creating'), { ...asynchronous, location: LOCATION }));

  test('Azure-AsyncOperation: the status tells, and there is no further request', async () => {
    const { steps, urls } = await followed(
      operation,
      answer(200, { status: 'InProgress' }),
      answer(202, { status: 'Updating' }),
      answer(200, { status: 'Succeeded' }),
    );
    expect(steps.map(({ kind }) => kind)).toEqual(['running', 'running', 'succeeded']);
    expect(urls).toEqual(Array(3).fill(`GET ${OPERATION}`));
  });

  test('a failed operation fails with its own error', async () => {
    const {
      steps: [step],
    } = await followed(
      operation,
      answer(200, { status: 'Failed', error: { code: 'AllocationFailed', message: 'full' } }, { 'x-ms-request-id': 'request-17' }),
    );
    expect(step).toMatchObject({ kind: 'failed', error: { code: 'AllocationFailed', message: 'full', extra: { requestId: 'request-17' } } });
  });

  test.each<[string, ArmResponse | Error]>([
    ['the network', networkError()],
    ['throttling', answer(429, { error: { code: 'TooManyRequests', message: 'm' } }, { 'retry-after': '3' })],
    ['a 500', answer(500, { error: { code: 'InternalServerError', message: 'm' } })],
    ['a 503 without body', answer(503)],
    ...[408, 425, 502, 504, 520].map((status): [string, ArmResponse] => [`a ${status} of a gateway`, answer(status)]),
    ['an expired token', answer(401, { error: { code: 'ExpiredAuthenticationToken', message: 'm' } })],
  ])('%s does not end the operation', async (_, trouble) => {
    const { steps, urls } = await followed(operation, trouble, answer(200, { status: 'Succeeded' }));
    expect(steps[0]).toMatchObject({ kind: 'running', state: operation, transient: expect.any(ArmError) });
    expect(steps[1]?.kind).toBe('succeeded');
    expect(urls).toEqual([`GET ${OPERATION}`, `GET ${OPERATION}`]);
  });

  test('what throttling asks for is reported', async () => {
    const { steps: [step] } = await followed(operation, answer(429, undefined, { 'retry-after': '3' }), answer(204, undefined, MARK));
    expect(step).toMatchObject({ retryAfterSeconds: 3 });
  });

  test.each([404, 410, 403])('an operation URL that answers %i is replaced by the resource', async (status) => {
    const { steps, urls } = await followed(operation, answer(status), answer(200, state('Updating')), answer(200, state('Succeeded')));
    expect(steps.map(({ kind }) => kind)).toEqual(['running', 'running', 'succeeded']);
    expect(urls).toEqual([`GET ${OPERATION}`, `GET ${ORIGINAL}`, `GET ${ORIGINAL}`]);
  });

  test('so is one without a status, and one that the client refuses', async () => {
    const empty = await followed(operation, answer(200, {}), answer(200, state('Succeeded')));
    expect(empty.urls[1]).toBe(`GET ${ORIGINAL}`);
    const foreign = await followed(operation, new ArmError(FOREIGN_URL_CODE, 'refused'), answer(200, state('Succeeded')));
    expect(foreign.steps[0]).toMatchObject({ transient: { code: FOREIGN_URL_CODE } });
    expect(foreign.steps[1]?.kind).toBe('succeeded');
  });

  test('a resource that is not there either, or has failed, is a failure', async () => {
    const gone = await followed(operation, answer(404), answer(404, { error: { code: 'ResourceNotFound', message: 'm' } }));
    expect(gone.steps[1]).toMatchObject({ kind: 'failed', error: { code: 'ResourceNotFound' } });
    const failed = await followed(operation, answer(404), answer(200, state('Failed')));
    expect(failed.steps[1]?.kind).toBe('failed');
  });

  test('Location: the status code tells, a new Location is followed', async () => {
    const from = begun(put, answer(202, undefined, { location: LOCATION }));
    const { steps, urls } = await followed(from, answer(202, undefined, { location: '/next' }), answer(202), answer(200, { id: ID }));
    expect(steps.at(-1)).toEqual({ kind: 'succeeded', result: { id: ID } });
    expect(urls).toEqual([`GET ${LOCATION}`, `GET ${ENDPOINT}/next`, `GET ${ENDPOINT}/next`]);
  });

  test('Location: provisioningState goes before the status code', async () => {
    const from = begun(put, answer(202, undefined, { location: LOCATION }));
    const { steps } = await followed(
      from,
      answer(200, state('Updating')),
      answer(200, { ...state('Failed'), error: { code: 'X', message: 'm' } }),
    );
    expect(steps).toMatchObject([{ kind: 'running' }, { kind: 'failed', error: { code: 'X' } }]);
  });

  test('Location: a refusal of the operation itself is a failure', async () => {
    const from = begun(put, answer(202, undefined, { location: LOCATION }));
    const { steps: [step] } = await followed(from, answer(409, { error: { code: 'Conflict', message: 'm' } }));
    expect(step).toMatchObject({ kind: 'failed', error: { code: 'Conflict' } });
  });

  const gone = answer(404, { error: { code: 'ResourceNotFound', message: 'not found' } });
  test('DELETE: gone is done, still deleting goes on, still there is lost', async () => {
    const from = begun(del, answer(202));
    expect((await followed(from, answer(200, state('Deleting')), gone)).steps.map(({ kind }) => kind)).toEqual(['running', 'succeeded']);
    expect((await followed(from, answer(200, state('Succeeded')))).steps[0]).toMatchObject({
      kind: 'failed',
      error: { code: 'DeleteOperationLost' },
    });
    const located = begun(del, answer(202, undefined, { location: LOCATION }));
    expect((await followed(located, answer(202), gone, gone)).steps.at(-1)).toEqual({ kind: 'succeeded' });
  });

  test('POST: the result is at its Location, once', async () => {
    const from = begun(post, answer(202, undefined, { ...asynchronous, location: LOCATION }));
    const { steps, urls } = await followed(from, answer(200, { status: 'Succeeded' }), answer(202), answer(200, { kubeconfig: 'k' }));
    expect(steps.at(-1)).toEqual({ kind: 'succeeded', result: { kubeconfig: 'k' } });
    expect(urls).toEqual([`GET ${OPERATION}`, `GET ${LOCATION}`, `GET ${LOCATION}`]);
    expect((await followed(from, answer(404))).steps[0]?.kind).toBe('failed');
  });

  test('POST whose two headers are one URL is not taken for its result', async () => {
    const from = begun(post, answer(202, undefined, { ...asynchronous, location: OPERATION }));
    const { steps } = await followed(from, answer(200, { status: 'InProgress' }), answer(200, { status: 'Succeeded', more: 1 }));
    expect(steps.map(({ kind }) => kind)).toEqual(['running', 'succeeded']);
  });

  test('an abort is passed on', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stop'));
    await expect(pollOperation(scripted(new Error('stop')), operation, controller.signal)).rejects.toThrow('stop');
  });
});

describe('what is not known to Azure yet, or as it was before', () => {
  const missing = answer(404, { error: { code: 'NotFound', message: 'not found' } });
  const [SECOND, NOW] = [1_000, 1_700_000_000_000];
  const watchedPut = begun(put, answer(202));
  const watchedDeletion = begun(del, answer(202));
  const operation = begun(put, answer(202, undefined, asynchronous));

  test.each<[string, OperationState, ArmResponse, number, string]>([
    ['an operation without a record', operation, missing, 20, `running at ${ORIGINAL}`],
    ['a new resource that is not there', watchedPut, missing, 300, 'failed NotFound'],
    ['a resource that looks as before its deletion', watchedDeletion, answer(200, state('Succeeded')), 300, 'failed DeleteOperationLost'],
  ])('%s means nothing at first; from a request of unknown time it does', async (_, from, response, seconds, meaning) => {
    const look = async (since: number | undefined) => {
      const step = await pollOperation(scripted(response), from, undefined, { now: NOW, since });
      if (step.kind === 'running') return `running at ${step.state.pollUrl}`;
      return step.kind === 'failed' ? `failed ${step.error.code}` : step.kind;
    };
    expect(await look(NOW - seconds * SECOND + 1)).toBe(`running at ${from.pollUrl}`);
    expect(await look(NOW - seconds * SECOND)).toBe(meaning);
    expect(await look(undefined)).toBe(meaning);
  });
});
