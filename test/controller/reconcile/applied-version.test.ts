import { GROUPS } from './harness';
import { appliedVersionOf } from '../../../engine/kubernetes/applied-version';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const spec = { 'f:spec': {} };
const object = (managedFields: unknown, annotations?: Record<string, string>) =>
  ({
    apiVersion: 'resources.azure.com/v1',
    kind: 'ResourceGroup',
    metadata: { name: 'x', managedFields, annotations },
  }) as unknown as KubernetesObject;

test.each([
  ['nothing tells', object(undefined), undefined],
  [
    'who wrote the spec last',
    object([
      { apiVersion: 'resources.azure.com/v2', time: '2026-01-02T00:00:00Z', fieldsV1: spec },
      { apiVersion: 'resources.azure.com/v3', time: '2026-01-01T00:00:00Z', fieldsV1: spec },
    ]),
    'resources.azure.com/v2',
  ],
  [
    'not who wrote metadata or status',
    object([
      { apiVersion: 'resources.azure.com/v2', time: '2026-01-01T00:00:00Z', fieldsV1: spec },
      { apiVersion: 'resources.azure.com/v3', time: '2026-01-02T00:00:00Z', fieldsV1: { 'f:metadata': {} } },
      { apiVersion: 'resources.azure.com/v4', time: '2026-01-03T00:00:00Z', subresource: 'status', fieldsV1: { 'f:status': {} } },
    ]),
    'resources.azure.com/v2',
  ],
  [
    'client-side apply',
    object([], { 'kubectl.kubernetes.io/last-applied-configuration': '{"apiVersion":"resources.azure.com/v5"}' }),
    'resources.azure.com/v5',
  ],
  [
    'another group is a mistake',
    object([{ apiVersion: 'evil.azure.com/v2', fieldsV1: spec }], { 'kubectl.kubernetes.io/last-applied-configuration': 'no JSON' }),
    undefined,
  ],
])('%s', (_, found, expected) => {
  expect(appliedVersionOf(GROUPS, found)).toBe(expected);
});
