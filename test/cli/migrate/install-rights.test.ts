import { grantFindings, installRights } from '../../../cli/migrate/install-rights';
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

test('roles that grant more than the user has are found out by a dry run', async () => {
  const group = 'rbac.authorization.k8s.io';
  const roles: ResourceType = { group, version: 'v1', plural: 'clusterroles', kind: 'ClusterRole', namespaced: false };
  const requests: unknown[] = [];
  const connection = {
    request: async (request: object) => {
      requests.push(request);
      const message = `clusterroles "o" is forbidden: user "u" is attempting to grant RBAC permissions not currently held: ${'x'.repeat(9_000)}`;
      return { status: 403, headers: {}, text: JSON.stringify({ message }) };
    },
  };
  const serving = { discovery: async () => ({ types: [deployments, roles], unknownGroups: new Set<string>() }) };
  const findings = await grantFindings(connection, serving, [object('apps/v1', 'Deployment', 'a'), object(`${group}/v1`, 'ClusterRole')]);
  expect(requests).toEqual([expect.objectContaining({ method: 'PATCH', path: `/apis/${group}/v1/clusterroles/o`, query: expect.objectContaining({ dryRun: 'All' }) })]);
  expect(findings).toEqual([expect.objectContaining({ severity: 'stop', check: 'rights', message: expect.stringContaining('attempting to grant RBAC permissions not currently held') })]);
  expect(findings[0]!.message.length).toBeLessThan(700);
});
