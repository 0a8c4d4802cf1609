import { ApiObject } from 'cdk8s';
import { Region, RemovalPolicy, RoleAssignmentNaming } from 'cdk8s-aso';
import {
  Environment,
  Platform,
  PlatformCredential,
  SelfServicePolicy,
  Service,
  StorageRole,
  Team,
  TeamOnboarding,
} from 'cdk8s-aso/platform';

/** An environment for experiments: everything that a developer leaves in a namespace is deleted with it. All values are made up. */
export const sandbox = new Environment({
  name: 'snd',
  subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  location: Region.UK_SOUTH,
  clusters: [
    {
      name: 'aks-workshop',
      oidcIssuerUrl: 'https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/',
    },
  ],
  platform: { identityClientId: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486' },
  groupRemoval: RemovalPolicy.DESTROY,
});

const team = new Team({
  name: 'cider',
  serviceCode: 'CDR',
  groups: ['cider-developers'],
  quotas: { pods: 10, cpu: '2', memory: '4000Mi' },
});

/** A namespace, a resource group, an identity and limits for each developer. */
export const developers = ['alice', 'bob'];

export function workshop(outdir?: string): Platform {
  const workspaces = developers.map((name) => team.workspace(name));
  const teams = workspaces.map((workspace) => ({ team: workspace }));
  const platform = new Platform({ environments: [sandbox], teams, ...(outdir === undefined ? {} : { outdir }) });
  const policy = SelfServicePolicy.ofComponents();
  for (const cluster of platform.clusters) {
    // Azure's name of a role assignment has to be unique in the tenant: it is derived from scope, principal and role.
    RoleAssignmentNaming.tenantUnique({ subscriptionId: sandbox.subscriptionId }).applyTo(cluster.app);
    const own = cluster.chart('platform');
    new ApiObject(own, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: sandbox.platformNamespace } });
    new PlatformCredential(own, 'credential', { environment: sandbox });
    for (const workspace of cluster.teams) {
      new TeamOnboarding(cluster.chart(`${workspace.namespace}-onboarding`), 'onboarding', { team: workspace, policy });
      new Service(cluster.chart(workspace.namespace, workspace.namespace), 'trial', {
        team: workspace,
        name: `${workspace.team.name}-trial`,
        storageAccounts: [
          { name: 'notes', roles: [StorageRole.DATA_WRITER], containers: [{ name: 'drafts' }], removalPolicy: RemovalPolicy.DESTROY },
        ],
      });
    }
  }
  return platform;
}
