import type { ObjectReconcile } from '../../../../controller/reconcile/object-reconcile';
import { lockedClient, rightsShownBy } from '../../../../controller/reconcile/steps/parent-lock';
import { ArmError, type ArmRequest, type ArmResponse } from '../../../../engine/arm/types';
import { answer, scripted } from '../../../engine/arm/fixtures';

const refusal = (code: string) => answer(403, { error: { code, message: 'no' } });

// Others do not wait for a principal that Azure has refused.
test.each<[string, ArmResponse, string | undefined]>([
  ['a resource that was written', answer(200, {}), 'accepted'],
  ['an operation', answer(202), 'accepted'],
  ['a deletion of nothing', answer(204), 'accepted'],
  ['no token that is taken', answer(401), 'refused'],
  ['no role', refusal('AuthorizationFailed'), 'refused'],
  ['an error without the member around it', answer(403, { code: 'Forbidden', message: 'no' }), 'refused'],
  ['a refusal without a body', answer(403), 'refused'],
  ['a policy that refuses what is in this one', refusal('RequestDisallowedByPolicy'), undefined],
  ['no such parent', answer(404, { error: { code: 'ParentResourceNotFound', message: 'no' } }), undefined],
  ['a conflict', answer(409, { error: { code: 'AnotherOperationInProgress', message: 'no' } }), undefined],
  ['a limit', answer(429), undefined],
  ['a failure of Azure', answer(503), undefined],
])('an answer shows whether the principal may write: %s', (_, response, rights) => expect(rightsShownBy(response)).toBe(rights));

describe('the client', () => {
  async function reportedRights(method: ArmRequest['method'], response: ArmResponse | Error) {
    const reported: unknown[] = [];
    const reconcile = { key: 'k', state: { parentLocks: { answered: (_: unknown, rights: unknown) => reported.push(rights) } } };
    const client = lockedClient(reconcile as unknown as ObjectReconcile, scripted(response));
    await client.send({ method, url: '/subscriptions/s' }).catch(() => undefined);
    return reported;
  }

  test.each(['PUT', 'DELETE'] as const)('tells the lock what the answer to a %s shows', async (method) => {
    expect(await reportedRights(method, answer(200, {}))).toEqual(['accepted']);
    expect(await reportedRights(method, refusal('AuthorizationFailed'))).toEqual(['refused']);
    expect(await reportedRights(method, answer(409))).toEqual([]);
  });

  test('tells it nothing of reads: the rights to read and to write are others', async () => {
    expect(await reportedRights('GET', answer(200, {}))).toEqual([]);
    expect(await reportedRights('GET', refusal('AuthorizationFailed'))).toEqual([]);
  });

  test.each([
    ['CredentialRejected', ['refused']],
    ['FederatedCredentialNotFound', ['refused']],
    ['UnknownError', []],
  ])('a write without a token (%s)', async (code, rights) => {
    expect(await reportedRights('PUT', new ArmError(code, 'no'))).toEqual(rights);
  });
});
