import { desiredObject } from '../../../composer/apply/desired-object';
import { differs } from '../../../composer/apply/differs';
import type { KubernetesObject } from '../../../engine/kubernetes';

const CLAIM = { group: 'platform.example.com', kind: 'Service', namespace: 'shop', name: 'api' };
const manifest = (body: object): KubernetesObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop', labels: { app: 'api' } }, ...body });
const desiredOf = (body: object) => desiredObject({ manifest: manifest(body), path: 'x', wave: 0 }, CLAIM);
const entryOf = (applied: string, generation?: number) =>
  ({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'x', wave: 0, uid: 'u', applied, ...(generation !== undefined && { generation }) });

/** The object as the API server has it: with what others have added. */
function live(body: object, metadata: object = {}): KubernetesObject {
  const object = desiredOf(body).manifest;
  return { ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '5', ...metadata } };
}

test('the order of members makes no other manifest', () => {
  expect(desiredOf({ data: { a: '1', b: '2' } }).hash).toBe(desiredOf({ data: { b: '2', a: '1' } }).hash);
  expect(desiredOf({ data: { a: '1' } }).hash).not.toBe(desiredOf({ data: { a: '2' } }).hash);
});

test.each<[string, object, KubernetesObject, number | undefined, boolean]>([
  ['the same', { data: { a: '1' } }, live({ data: { a: '1' } }), undefined, false],
  ['a key of others', { data: { a: '1' } }, live({ data: { a: '1', b: '2' } }), undefined, false],
  ['another value', { data: { a: '1' } }, live({ data: { a: '2' } }), undefined, true],
  ['no data', { data: { a: '1' } }, live({}), undefined, true],
  ['a list with one more', { rules: [{ verbs: ['get'] }] }, live({ rules: [{ verbs: ['get', 'list'] }] }), undefined, true],
  ['a list with a default of the server', { subjects: [{ kind: 'User' }] }, live({ subjects: [{ kind: 'User', apiGroup: 'x' }] }), undefined, false],
  ['the label taken off', { data: {} }, live({ data: {} }, { labels: { app: 'api' } }), undefined, true],
  ['texts of a Secret in base64', { stringData: { a: 'x' } }, live({ data: { a: 'eA==' }, stringData: undefined }), undefined, false],
  ['other texts of a Secret', { stringData: { a: 'x' } }, live({ data: { a: 'eQ==' }, stringData: undefined }), undefined, true],
  ['the known generation, spelt otherwise', { spec: { cpu: '1000m' } }, live({ spec: { cpu: '1' } }, { generation: 3 }), 3, false],
  ['another generation', { spec: { cpu: '1' } }, live({ spec: { cpu: '1' } }, { generation: 4 }), 3, true],
])('%s', (_, body, object, generation, isDifferent) => {
  const desired = desiredOf(body);
  expect(differs(desired, object, entryOf(desired.hash, generation))).toBe(isDifferent);
  expect(differs(desired, object, entryOf('another', generation))).toBe(true);
});
