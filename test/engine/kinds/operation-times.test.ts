import { operationTimeoutMs, usualOperationMs } from '../../../engine/kinds/operation-times';
import recorded from '../../../engine/kinds/operation-times.json';
import usual from '../../../engine/kinds/usual-operation-times.json';
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

test('an update has its own time, or none: never that of the creation', () => {
  // ASO's tests: a Cosmos DB account was there after 72 to 136 s; its updates ran at a poll after 17 to 21 s, and had ended after 33 to 38.
  expect(usualOperationMs('Microsoft.DocumentDB/databaseAccounts', 'PUT')).toBeGreaterThan(60_000);
  expect(usualOperationMs('Microsoft.DocumentDB/databaseAccounts', 'UPDATE')).toBeGreaterThan(17_000);
  expect(usualOperationMs('Microsoft.DocumentDB/databaseAccounts', 'UPDATE')).toBeLessThan(33_000);
  // The updates of storage accounts end with their answer.
  expect(usualOperationMs('Microsoft.Storage/storageAccounts', 'PUT')).toBeGreaterThan(17_000);
  expect(usualOperationMs('Microsoft.Storage/storageAccounts', 'UPDATE')).toBeUndefined();
});

test('no usual time is longer than the longest one, and the simulator has no update that ends much earlier', () => {
  for (const [type, times] of Object.entries(usual as Record<string, { PUT?: number; UPDATE?: number; DELETE?: number }>)) {
    const longest = (recorded as Record<string, { PUT?: number; DELETE?: number }>)[type];
    if (times.PUT && longest?.PUT) expect([type, times.PUT <= longest.PUT]).toEqual([type, true]);
    if (times.DELETE && longest?.DELETE) expect([type, times.DELETE <= longest.DELETE]).toEqual([type, true]);
    if (times.UPDATE) expect([type, times.UPDATE <= behaviourOf(type, 'UPDATE').seconds! + 1]).toEqual([type, true]);
  }
});

test('each recorded time is a positive number of seconds', () => {
  for (const methods of Object.values(recorded)) {
    expect(Object.values(methods).every((seconds) => seconds > 0 && seconds < 24 * 3600)).toBe(true);
  }
});
