import { answersPutWithResource } from '../../../engine/kinds';
import complete from '../../../engine/kinds/complete-answers.json';
import { Catalog } from '../../../src/catalog';

test('types that were seen to answer a PUT with the whole resource need no GET; any other type does', () => {
  expect(answersPutWithResource('microsoft.resources/RESOURCEGROUPS')).toBe(true);
  expect(answersPutWithResource('Microsoft.ServiceBus/namespaces/queues')).toBe(true);
  // Recorded without `id`, without `properties`, with other metrics than the GET, and not at all.
  expect(answersPutWithResource('Microsoft.Storage/storageAccounts/blobServices')).toBe(false);
  expect(answersPutWithResource('Microsoft.Storage/storageAccounts/blobServices/containers')).toBe(false);
  expect(answersPutWithResource('Microsoft.Insights/diagnosticSettings')).toBe(false);
  expect(answersPutWithResource('Microsoft.Nobody/knows')).toBe(false);
});

test('each type of the list is one of the catalog, and was recorded', () => {
  const types = new Set(Catalog.default().allKinds.flatMap(({ latest }) => latest.facts.arm?.type.toLowerCase() ?? []));
  expect(Object.keys(complete).filter((type) => !types.has(type.toLowerCase()))).toEqual([]);
  expect(Object.values(complete).every((pairs) => Number.isInteger(pairs) && pairs > 0)).toBe(true);
});
