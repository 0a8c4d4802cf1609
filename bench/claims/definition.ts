// The definition that the bench builds: the platform's kinds, with guard rails for every team.
import { AzureReference, BuiltInRole } from 'cdk8s-aso';
import { Environment, SelfServicePolicy, SharedService } from 'cdk8s-aso/platform';
import { platformKinds } from 'cdk8s-aso/platform-kinds';

const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';

export const environment = new Environment({
  name: 'dev',
  subscriptionId: SUBSCRIPTION,
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  location: 'uksouth',
  clusters: [{ name: 'aks-dev', oidcIssuerUrl: 'https://kubernetes.default.svc' }],
  platform: {
    namespace: 'platform',
    identityClientId: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
    groups: ['platform-engineers'],
    serviceAccounts: ['cdk8s-aso-composer:composer'],
    roles: [BuiltInRole.CONTRIBUTOR, BuiltInRole.USER_ACCESS_ADMINISTRATOR].map((role) => ({ role, scope: `/subscriptions/${SUBSCRIPTION}` })),
  },
  shared: {
    services: [
      SharedService.serviceBus({
        resource: AzureReference.fromArmId(`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shared/providers/Microsoft.ServiceBus/namespaces/sb-bench-shared`),
        role: BuiltInRole.CONTRIBUTOR,
      }),
    ],
  },
});

export default platformKinds({ group: 'platform.example.com', environment, policy: SelfServicePolicy.ofComponents() });
