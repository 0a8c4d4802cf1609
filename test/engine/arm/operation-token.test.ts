import fc from 'fast-check';
import { answer, del, ENDPOINT, ID, post, put, state } from './fixtures';
import { beginOperation } from '../../../engine/arm/operation';
import { decodeToken, encodeToken, RESULT_TYPES, type TokenOf } from '../../../engine/arm/operation-token';
import type { ArmRequest, ArmResponse, OperationState } from '../../../engine/arm/types';
import { ArmError } from '../../../engine/arm/types';

const OPERATION = `${ENDPOINT}/operations/1?api-version=1&t=signed`;
const LOCATION = `${ENDPOINT}/results/1?api-version=1`;
const ORIGINAL = `${ID}?api-version=2025-06-01`;
const PUT: TokenOf = { type: RESULT_TYPES.put, method: 'PUT', originalUrl: ORIGINAL };
const DELETE: TokenOf = { type: RESULT_TYPES.delete, method: 'DELETE', originalUrl: ORIGINAL };
const SYNC: TokenOf = { type: RESULT_TYPES.syncBackupInstance, method: 'POST', originalUrl: `${ID}/sync?api-version=2025-06-01` };

function tokenFor(request: ArmRequest, { type }: TokenOf, response: ArmResponse): unknown {
  const step = beginOperation(request, response);
  if (step.kind !== 'running') throw new Error(`running was expected, not ${step.kind}`);
  return JSON.parse(encodeToken(step.state, type, ENDPOINT));
}

/** Tokens as azcore writes them (sdk/azcore/internal/pollers, v1.19.1). */
const request = (method: string, path = ID) => ({ origURL: `${ENDPOINT}${path}?api-version=2025-06-01`, method, finalState: '' });
const ASYNC = { type: 'GenericResource', token: { asyncURL: OPERATION, locURL: LOCATION, ...request('PUT'), state: 'Creating' } };
const OPERATION_LOCATION = {
  type: 'GenericResource', token: { oplocURL: OPERATION, locURL: '', ...request('PUT'), resultPath: '', state: 'NotStarted' },
};
const BY_LOCATION = { type: 'GenericDeleteResponse', token: { type: 'loc', pollURL: LOCATION, state: 'InProgress' } };
const BY_BODY = { type: 'GenericResource', token: { type: 'body', pollURL: `${ENDPOINT}${ORIGINAL}`, state: 'Updating' } };

describe('a written token', () => {
  test.each<[string, unknown, unknown]>([
    [
      'Azure-AsyncOperation', ASYNC,
      tokenFor(put, PUT, answer(202, state('Creating'), { 'azure-asyncoperation': OPERATION, 'location': LOCATION })),
    ],
    ['Operation-Location', OPERATION_LOCATION, tokenFor(put, PUT, answer(202, { status: 'NotStarted' }, { 'operation-location': OPERATION }))],
    ['Location', BY_LOCATION, tokenFor(del, DELETE, answer(202, undefined, { location: LOCATION }))],
    ['the resource itself', BY_BODY, tokenFor(put, PUT, answer(200, state('Updating')))],
    [
      'a POST', {
        type: 'BackupInstancesClientSyncBackupInstanceResponse',
        token: {
          asyncURL: OPERATION, locURL: LOCATION, ...request('POST', `${ID}/sync`), state: 'InProgress',
        },
      },
      tokenFor(post, SYNC, answer(202, undefined, { 'azure-asyncoperation': OPERATION, 'location': LOCATION })),
    ],
  ])('of %s is azcore\'s', (_, expected, written) => expect(written).toEqual(expected));

  test('has absolute URLs: azcore polls no other', () => {
    const relative = { 'azure-asyncoperation': '/operations/a%20b?t=1', 'location': '/results/1' };
    expect(tokenFor({ ...put, url: `${ID} b` }, PUT, answer(202, undefined, relative))).toMatchObject({
      token: { asyncURL: `${ENDPOINT}/operations/a%20b?t=1`, locURL: `${ENDPOINT}/results/1`, origURL: `${ENDPOINT}${ID}%20b?api-version=2025-06-01` },
    });
  });

  test('has no final state: azcore would read an answer that it does not have', () => {
    expect(tokenFor(put, PUT, answer(202, state('Succeeded'), { 'azure-asyncoperation': OPERATION }))).toMatchObject({
      token: { state: 'InProgress' },
    });
  });

  test('of a deletion that is watched by the resource is none of azcore\'s: there 200 without a provisioningState is a success', () => {
    const token = tokenFor(del, DELETE, answer(202)) as { readonly token: object };
    expect(token).toEqual({ type: 'GenericDeleteResponse', token: { type: 'resource', pollURL: `${ENDPOINT}${ORIGINAL}`, state: 'InProgress' } });
    expect(decodeToken(JSON.stringify(token), DELETE)).toEqual({
      style: 'body', method: 'DELETE', originalUrl: ORIGINAL, pollUrl: ORIGINAL, state: 'InProgress',
    });
  });
});

