import type { PlatformConfiguration } from './configuration';

/** The development environment. All values are made up. */
export const dev: PlatformConfiguration = {
  environment: 'dev',
  environmentInstance: '01',
  subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
  subscriptionName: 'azr-plt-dev1',
  tenantId: '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa',
  clusterName: 'DEVPLTINFAK1401',
  clusterOidcIssuerUrl: 'https://issuer.example/dev/',
  sharedResourceGroup: 'devpltinfrg1401',
  serviceBusNamespace: 'devpltinfsb1401',
  serviceBusRoleDefinitionId: '5fbfd215-41c7-542f-85f6-b582020fc3e3',
  identityPrefix: 'devpltinfmid1401',
};
