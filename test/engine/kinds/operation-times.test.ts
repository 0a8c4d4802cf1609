import { operationTimeoutMs } from '../../../engine/kinds/operation-times';
import recorded from '../../../engine/kinds/operation-times.json';
import { behaviourOf } from '../../../sandbox/azure/model/behaviour';
import { Catalog } from '../../../src/catalog';

const HOUR = 3_600_000;

test('a type that was seen to take long gets three times that, whatever its case; any other an hour', () => {
  expect(operationTimeoutMs('microsoft.redhatopenshift/OPENSHIFTCLUSTERS', 'PUT')).toBe(3 * 3028 * 1000);
  expect(operationTimeoutMs('Microsoft.Resources/resourceGroups', 'DELETE')).toBe(3 * 1389 * 1000);
  expect(operationTimeoutMs('Microsoft.Storage/storageAccounts', 'PUT')).toBe(HOUR);
  expect(operationTimeoutMs('Microsoft.Nobody/knows', 'DELETE')).toBe(HOUR);
});

test('no type of the catalog is overdue before twice the median time of the simulator', () => {
  const types = new Set(Catalog.default().allKinds.flatMap(({ latest }) => latest.facts.arm?.type ?? []));
  expect(types.size).toBeGreaterThan(100);
  for (const type of types) {
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(operationTimeoutMs(type, method)).toBeGreaterThanOrEqual(2000 * (behaviourOf(type, method).seconds ?? 0));
    }
  }
});

test('each recorded time is a positive number of seconds', () => {
  for (const methods of Object.values(recorded)) {
    expect(Object.values(methods).every((seconds) => seconds > 0 && seconds < 24 * 3600)).toBe(true);
  }
});
