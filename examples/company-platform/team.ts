import { ApiObject } from 'cdk8s';
import { prd } from './environment';
import { GROUP, teamOf, teamSpec } from './team-spec';
import { PlatformCredential, TeamOnboarding } from 'cdk8s-aso/platform';
import { ComposedValue, defineApi } from 'cdk8s-aso/platform-api';

/** `kind: Team`, of the platform team: cluster-scoped, with the name of the team's namespace. */
export const team = defineApi({
  group: GROUP,
  kind: 'Team',
  version: 'v1',
  namespaced: false,
  description: 'A team: its namespace with quotas, its resource group, identities and roles. The name is that of the namespace.',
  columns: [
    { name: 'Class', jsonPath: '.spec.class' },
    { name: 'Cost centre', jsonPath: '.spec.costCentre' },
  ],
  schema: teamSpec,
  composes: [
    ...['Namespace', 'ResourceQuota', 'LimitRange', 'Secret', 'ServiceAccount'].map((kind) => ({ group: '', kind })),
    { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
    { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
    { group: 'resources.azure.com', kind: 'ResourceGroup' },
    { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' },
    { group: 'managedidentity.azure.com', kind: 'FederatedIdentityCredential' },
    { group: 'authorization.azure.com', kind: 'RoleAssignment' },
  ],
  // The composer binds the role of `rights.yaml`, and no other, without having its rights.
  rights: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['aurland-team'] }],
  // Outputs are client ids, which identities export.
  configMapOutputs: true,
  compose(scope, { name, spec }) {
    const own = teamOf(name, spec);
    if (own.subscriptionId !== prd.subscriptionId) {
      new PlatformCredential(scope, 'subscription', { environment: prd, subscriptionId: own.subscriptionId });
    }
    const { workloadIdentity } = new TeamOnboarding(scope, 'team', { team: own, network: { fromNamespaces: ['ingress'] } });
    // The team's people apply services and workloads: `rights.yaml` has the role.
    new ApiObject(scope, 'members', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'team-members', namespace: own.namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'aurland-team' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: spec.members }],
    });
    return {
      outputs: {
        resourceGroup: own.resourceGroup,
        sharedServices: own.uses.map((service) => service.name).join(', '),
        ...(own.hostNames.length > 0 && { hostNames: own.hostNames.join(', ') }),
        podsClientId: ComposedValue.fromConfigMap(workloadIdentity!.outputs.clientId, prd.platformNamespace),
      },
      links: { resourceGroup: `https://portal.azure.com/#@${prd.tenantId}/resource${own.resourceGroupId}` },
    };
  },
});
