import { NO_RETRIES } from '../../../controller/reconcile/core/backoff';
import { warning } from '../../../controller/reconcile/core/failure';
import type { LastWriteKnowledge, Result } from '../../../controller/reconcile/core/observed';
import { knowledgeAfter, requestAnswered, requestInDoubt, restoreKnowledge } from '../../../controller/reconcile/last-write-knowledge';
import type { ObjectMemory } from '../../../controller/reconcile/object-memories';
import type { SentRequests } from '../../../controller/reconcile/sent-requests';

function reconcileWith(knowledge: LastWriteKnowledge) {
  const memory: ObjectMemory = { uid: 'u', since: 0, knowledge, counters: NO_RETRIES };
  const sent: SentRequests = { any: false, inDoubt: false, hasLooked: false };
  return { memory, sent };
}

test('a request is in doubt until Azure has answered it', () => {
  const reconcile = reconcileWith('known');
  requestInDoubt(reconcile);
  expect(reconcile).toMatchObject({ memory: { knowledge: 'uncertain' }, sent: { any: true, inDoubt: true } });
  requestAnswered(reconcile);
  expect(reconcile).toMatchObject({ memory: { knowledge: 'known' }, sent: { any: true, inDoubt: false } });
});

test.each(['first', 'uncertain', 'known'] as const)('a throttled reconcile restores %s, also after its second request', (before) => {
  const reconcile = reconcileWith(before);
  requestInDoubt(reconcile);
  requestAnswered(reconcile);
  requestInDoubt(reconcile);
  restoreKnowledge(reconcile.memory, reconcile.sent);
  expect(reconcile.memory.knowledge).toBe(before);
});

test('a throttled reconcile that has sent nothing leaves the knowledge as it is', () => {
  const { memory, sent } = reconcileWith('uncertain');
  restoreKnowledge(memory, sent);
  expect(memory.knowledge).toBe('uncertain');
  expect(() => restoreKnowledge(undefined, sent)).not.toThrow();
});

const failure = warning('X', 'x');
test.each<[string, Result, boolean, LastWriteKnowledge | undefined]>([
  ['a success', { kind: 'success' }, false, 'known'],
  ['a success while Azure is busy', { kind: 'success' }, true, 'uncertain'],
  ['a poll', { kind: 'requeue', delay: 1_000 }, false, 'known'],
  ['a poll while Azure is busy', { kind: 'requeue', delay: 1_000 }, true, 'known'],
  ['a wait', { kind: 'requeue', waits: true }, false, undefined],
  ['a failure before the PUT', { kind: 'failure', failure }, true, undefined],
  ['a failure of a step after the PUT', { kind: 'failure', failure, afterPut: true }, false, 'uncertain'],
  ['an object without a next reconcile', { kind: 'done' }, false, undefined],
])('after %s', (_, result, busy, expected) => expect(knowledgeAfter(result, { busy })).toBe(expected));
