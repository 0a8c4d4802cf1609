import { answer, del, MARK, post, put } from './fixtures';
import { armErrorFrom } from '../../../engine/arm/arm-error';
import { beginOperation } from '../../../engine/arm/operation';
import { stepOf } from '../../../engine/arm/poll-operation';
import type { ArmResponse, OperationState } from '../../../engine/arm/types';

/** Answer of a proxy's log-in page, or of another server that is not Azure. */
const page = (status: number, headers: Record<string, string> = {}): ArmResponse => ({
  status,
  headers,
  body: undefined,
  text: '<html>please log in</html>',
});
const state = (style: OperationState['style'], method: OperationState['method'] = 'PUT'): OperationState => ({
  style,
  method,
  originalUrl: '/x?api-version=1',
  pollUrl: style === 'body' ? '/x?api-version=1' : 'https://arm.test/operation',
  state: 'InProgress',
});

describe('an answer that is no JSON', () => {
  test.each([['PUT', put], ['DELETE', del], ['POST', post]])('to %s is no success, whatever its status', (method, request) => {
    for (const status of [200, 201, 202]) {
      const step = beginOperation(request, page(status));
      expect(step).toMatchObject({ kind: 'failed', error: { code: 'UnknownError', extra: { unstructured: true } } });
      expect((step as { error: Error }).error.message).toMatch(
        new RegExp(`^${method} .*HTTP ${status}: <html>please log in</html>.*proxy.*AZURE_RESOURCE_MANAGER_ENDPOINT`),
      );
    }
  });

  test('an empty one is', () => {
    expect(beginOperation(put, answer(200, undefined, MARK))).toEqual({ kind: 'succeeded' });
    expect(beginOperation(put, answer(200))).toMatchObject({ kind: 'failed', error: { extra: { unstructured: true } } });
    expect(beginOperation(del, answer(200))).toEqual({ kind: 'succeeded' });
  });

  test.each(['azure-asyncoperation', 'operation-location', 'location'] as const)(
    'to a poll by %s ends nothing: the resource is watched',
    (style) => {
      for (const method of ['PUT', 'DELETE'] as const) {
        expect(stepOf(state(style, method), page(200))).toMatchObject({
          kind: 'running',
          state: { style: 'body', pollUrl: '/x?api-version=1' },
          transient: { code: 'UnknownError' },
        });
      }
    },
  );

  test('to a look at the resource ends nothing: it is looked at again', () => {
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(stepOf(state('body', method), page(200))).toMatchObject({
        kind: 'running',
        state: state('body', method),
        transient: { code: 'UnknownError' },
      });
    }
  });
});

test.each<[string, object]>([
  ['an empty object', {}],
  ['an object without an id', { properties: { provisioningState: 'Succeeded' } }],
  ['another resource', { id: '/y', properties: { provisioningState: 'Succeeded' } }],
])('%s in the place of a resource is not the end of its operation', (_, body) => {
  for (const method of ['PUT', 'DELETE'] as const) {
    expect(stepOf(state('body', method), answer(200, body))).toMatchObject({
      kind: 'running',
      state: state('body', method),
      transient: { code: 'UnknownError' },
    });
  }
});

test('a redirect says that Azure makes none, and what to look at', () => {
  const error = armErrorFrom(answer(302, undefined, { location: 'https://portal.test/login?secret=1' }), put);
  expect(error.message).toMatch(/HTTP 302 .*proxy.*AZURE_RESOURCE_MANAGER_ENDPOINT/);
  expect(error.message).not.toContain('secret');
});
