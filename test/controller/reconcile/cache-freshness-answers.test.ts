import { FakeClock, settled } from './fake-clock';
import { CacheFreshnessGuard, FRESH_FOR } from '../../../controller/reconcile/cache-freshness-guard';
import type { Cluster } from '../../../controller/reconcile/cluster';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { ObjectId } from '../../../src/object-id';

const KEY: ObjectId = { group: '', kind: 'Secret', namespace: 'team', name: 'aso-credential' };

/** A guard whose questions are answered when the test says so. */
function environment() {
  const clock = new FakeClock();
  const answers: ((items: readonly KubernetesObject[]) => void)[] = [];
  const stored = new Map<string, KubernetesObject>();
  const watched = {
    type: { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
    store: { get: (_: string, name: string) => stored.get(name) },
    updateLocal: (object: KubernetesObject) => stored.set(object.metadata.name, object),
  };
  const guard = new CacheFreshnessGuard({
    clock,
    cluster: { stateOf: () => ({ state: 'present' }), typeOf: () => watched, find: () => undefined } as unknown as Cluster,
    client: { list: () => new Promise((resolve) => answers.push((items) => resolve({ items, resourceVersion: '1' } as never))) },
  });
  const log: string[] = [];
  const confirm = (name: string, since: number) => void guard.confirm(KEY, since).then(() => log.push(name), () => log.push(`${name} failed`));
  const answer = async (index: number) => {
    answers[index]!([]);
    await settled();
  };
  return { guard, clock, log, confirm, answer, questions: () => answers.length };
}

test('a question that is on its way answers no one who came after it', async () => {
  const { guard, log, confirm, answer, questions } = environment();
  confirm('first', guard.moment);
  // An object that is seen from now on may be newer than the answer.
  const since = guard.moment;
  expect(since).toBe(1);
  confirm('second', since);
  confirm('third', since);
  expect(questions()).toBe(2);
  await answer(0);
  expect(log).toEqual(['first']);
  await answer(1);
  expect(log).toEqual(['first', 'second', 'third']);
});

test('an answer says nothing of what came after its question, however late it is', async () => {
  const { guard, log, confirm, answer, questions } = environment();
  confirm('first', guard.moment);
  const since = guard.moment;
  await answer(0);
  confirm('second', since);
  await settled();
  expect([log, questions()]).toEqual([['first'], 2]);
  await answer(1);
  confirm('third', since);
  await settled();
  expect([log, questions()]).toEqual([['first', 'second', 'third'], 2]);
});

test('an answer is good for ten seconds from its question', async () => {
  const { guard, clock, log, confirm, answer, questions } = environment();
  confirm('first', guard.moment);
  await clock.advance(FRESH_FOR);
  await answer(0);
  confirm('second', 0);
  await settled();
  expect([log, questions()]).toEqual([['first', 'second'], 1]);
  await clock.advance(1);
  confirm('third', 0);
  expect(questions()).toBe(2);
});
