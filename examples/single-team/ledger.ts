import { ApiObject, App, Chart } from 'cdk8s';
import { AsoRelease, AzureReference, BuiltInRole, Region, RoleAssignmentNaming } from 'cdk8s-aso';
import {
  CredentialDelivery,
  Environment,
  PlatformCredential,
  QueueRole,
  Service,
  SharedService,
  Team,
  TeamOnboarding,
  WorkloadIdentityMode,
} from 'cdk8s-aso/platform';

const subscriptionId = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';

/** A cluster with plain Azure Service Operator 2.13 and Kyverno. All values are made up. */
export const production = new Environment({
  name: 'prd',
  subscriptionId,
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  location: Region.UK_SOUTH,
  release: AsoRelease.V2_13_0,
  // Azure Service Operator exchanges its own token for the credentials of all namespaces.
  workloadIdentity: WorkloadIdentityMode.RELAXED,
  clusters: [
    {
      name: 'aks-ledger',
      oidcIssuerUrl: 'https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/',
    },
  ],
  platform: { identityClientId: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486' },
  shared: {
    services: [
      SharedService.serviceBus({
        resource: AzureReference.fromArmId(
          `/subscriptions/${subscriptionId}/resourceGroups/rg-shared/providers/Microsoft.ServiceBus/namespaces/sb-shared`,
        ),
        role: BuiltInRole.SERVICE_BUS_DATA_OWNER,
      }),
    ],
  },
});

/** One team, on a cluster without the controller of this package: Azure Service Operator exports the credential, Kyverno copies it. */
export function ledger(outdir?: string): App {
  const app = new App(outdir === undefined ? {} : { outdir });
  production.release!.applyTo(app);
  // Azure's name of a role assignment has to be unique in the tenant: it is derived from scope, principal and role.
  RoleAssignmentNaming.tenantUnique({ subscriptionId }).applyTo(app);
  const team = new Team({ name: 'ledger', groups: ['ledger-developers'], uses: ['service-bus'] }).in(production);

  const platform = new Chart(app, 'platform');
  new ApiObject(platform, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: production.platformNamespace } });
  new PlatformCredential(platform, 'credential', { environment: production });
  new TeamOnboarding(platform, 'onboarding', { team, delivery: CredentialDelivery.celMirror() });

  new Service(new Chart(app, 'ledger'), 'postings', {
    team,
    name: 'ledger-postings',
    queues: [{ name: 'postings', roles: [QueueRole.SENDER, QueueRole.RECEIVER], settings: { maxDeliveryCount: 5 } }],
  });
  return app;
}
