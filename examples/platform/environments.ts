import { AzureReference, BuiltInRole, Region } from 'cdk8s-aso';
import { ClusterMode, Environment, SharedService, type EnvironmentProps } from 'cdk8s-aso/platform';

/** The values that differ between environments. All are made up. */
interface Place {
  readonly name: string;
  readonly subscriptionId: string;
  readonly platformIdentityClientId: string;
  readonly clusters: EnvironmentProps['clusters'];
}

const tenantId = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
const issuer = (cluster: string) => `https://uksouth.oic.prod-aks.azure.com/${tenantId}/${cluster}/`;

/** Names of the services that all teams of an environment share. The platform's own pipeline creates them; here a chart does. */
export const sharedNames = (place: string) => ({
  resourceGroup: `rg-orchard-shared-${place}`,
  serviceBus: `sb-orchard-${place}`,
  postgresServer: `psql-orchard-${place}`,
});

function environment({ name, subscriptionId, platformIdentityClientId, clusters }: Place): Environment {
  const { resourceGroup, serviceBus, postgresServer } = sharedNames(name);
  const shared = (type: string, resource: string) =>
    AzureReference.fromArmId(`/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/${type}/${resource}`);
  return new Environment({
    name,
    subscriptionId,
    tenantId,
    location: Region.UK_SOUTH,
    clusters,
    platform: {
      namespace: 'platform',
      identityClientId: platformIdentityClientId,
      // Assigned when the cluster was created.
      roles: [BuiltInRole.CONTRIBUTOR, BuiltInRole.USER_ACCESS_ADMINISTRATOR].map((role) => ({
        role,
        scope: `/subscriptions/${subscriptionId}`,
      })),
      groups: ['platform-engineers'],
      serviceAccounts: ['flux-system:kustomize-controller'],
    },
    // Roles that allow to create and delete queues and databases. For narrower roles of your own: BuiltInRole.custom(id).
    shared: {
      services: [
        SharedService.serviceBus({
          resource: shared('Microsoft.ServiceBus/namespaces', serviceBus),
          role: BuiltInRole.SERVICE_BUS_DATA_OWNER,
        }),
        SharedService.postgresServer({
          resource: shared('Microsoft.DBforPostgreSQL/flexibleServers', postgresServer),
          role: BuiltInRole.CONTRIBUTOR,
        }),
      ],
    },
    tags: { environment: name, platform: 'orchard' },
  });
}

/** One cluster. */
export const dev = environment({
  name: 'dev',
  subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
  platformIdentityClientId: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
  clusters: [{ name: 'aks-orchard-dev', oidcIssuerUrl: issuer('5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6') }],
});

/** Two clusters. The objects of the passive one only watch. `prd.withActive('aks-orchard-prd-b')` makes the other cluster active. */
export const prd = environment({
  name: 'prd',
  subscriptionId: 'c4f1e2a7-6b3d-4e90-8f15-7a2c9d0b6e34',
  platformIdentityClientId: '6f8b1d2e-3c4a-4b59-9e07-d1a2c3b4e5f6',
  clusters: [
    { name: 'aks-orchard-prd-a', oidcIssuerUrl: issuer('a1b2c3d4-0e5f-4a6b-8c7d-9e0f1a2b3c4d') },
    { name: 'aks-orchard-prd-b', oidcIssuerUrl: issuer('b2c3d4e5-1f6a-4b7c-9d8e-0f1a2b3c4d5e'), mode: ClusterMode.PASSIVE },
  ],
});
