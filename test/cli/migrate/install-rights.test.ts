import { installRights } from '../../../cli/migrate/install-rights';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';

const deployments: ResourceType = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
const namespaces: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const client = { discovery: async () => ({ types: [deployments, namespaces], unknownGroups: new Set<string>() }) };
const object = (apiVersion: string, kind: string, namespace?: string): KubernetesObject => (
  { apiVersion, kind, metadata: { name: 'o', ...(namespace !== undefined && { namespace }) } });

test('a right for each kind and namespace, and a finding for a kind that is not served', async () => {
  const install = [
    object('v1', 'Namespace'),
    object('apps/v1', 'Deployment', 'a'),
    object('apps/v1', 'Deployment', 'a'),
    object('apps/v1', 'Deployment', 'b'),
    object('monitoring.coreos.com/v1', 'ServiceMonitor', 'a'),
  ];
  const { rights, findings } = await installRights(client, install);
  expect(rights).toEqual([
    { type: namespaces, verbs: ['create', 'patch'] },
    { type: deployments, verbs: ['create', 'patch'], namespace: 'a' },
    { type: deployments, verbs: ['create', 'patch'], namespace: 'b' },
  ]);
  expect(findings).toEqual([expect.objectContaining({
    severity: 'stop', message: 'the manifests have a ServiceMonitor, and the API server serves no monitoring.coreos.com/v1 ServiceMonitor',
  })]);
});
