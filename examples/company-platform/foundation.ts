import { ApiObject, App, Chart } from 'cdk8s';
import { names, prd } from './environment';
import { HubAndSpokes, sharedEndpoints } from './network';
import { hubSubscription, location, sharedGroup, tenantId } from './network-plan';
import { CredentialReference, Credentials, RemovalPolicies, RemovalPolicy } from 'cdk8s-aso';
import * as cdn from 'cdk8s-aso/cdn';
import * as postgres from 'cdk8s-aso/dbforpostgresql';
import * as eventhub from 'cdk8s-aso/eventhub';
import * as keyvault from 'cdk8s-aso/keyvault';
import { PrivateEndpoints } from 'cdk8s-aso/patterns';
import { PlatformCredential } from 'cdk8s-aso/platform';
import { ResourceGroup } from 'cdk8s-aso/resources';
import * as servicebus from 'cdk8s-aso/servicebus';

/** The objects before the first team: credentials, network, and the shared services, which have no public address but Front Door's. */
export function foundation(app: App): void {
  const chart = new Chart(app, 'foundation', { namespace: prd.platformNamespace });
  RemovalPolicies.of(chart).apply(RemovalPolicy.RETAIN);
  new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: prd.platformNamespace } });
  new PlatformCredential(chart, 'spokes', { environment: prd });
  new PlatformCredential(chart, 'hub', { environment: prd, subscriptionId: hubSubscription });
  const network = new HubAndSpokes(chart);

  const owner = new ResourceGroup(chart, 'shared', { azureName: sharedGroup, location });
  const bus = new servicebus.Namespace(chart, 'service-bus', {
    owner,
    azureName: names.serviceBus,
    sku: { name: servicebus.SBSkuName.PREMIUM, tier: servicebus.SBSkuTier.PREMIUM, capacity: 1 },
    minimumTlsVersion: servicebus.MinimumTlsVersion.V1_2,
    disableLocalAuth: true,
    publicNetworkAccess: servicebus.PublicNetworkAccess.DISABLED,
  });
  const events = new eventhub.Namespace(chart, 'event-hubs', {
    owner,
    azureName: names.eventHubs,
    sku: { name: eventhub.SkuName.STANDARD, tier: eventhub.SkuTier.STANDARD, capacity: 4 },
    minimumTlsVersion: eventhub.MinimumTlsVersion.V1_2,
    disableLocalAuth: true,
    publicNetworkAccess: eventhub.PublicNetworkAccess.DISABLED,
  });
  const databases = new postgres.FlexibleServer(chart, 'postgres', {
    owner,
    azureName: names.postgres,
    version: postgres.FlexibleServerVersion.V16,
    sku: { name: 'Standard_D4ds_v5', tier: postgres.SkuTier.GENERAL_PURPOSE },
    storage: { storageSizeGB: 256 },
    network: { publicNetworkAccess: postgres.PublicNetworkAccess.DISABLED },
    authConfig: {
      activeDirectoryAuth: postgres.ActiveDirectoryAuth.ENABLED,
      passwordAuth: postgres.PasswordAuth.DISABLED,
      tenantId,
    },
  });
  const vault = new keyvault.Vault(chart, 'key-vault', {
    owner,
    azureName: names.keyVault,
    properties: {
      tenantId,
      sku: { family: keyvault.SkuFamily.A, name: keyvault.SkuName.STANDARD },
      enableRbacAuthorization: true,
      enableSoftDelete: true,
      enablePurgeProtection: true,
      publicNetworkAccess: 'Disabled',
    },
  });
  const frontDoor = new cdn.Profile(chart, 'front-door', {
    owner,
    azureName: names.frontDoor,
    location: 'Global',
    sku: { name: cdn.SkuName.PREMIUM_AZURE_FRONT_DOOR },
  });
  frontDoor.addAfdEndpoint('endpoint', { azureName: names.endpoint, location: 'Global' });

  const endpoints = new PrivateEndpoints(chart, 'endpoints', {
    owner: network.hubGroup,
    network: network.hub,
    subnet: sharedEndpoints(),
    zones: network.zones,
    location,
  });
  Credentials.of(endpoints).use(CredentialReference.fromSecretName(`aso-credential-${hubSubscription}`));
  for (const service of [bus, events, databases, vault]) endpoints.connect(service);
}
