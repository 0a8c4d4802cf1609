import { ComposerController } from '../../../composer/reconcile/composer-controller';
import { systemClock } from '../../../engine/clock';
import type { ObjectId } from '../../../src/object-id';
import { until } from '../../setup/until';
import { service, SERVICES } from '../composition';

test('a claim that may have held up a deletion wakes the claim of the name of its namespace when it is gone', async () => {
  const { group, kind } = SERVICES;
  const reconciled: ObjectId[] = [];
  const controller = new ComposerController({
    kinds: [SERVICES, { ...SERVICES, kind: 'Team', plural: 'teams', namespaced: false, heldBy: [{ group, kind }] }],
    reconciler: {
      reconcile: (key) => {
        reconciled.push(key);
        return Promise.resolve({});
      },
      forget: () => undefined,
      readersOf: () => [],
    },
    clock: systemClock,
    isOurs: () => true,
    onDone: () => undefined,
    onError: () => undefined,
  });
  controller.start();
  controller.handle({ type: 'DELETED', object: service('api', {}, 'shop') });
  await until('a claim is reconciled', () => reconciled.length > 0);
  await controller.drain();
  expect(reconciled).toEqual([{ group, kind: 'Team', namespace: '', name: 'shop' }]);
});

test('claims of a kind whose CRD is listed a moment after the start do not wait half a minute', async () => {
  const reconciled: ObjectId[] = [];
  const began = Date.now();
  const controller = new ComposerController({
    kinds: [SERVICES],
    reconciler: {
      reconcile: (key) => {
        reconciled.push(key);
        return Promise.resolve({});
      },
      forget: () => undefined,
      readersOf: () => [],
    },
    clock: systemClock,
    isOurs: () => Date.now() - began > 100,
    onDone: () => undefined,
    onError: () => undefined,
  });
  controller.start();
  controller.handle({ type: 'ADDED', object: service('api', {}, 'shop') });
  await until('the claim is reconciled', () => reconciled.length > 0);
  await controller.drain();
  expect(reconciled).toEqual([{ group: SERVICES.group, kind: SERVICES.kind, namespace: 'shop', name: 'api' }]);
});

test('claims of a kind that is not this composer\'s are left alone', async () => {
  let looks = 0;
  const reconciled: ObjectId[] = [];
  const controller = new ComposerController({
    kinds: [SERVICES],
    reconciler: {
      reconcile: (key) => {
        reconciled.push(key);
        return Promise.resolve({});
      },
      forget: () => undefined,
      readersOf: () => [],
    },
    clock: systemClock,
    isOurs: () => {
      looks += 1;
      return false;
    },
    onDone: () => undefined,
    onError: () => undefined,
  });
  controller.start();
  controller.handle({ type: 'ADDED', object: service('api', {}, 'shop') });
  controller.handle({ type: 'MODIFIED', object: service('web', {}, 'shop') });
  await until('both claims have been looked at', () => looks >= 2 || reconciled.length > 0);
  await controller.drain();
  expect(reconciled).toEqual([]);
});
