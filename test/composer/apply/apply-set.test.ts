import { createHash } from 'node:crypto';
import { applySetId, claimMetadata, isMarked } from '../../../composer/apply/apply-set';
import type { KubernetesObject } from '../../../engine/kubernetes';

const NAME = { group: 'platform.example.com', kind: 'Service', namespace: 'shop', name: 'api' };
const claim: KubernetesObject = { apiVersion: 'platform.example.com/v1', kind: 'Service', metadata: { name: 'api', namespace: 'shop', resourceVersion: '7', finalizers: ['others/one'] } };

test('the id is that of KEP-3659: the unpadded URL-safe base64 of the SHA-256 of name, namespace, kind and group', () => {
  const hash = createHash('sha256').update('api.shop.Service.platform.example.com').digest('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  expect(applySetId(NAME)).toBe(`applyset-${hash}-v1`);
  // `kubectl apply --prune --applyset=secrets/my-set -n default` writes this one.
  expect(applySetId({ group: '', kind: 'Secret', namespace: 'default', name: 'my-set' })).toMatch(/^applyset-[\w-]{43}-v1$/);
  expect(applySetId(NAME).length).toBeLessThanOrEqual(63);
});

test('a claim gets finalizer, label and annotations once; finalizers of others stay', () => {
  const members = [
    { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'shop', name: 'data' },
    { group: '', kind: 'ConfigMap', namespace: 'blog', name: 'x' },
    { group: '', kind: 'Namespace', namespace: '', name: 'blog' },
  ];
  const patch = claimMetadata(claim, members, 'cdk8s-aso/1.0.0')!;
  expect(patch.metadata).toEqual({
    resourceVersion: '7',
    finalizers: ['others/one', 'aso.cdk8s.io/composed-objects'],
    labels: { 'applyset.kubernetes.io/id': applySetId(NAME) },
    annotations: {
      'applyset.kubernetes.io/tooling': 'cdk8s-aso/1.0.0',
      'applyset.kubernetes.io/contains-group-kinds': 'ConfigMap,Namespace,StorageAccount.storage.azure.com',
      'applyset.kubernetes.io/additional-namespaces': 'blog',
    },
  });
  expect(claimMetadata({ ...claim, metadata: { ...claim.metadata, ...patch.metadata } }, members, 'cdk8s-aso/1.0.0')).toBeUndefined();
});

test.each([
  [{ labels: { 'applyset.kubernetes.io/part-of': applySetId(NAME) } }, true],
  [{ annotations: { 'aso.cdk8s.io/composed-for': 'Service.platform.example.com/shop/api' } }, true],
  [{ labels: { 'applyset.kubernetes.io/part-of': applySetId({ ...NAME, name: 'web' }) } }, false],
  [{}, false],
])('an object with %j belongs to the claim: %s', (metadata, isOwn) => {
  expect(isMarked({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', ...metadata } }, NAME)).toBe(isOwn);
});
