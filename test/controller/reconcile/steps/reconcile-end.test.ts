import type { Observed, Result } from '../../../../controller/reconcile/core/observed';
import type { ObjectReconcile, ReconcileProgress } from '../../../../controller/reconcile/object-reconcile';
import { endReconcile } from '../../../../controller/reconcile/steps/reconcile-end';

const DECIDED = 1_000_000;

/** The result of a reconcile that has decided on this result, and has needed so many milliseconds to store it. */
function ended(result: Result, storedAfterMs: number): Result {
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };
  const state = { parentLocks: { reconciled: () => undefined } };
  const reconcile = { options: { clock: { now: () => DECIDED + storedAfterMs } }, sent: {}, state } as unknown as ObjectReconcile;
  const observed = { now: DECIDED, object, traits: {}, credential: {} } as unknown as Observed;
  return endReconcile(reconcile, { observed, stored: object, actions: [] } as unknown as ReconcileProgress, result).result;
}

test.each([
  ['a poll comes as long after the answer of Azure as decided', 60_000, 4_000, 56_000],
  ['a poll that is due already comes soon', 3_000, 4_000, 20],
  ['a clock that was set back makes no delay longer', 3_000, -5_000, 3_000],
])('%s', (_, delay, storedAfterMs, expected) => {
  expect(ended({ kind: 'requeue', delay }, storedAfterMs)).toEqual({ kind: 'requeue', delay: expected });
});

test('a result without a delay of its own stays as it is', () => {
  for (const result of [{ kind: 'requeue' }, { kind: 'success' }] as const) expect(ended(result, 4_000)).toBe(result);
});
