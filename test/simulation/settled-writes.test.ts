import type { Answer } from './azure-model';
import { ID, RECORD } from './facts';
import { SettledWrites } from './settled-writes';
import type { Stored } from './truth/policy';

const PATH = '/subscriptions/s/resourceGroups/rg';
const OTHER = '/subscriptions/s/resourceGroups/other';
const OPERATION = '/operations/op-1';
const BODY = { location: 'westeurope' };
const READY = {
  apiVersion: 'resources.azure.com/v1',
  kind: 'ResourceGroup',
  metadata: { name: 'rg', namespace: 'a', generation: 1, annotations: { [ID]: PATH, [RECORD]: '{}' } },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', observedGeneration: 1 }] },
} as unknown as Stored;

const resourceWith = (id: string, provisioningState: string): Answer => ({ status: 200, body: { id, properties: { provisioningState } } });

/** Sends the same body again after what a process has read; answers what that violates. */
function sentAgain(reads: (writes: SettledWrites) => void, isSameReconcile = false, body: unknown = BODY, isAsSent = false): string[] {
  let now = 0;
  const violations: string[] = [];
  const writes = new SettledWrites(() => now, (text) => violations.push(text), () => isAsSent);
  writes.hasTaken(PATH, BODY, { status: 200, headers: { 'azure-asyncoperation': `https://arm.test${OPERATION}` } });
  if (!isSameReconcile) reads(writes);
  now += 1;
  writes.reconcileBegins(1, READY);
  if (isSameReconcile) reads(writes);
  writes.puts(1, PATH, body);
  return violations;
}

const succeeded = resourceWith(PATH, 'Succeeded');

test.each<[string, (writes: SettledWrites) => void]>([
  ['nothing', () => undefined],
  ['the resource in an earlier reconciliation', (writes) => writes.read(1, PATH, succeeded)],
  ['the end of its operation', (writes) => writes.read(1, OPERATION, { status: 200, body: { status: 'Succeeded' } })],
  ['the failure of another resource', (writes) => writes.read(1, OTHER, resourceWith(OTHER, 'Failed'))],
  ['another resource in the place of this one', (writes) => writes.read(1, PATH, resourceWith(OTHER, 'Failed'))],
  ['an error', (writes) => writes.read(1, PATH, { status: 500 })],
  ['a page', (writes) => writes.read(1, PATH, { status: 200, text: '<html>' })],
])('after %s no equal body is sent', (_, reads) => {
  expect(sentAgain(reads)).toEqual([expect.stringContaining('no read of this reconcile says why')]);
});

test.each<[string, (writes: SettledWrites) => void]>([
  ['the resource shows that its operation has failed', (writes) => writes.read(1, PATH, resourceWith(PATH, 'Failed'))],
  ['its operation has failed', (writes) => writes.read(1, OPERATION, { status: 200, body: { status: 'Failed' } })],
  ['another process was told of the failure', (writes) => writes.read(2, PATH, resourceWith(PATH, 'Failed'))],
])('where %s it is sent again', (_, reads) => {
  expect(sentAgain(reads)).toEqual([]);
});

test('it is sent again by the reconciliation that has read the resource, by no other process', () => {
  expect(sentAgain((writes) => writes.read(1, PATH, succeeded), true)).toEqual([]);
  expect(sentAgain((writes) => writes.read(2, PATH, succeeded), true)).toHaveLength(1);
});

test('another body is sent whenever', () => {
  expect(sentAgain(() => undefined, false, { location: 'northeurope' })).toEqual([]);
});

test('a PUT of what is there, told in other words, is a violation even after a read', () => {
  const read = (writes: SettledWrites) => writes.read(1, PATH, resourceWith(PATH.toLowerCase(), 'Succeeded'));
  expect(sentAgain(read, true, BODY, true)).toEqual([expect.stringContaining('told in other words')]);
  expect(sentAgain(read, true, { ...BODY, tags: { edited: 'yes' } }, true)).toEqual([]);
});