describe('a token of ASO', () => {
  const common = { method: 'PUT', originalUrl: ORIGINAL };
  test.each<[string, unknown, TokenOf, OperationState]>([
    ['Azure-AsyncOperation', ASYNC, PUT, { ...common, style: 'azure-asyncoperation', pollUrl: OPERATION, locationUrl: LOCATION, state: 'Creating' }],
    ['Operation-Location', OPERATION_LOCATION, PUT, { ...common, style: 'operation-location', pollUrl: OPERATION, state: 'NotStarted' }],
    ['Location', BY_LOCATION, DELETE, { ...common, method: 'DELETE', style: 'location', pollUrl: LOCATION, state: 'InProgress' }],
    ['the resource itself', BY_BODY, PUT, { ...common, style: 'body', pollUrl: ORIGINAL, state: 'Updating' }],
  ])('of %s is read', (_, token, of, expected) => expect(decodeToken(JSON.stringify(token), of)).toEqual(expected));

  test('members that a later version adds are ignored', () => {
    const later = { ...ASYNC, later: true, token: { ...ASYNC.token, later: true } };
    expect(decodeToken(JSON.stringify(later), PUT)).toEqual(decodeToken(JSON.stringify(ASYNC), PUT));
  });

  test('without the id of the resource, the request is the one that the token has', () => {
    const { type, method } = PUT;
    expect(decodeToken(JSON.stringify(ASYNC), { type, method }).originalUrl).toBe(`${ENDPOINT}${ORIGINAL}`);
    expect(decodeToken(JSON.stringify(BY_BODY), { type, method })).toMatchObject({ pollUrl: `${ENDPOINT}${ORIGINAL}`, originalUrl: `${ENDPOINT}${ORIGINAL}` });
  });

  test('only the resource of the object is watched, whatever URL the token has', () => {
    const foreign = { ...BY_BODY.token, pollURL: `${ENDPOINT}/subscriptions/other?api-version=1` };
    expect(decodeToken(JSON.stringify({ ...BY_BODY, token: foreign }), PUT)).toMatchObject({ pollUrl: ORIGINAL, originalUrl: ORIGINAL });
    const other = { ...ASYNC.token, origURL: `${ENDPOINT}/subscriptions/other?api-version=1`, method: 'POST' };
    expect(decodeToken(JSON.stringify({ ...ASYNC, token: other }), PUT)).toMatchObject({ originalUrl: ORIGINAL, method: 'PUT' });
  });
});

describe('a token that cannot be used', () => {
  test.each<[string, unknown, string]>([
    ['a token of a deletion', BY_LOCATION, 'of another operation'],
    ['one of azcore\'s simulated Azure', { ...ASYNC, token: { apiName: 'x', fakeURL: `${OPERATION}/get/fake/status`, status: 'InProgress' } }, 'simulated'],
    ['one of an unknown style', { ...ASYNC, token: { state: 'InProgress' } }, 'style'],
    ['one without a state', { ...ASYNC, token: { ...ASYNC.token, state: undefined } }, 'state'],
    ['one with a long state', { ...ASYNC, token: { ...ASYNC.token, state: 'x'.repeat(101) } }, 'state'],
    ['one without a URL', { ...ASYNC, token: { ...ASYNC.token, asyncURL: '' } }, 'URL'],
    ['one with a URL of another scheme', { ...ASYNC, token: { ...ASYNC.token, asyncURL: 'file:///etc/passwd' } }, 'URL'],
    ['one with a URL that is no text', { ...ASYNC, token: { ...ASYNC.token, asyncURL: { a: 1 } } }, 'URL'],
    ['a list', [ASYNC], 'no token'],
    ['a token without members', { type: ASYNC.type, token: null }, 'no token'],
  ])('%s', (_, token, why) => {
    expect(() => decodeToken(JSON.stringify(token), PUT)).toThrow(ArmError);
    expect(() => decodeToken(JSON.stringify(token), PUT)).toThrow(why);
  });

  test('a large one, and one that is no JSON', () => {
    expect(() => decodeToken(JSON.stringify({ ...ASYNC, later: 'x'.repeat(100_000) }), PUT)).toThrow('longer than');
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => decodeToken(text, PUT)).toThrow(ArmError);
    }));
  });
});

test('every operation comes back as it went', () => {
  const url = fc.webUrl();
  const states: fc.Arbitrary<OperationState> = fc.record(
    {
      style: fc.constantFrom<OperationState['style'][]>('azure-asyncoperation', 'operation-location'),
      method: fc.constant('PUT'),
      originalUrl: fc.constant(ORIGINAL),
      pollUrl: url,
      locationUrl: url,
      state: fc.constantFrom('InProgress', 'Creating', 'Accepted'),
    },
    { requiredKeys: ['style', 'method', 'originalUrl', 'pollUrl', 'state'] },
  );
  fc.assert(fc.property(states, (value) => expect(decodeToken(encodeToken(value, PUT.type, ENDPOINT), PUT)).toEqual(value)));
});
