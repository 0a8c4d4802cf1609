import { ago, azure, inspected, nodeNamed, NOW, READY, RECONCILING, warning, type Given, type SnapshotParts } from './snapshots';
import { durationText, explain, nextTry, type NextTry } from '../../../engine/inspect';
import { FINALIZER, POLLER_ID, POLLER_TOKEN, WAITING } from '../../../src/azure/annotations';

const spec = { owner: { name: 'group' } };
const claimed = { finalizers: [FINALIZER] };

function nextOf(given: Given, parts: Partial<SnapshotParts> = {}, status?: number): NextTry {
  const inspection = inspected({ objects: [azure('StorageAccount', 'data', { spec, metadata: claimed, ...given }), azure('ResourceGroup', 'group', { ready: READY })], ...parts });
  const node = nodeNamed(inspection, 'StorageAccount/data');
  return nextTry(node, inspection.causes.find(({ id }) => id === node.cause), NOW, status);
}

const since = (seconds: number) => ({ lastTransitionTime: ago(seconds) });

test.each<[string, Given, number | undefined, Partial<NextTry>]>([
  ['Slow, first seconds: as long as it has failed', { ready: { ...warning('Conflict'), ...since(6) } }, undefined, { by: 'timer', before: NOW + 7_000, text: 'within 7s (Slow: 1, 2, 4 … 180 s)' }],
  ['Slow, later: three minutes', { ready: { ...warning('Conflict'), ...since(6_000) } }, undefined, { before: NOW + 180_000 }],
  ['an unknown code of HTTP 400: the next sync', { ready: warning('Whatever') }, 400, { by: 'sync' }],
  ['an unknown code of another status: Slow', { ready: warning('Whatever') }, 409, { by: 'timer' }],
  ['VerySlow: the next sync', { ready: warning('SkuNotAvailable') }, undefined, { by: 'sync', before: NOW - 300_000 + 4_500_000 }],
  ['a resource that is not in Azure: as long as it has been read', { ready: { ...warning('AzureResourceNotFound'), ...since(600) } }, undefined, { by: 'timer', before: NOW + 601_000 }],
  ['a new role: every ten seconds', { ready: { ...warning('AuthorizationFailed'), ...since(60) } }, undefined, { before: NOW + 10_000 }],
  ['a role that is not given: Slow', { ready: { ...warning('AuthorizationFailed'), ...since(3_600) } }, undefined, { before: NOW + 180_000 }],
  ['an Error: the next sync', { ready: { status: 'False', severity: 'Error', reason: 'LocationRequired' } }, undefined, { by: 'sync' }],
  ['an operation: polls', { ready: RECONCILING, annotations: { [POLLER_TOKEN]: '{}', [POLLER_ID]: 'GenericClient.CreateOrUpdateByID' } }, undefined, { by: 'poll', before: NOW + 15_000 }],
  ['a claim: by itself', { ready: RECONCILING }, undefined, { by: 'timer' }],
])('%s', (_title, given, status, expected) => expect(nextOf(given, {}, status)).toMatchObject(expected));

test('what waits is woken, and looks again within 30 s', () => {
  const waits = { ready: { ...warning('WaitingForOwner'), ...since(6_000) }, metadata: {} };
  const objects = [azure('StorageAccount', 'data', { spec, ...waits })];
  expect(nextOf(waits, { objects })).toMatchObject({ by: 'event', before: NOW + 30_000, text: 'as soon as what it waits for is there; otherwise within 30s' });
});

test('without a controller nothing happens', () => {
  expect(nextOf({ metadata: {} }, { controllers: [] })).toMatchObject({ by: 'none', text: 'nothing happens before a controller runs' });
});

test.each([[0, '0s'], [999, '1s'], [61_000, '1m1s'], [3_600_000, '1h'], [90_061_000, '1d1h'], [-5, '0s']])('%i ms: %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test('an explanation has owners, chain, operation and the controller', () => {
  const annotations = { [POLLER_TOKEN]: '{}', [POLLER_ID]: 'GenericClient.CreateOrUpdateByID', [WAITING]: `put ${ago(90)}` };
  const objects = [
    azure('ResourceGroup', 'group', { ready: RECONCILING, annotations }),
    azure('StorageAccount', 'data', { spec, ready: warning('WaitingForOwner') }),
    azure('StorageAccountsBlobService', 'blobs', { spec: { owner: { name: 'data' } }, ready: warning('WaitingForOwner') }),
  ];
  const inspection = inspected({ objects });
  const { owners, chain, cause, controller } = explain(inspection, nodeNamed(inspection, 'StorageAccountsBlobService/blobs'));
  expect(owners.map(({ name }) => name)).toEqual(['data', 'group']);
  expect(chain.map(({ title }) => title)).toEqual(['StorageAccountsBlobService shop/blobs', 'StorageAccount shop/data', 'ResourceGroup shop/group']);
  expect(cause).toMatchObject({ reason: 'Reconciling', severity: 'Info' });
  expect(controller).toMatchObject({ namespace: 'azureserviceoperator-system', facts: { product: 'cdk8s-aso' } });
});
