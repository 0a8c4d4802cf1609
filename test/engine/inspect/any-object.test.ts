import fc from 'fast-check';
import { snapshotOf } from './snapshots';
import { styleFor } from '../../../cli/output/terminal';
import { statusJson } from '../../../cli/status/status-json';
import { statusLines } from '../../../cli/status/status-text';
import { whyJson } from '../../../cli/why/why-json';
import { whyLines } from '../../../cli/why/why-text';
import { explain, inspect } from '../../../engine/inspect';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const style = styleFor({}, {});
const kinds = [
  ['resources.azure.com/v1api20200601', 'ResourceGroup'],
  ['storage.azure.com/v1api20230101', 'StorageAccount'],
  ['authorization.azure.com/v1api20220401', 'RoleAssignment'],
  ['managedidentity.azure.com/v1', 'UserAssignedIdentity'],
  ['unknown.azure.com/v1', 'Unknown'],
] as const;
const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const reasons = fc.constantFrom(
  'WaitingForOwner', 'ReferenceNotFound', 'ConfigMapNotFound', 'SecretNotFound', 'CredentialNotFound', 'KindNotWatched', 'Reconciling', 'Deleting',
  'AuthorizationFailed', 'Failed', 'constructor', '__proto__', '\u001b[2J',
);
const messages = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(
  "couldn't resolve reference a/b: x", 'Waiting for its turn: RoleAssignment shop/a comes first, and', 'the cluster does not serve __proto__.azure.com:',
  'The deletion waits until nobody needs this any more: 1 object: StorageAccount a. Not being deleted: StorageAccount a.',
  "with object id '' does not have authorization to perform action '' over scope ''", 'owners form a cycle: a -> b',
));
const references = fc.record({
  owner: fc.oneof(fc.record({ name: names }), fc.record({ group: fc.constant('authorization.azure.com'), kind: fc.constant('RoleAssignment'), name: names }), fc.jsonValue()),
  principalIdFromConfig: fc.oneof(fc.record({ name: names, key: names }), fc.jsonValue()),
  operatorSpec: fc.oneof(fc.record({ configMaps: fc.record({ principalId: fc.record({ name: names, key: names }) }) }), fc.jsonValue()),
}, { requiredKeys: [] });
const condition = fc.record({
  type: fc.constant('Ready'),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  severity: fc.constantFrom('Error', 'Warning', 'Info', undefined),
  reason: reasons,
  message: fc.option(messages, { nil: undefined }),
  lastTransitionTime: fc.constantFrom('2026-11-23T11:00:00Z', '2999-01-01T00:00:00Z', 'x'),
  observedGeneration: fc.constantFrom(0, 1, 2, undefined),
});
const objects = fc.array(fc.record({
  kind: fc.constantFrom(...kinds),
  name: names,
  spec: fc.oneof(references, fc.jsonValue()),
  conditions: fc.oneof(fc.array(fc.oneof(condition, fc.jsonValue()), { maxLength: 2 }), fc.jsonValue()),
  finalizers: fc.subarray(['serviceoperator.azure.com/finalizer', 'foregroundDeletion', 'example.com/x']),
  annotations: fc.dictionary(fc.constantFrom(
    'serviceoperator.azure.com/resource-id', 'serviceoperator.azure.com/credential-from', 'serviceoperator.azure.com/reconcile-policy',
    'serviceoperator.azure.com/operator-namespace', 'serviceoperator.azure.com/poller-resume-token', 'aso.cdk8s.io/propagate-credentials-to',
    'aso.cdk8s.io/waiting',
  ), fc.oneof(names, messages)),
  deletionTimestamp: fc.constantFrom('2026-11-23T11:00:00Z', undefined),
}), { maxLength: 12 });

type Drawn = typeof objects extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

function objectOf({ kind: [apiVersion, kind], name, spec, conditions, deletionTimestamp, ...metadata }: Drawn): KubernetesObject {
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: 'shop', uid: name, generation: 1, ...metadata, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
    spec: spec as Record<string, unknown>,
    status: { conditions } as unknown as NonNullable<KubernetesObject['status']>,
  };
}

test('objects of any form are inspected, explained and printed', () => {
  fc.assert(fc.property(objects, (all) => {
    const unique = [...new Map(all.map(objectOf).map((object) => [`${object.apiVersion}/${object.kind}/${object.metadata.name}`, object])).values()];
    const inspection = inspect(snapshotOf({ objects: unique }));
    expect(inspection.nodes).toHaveLength(unique.length);
    const lines = statusLines(inspection, { style, wide: true, folds: false, shows: () => true });
    JSON.stringify(statusJson(inspection, () => true));
    for (const node of inspection.nodes) {
      const explanation = explain(inspection, node);
      lines.push(...whyLines(explanation, inspection, style));
      JSON.stringify(whyJson(explanation, inspection));
      // Each object that is not settled has its cause, and is among the objects of that cause.
      if (node.state === 'Ready' || node.state === 'Suspended') expect(node.cause).toBeUndefined();
      else expect(inspection.causes.find(({ id }) => id === node.cause)?.nodes).toContain(node.key);
    }
  }), { numRuns: 500 });
});
