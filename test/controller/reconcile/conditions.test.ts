import {
  isReady,
  mayReplace,
  readyOf,
  RECONCILING,
  SUCCEEDED,
  withReady,
  type ReadyState,
} from '../../../controller/reconcile/core/conditions';
import type { Condition, KubernetesObject } from '../../../engine/kubernetes/types';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const OLD_TIME = '2026-01-01T00:00:00Z';

const state = (status: Condition['status'], severity: Condition['severity'], reason: string, message = ''): ReadyState => ({
  status,
  ...(severity === undefined ? {} : { severity }),
  reason,
  message,
});
const TRUE = state('True', undefined, 'Succeeded');
const ERROR = state('False', 'Error', 'Broken');
const WARNING = state('False', 'Warning', 'Failed', 'oh');
const INFO = state('False', 'Info', 'Reconciling');
const UNKNOWN = state('Unknown', undefined, 'Unknown');
const WAITING = ['ReferenceNotFound', 'SecretNotFound', 'ConfigMapNotFound', 'AzureResourceNotFound', 'WaitingForOwner'].map((reason) =>
  state('False', 'Warning', reason),
);

function object(old: ReadyState | undefined, oldGeneration: number, generation: number): KubernetesObject {
  return {
    apiVersion: 'x.azure.com/v1',
    kind: 'X',
    metadata: { name: 'x', generation },
    ...(old
      ? {
        status: {
          id: 'kept',
          conditions: [
            { type: 'Other', status: 'True', lastTransitionTime: OLD_TIME, reason: 'R' },
            { type: 'Ready', ...old, lastTransitionTime: OLD_TIME, observedGeneration: oldGeneration },
          ],
        },
      }
      : {}),
  };
}

describe('overwrite rules', () => {
  // old, old generation, new, new generation, reason-aware, written?
  const rows: [string, ReadyState, number, ReadyState, number, boolean, boolean][] = [
    ['a newer generation replaces True', TRUE, 1, INFO, 2, false, true],
    ['a newer generation replaces Error', ERROR, 1, INFO, 2, false, true],
    ['a newer generation replaces even by Unknown', TRUE, 1, UNKNOWN, 2, false, true],
    ['Info does not replace True', TRUE, 1, INFO, 1, false, false],
    ['Info does not replace True, reason-aware', TRUE, 1, INFO, 1, true, false],
    ['Info does not replace Warning', WARNING, 1, INFO, 1, false, false],
    ['Info does not replace Warning Failed, reason-aware', WARNING, 1, INFO, 1, true, false],
    ['Info does not replace Error', ERROR, 1, INFO, 1, false, false],
    ['Info replaces Unknown', UNKNOWN, 1, INFO, 1, false, true],
    ['Unknown does not replace Info', INFO, 1, UNKNOWN, 1, false, false],
    ['True replaces Warning', WARNING, 1, TRUE, 1, false, true],
    ['True replaces Error', ERROR, 1, TRUE, 1, false, true],
    ['Warning replaces True', TRUE, 1, WARNING, 1, false, true],
    ['Error replaces Warning', WARNING, 1, ERROR, 1, false, true],
    ['Warning replaces Error', ERROR, 1, WARNING, 1, false, true],
    ['Info replaces another Info', INFO, 1, state('False', 'Info', 'Deleting'), 1, false, true],
    ['an older generation of equal priority is written', TRUE, 2, WARNING, 1, false, true],
    ['an older generation of lower priority is not', TRUE, 2, INFO, 1, false, false],
    ...WAITING.flatMap((waiting): typeof rows => [
      [`Info does not replace ${waiting.reason}`, waiting, 1, INFO, 1, false, false],
      [`Info replaces ${waiting.reason}, reason-aware`, waiting, 1, INFO, 1, true, true],
    ]),
  ];
  test.each(rows)('%s', (_, old, oldGeneration, next, generation, reasonAware, written) => {
    const before = object(old, oldGeneration, generation);
    const after = withReady(before, next, NOW, reasonAware);
    expect(after === before).toBe(!written);
    const ready = readyOf(after)!;
    expect([ready.reason, ready.observedGeneration]).toEqual(written ? [next.reason, generation] : [old.reason, oldGeneration]);
  });

  test('an equal element stays as it is', () => {
    const before = object(WARNING, 3, 3);
    expect(withReady(before, WARNING, NOW)).toBe(before);
  });

  test('equal conditions do not replace each other', () => {
    const condition: Condition = {
      type: 'Ready',
      status: 'True',
      reason: 'Succeeded',
      lastTransitionTime: OLD_TIME,
      observedGeneration: 1,
    };
    expect(mayReplace(condition, { ...condition, lastTransitionTime: '2030-01-01T00:00:00Z' }, false)).toBe(false);
  });
});

describe('the element', () => {
  test('is appended where there is none, other elements keep their place', () => {
    const after = withReady(object(undefined, 0, 7), RECONCILING, NOW);
    expect(after.status!.conditions).toEqual([{
      type: 'Ready',
      status: 'False',
      severity: 'Info',
      reason: 'Reconciling',
      observedGeneration: 7,
      lastTransitionTime: '2026-01-02T03:04:05Z',
      message: 'The resource is in the process of being reconciled by the operator',
    }]);
    const replaced = withReady(object(WARNING, 1, 1), SUCCEEDED, NOW);
    expect(replaced.status!.conditions!.map(({ type }) => type)).toEqual(['Other', 'Ready']);
    expect(replaced.status!.id).toBe('kept');
  });

  test('has neither severity nor message when it is True', () => {
    const ready = readyOf(withReady(object(WARNING, 1, 1), SUCCEEDED, NOW))!;
    expect(ready).toEqual({
      type: 'Ready',
      status: 'True',
      reason: 'Succeeded',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-02T03:04:05Z',
    });
    expect(isReady(withReady(object(WARNING, 1, 1), SUCCEEDED, NOW))).toBe(true);
  });

  test('keeps its time when only the generation is new', () => {
    expect(readyOf(withReady(object(TRUE, 1, 2), TRUE, NOW))).toMatchObject({ observedGeneration: 2, lastTransitionTime: OLD_TIME });
    expect(readyOf(withReady(object(WARNING, 1, 2), { ...WARNING, message: 'other' }, NOW))).toMatchObject({
      lastTransitionTime: '2026-01-02T03:04:05Z',
    });
  });
});
