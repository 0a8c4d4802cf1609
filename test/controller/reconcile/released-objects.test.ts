import { ReleasedObjects } from '../../../controller/reconcile/released-objects';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const objectOf = (uid?: string): KubernetesObject => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x', ...(uid ? { uid } : {}) } });

test('an object that was released is known by its UID; one that was created anew under its name is not', () => {
  const released = new ReleasedObjects();
  released.add(objectOf('a'));
  expect(released.has(objectOf('a'))).toBe(true);
  expect(released.has(objectOf('b'))).toBe(false);
});

test('an object without a UID is never released', () => {
  const released = new ReleasedObjects();
  released.add(objectOf());
  expect(released.has(objectOf())).toBe(false);
});

test('the objects that were released first are dropped first', () => {
  const released = new ReleasedObjects();
  for (let index = 0; index <= 10_000; index += 1) released.add(objectOf(`u${index}`));
  expect([0, 1, 10_000].map((index) => released.has(objectOf(`u${index}`)))).toEqual([false, true, true]);
});
