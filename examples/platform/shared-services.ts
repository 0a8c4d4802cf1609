import { ApiObject, Chart } from 'cdk8s';
import { sharedNames } from './environments';
import { dbforpostgresql, resources, servicebus } from 'cdk8s-aso';
import { PlatformCredential, type PlatformCluster } from 'cdk8s-aso/platform';

/** The platform's namespace, its credential, and the services that all teams share. */
export function sharedServices({ app, environment }: PlatformCluster): Chart {
  const { location, platformNamespace, tenantId } = environment;
  const names = sharedNames(environment.name);
  const chart = new Chart(app, 'platform', { namespace: platformNamespace });
  new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: platformNamespace } });
  new PlatformCredential(chart, 'credential', { environment });

  const owner = new resources.ResourceGroup(chart, 'group', { metadata: { name: names.resourceGroup }, location });
  new servicebus.Namespace(chart, 'service-bus', {
    metadata: { name: names.serviceBus },
    owner,
    location,
    sku: { name: servicebus.SBSkuName.STANDARD, tier: servicebus.SBSkuTier.STANDARD },
  });
  // Entra authentication only: there is no administrator password to keep.
  new dbforpostgresql.FlexibleServer(chart, 'postgres', {
    metadata: { name: names.postgresServer },
    owner,
    location,
    version: dbforpostgresql.FlexibleServerVersion.V16,
    sku: { name: 'Standard_B2s', tier: dbforpostgresql.SkuTier.BURSTABLE },
    storage: { storageSizeGB: 32 },
    authConfig: {
      activeDirectoryAuth: dbforpostgresql.ActiveDirectoryAuth.ENABLED,
      passwordAuth: dbforpostgresql.PasswordAuth.DISABLED,
      tenantId,
    },
  });
  return chart;
}
