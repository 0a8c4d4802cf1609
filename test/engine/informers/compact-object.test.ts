import { compactMetadata, compactObject } from '../../../engine/informers/compact-object';
import type { KubernetesObject } from '../../../engine/kubernetes';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const object = (annotations?: Record<string, string>): KubernetesObject => ({
  apiVersion: 'storage.azure.com/v1api20230101',
  kind: 'StorageAccount',
  metadata: { name: 'files', namespace: 'team-of-forests', resourceVersion: '7', ...(annotations && { annotations }) },
  spec: { location: 'northeurope', tags: { a: null, b: 'x' }, rules: ['203.0.113.7', 1, { value: 'a longer text' }, [true]] },
  status: { conditions: [] },
});

test('an object keeps everything but the manifest of kubectl apply', () => {
  const stored = compactObject(object({ [LAST_APPLIED]: '{"spec":{}}', other: 'kept' }));
  expect(stored).toEqual(object({ other: 'kept' }));
  expect(compactObject(object())).toEqual(object());
});

test('the object that the manifest is left out of stays as it was, for its other readers', () => {
  const answer = object({ [LAST_APPLIED]: '{}' });
  compactObject(answer);
  expect(answer).toEqual(object({ [LAST_APPLIED]: '{}' }));
});

test('the metadata of a Secret is kept without the manifest, which has its values', () => {
  const secret = (annotations: Record<string, string>): KubernetesObject => (
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', annotations } });
  expect(compactMetadata(secret({ [LAST_APPLIED]: '{}', other: 'kept' }))).toEqual(secret({ other: 'kept' }));
});
