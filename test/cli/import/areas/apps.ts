import { common, everywhere, put, SHOP, type Area, type Put } from './put';

const GROUP = `${SHOP}-apps`;
const WEB = `${GROUP}/providers/Microsoft.Web`;
const APP = `${GROUP}/providers/Microsoft.App`;
const STORE = `${GROUP}/providers/Microsoft.AppConfiguration/configurationStores/shop-config-4711`;
const PROFILE = `${GROUP}/providers/Microsoft.Cdn/profiles/shop-door`;
const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop-jobs`;

const web: readonly Put[] = [
  put('2022-03-01', `${WEB}/serverfarms/shop-plan`, {
    ...common,
    kind: 'linux',
    sku: { name: 'P1v3', tier: 'PremiumV3', capacity: 2 },
    properties: { reserved: true },
  }),
  put('2022-03-01', `${WEB}/sites/shop-admin-4711`, {
    ...common,
    kind: 'app,linux',
    identity: { type: 'SystemAssigned' },
    properties: {
      serverFarmId: `${WEB}/serverfarms/shop-plan`,
      httpsOnly: true,
      siteConfig: { linuxFxVersion: 'NODE|22-lts', alwaysOn: true, minTlsVersion: '1.2' },
    },
  }),
];

const containers: readonly Put[] = [
  put('2024-03-01', `${APP}/managedEnvironments/shop`, {
    ...common, properties: { zoneRedundant: false, workloadProfiles: [{ name: 'Consumption', workloadProfileType: 'Consumption' }] },
  }),
  put('2024-03-01', `${APP}/containerApps/shop-search`, {
    ...common,
    properties: {
      environmentId: `${APP}/managedEnvironments/shop`,
      configuration: { activeRevisionsMode: 'Single', ingress: { external: true, targetPort: 8080, transport: 'auto' } },
      template: {
        containers: [{ name: 'search', image: 'mcr.microsoft.com/k8se/quickstart:latest', resources: { cpu: 0.5, memory: '1Gi' } }],
        scale: { minReplicas: 1, maxReplicas: 5 },
      },
    },
  }),
  put('2024-03-01', `${APP}/containerApps/shop-search/authConfigs/current`, {
    properties: { platform: { enabled: true }, httpSettings: { requireHttps: true } },
  }),
  put('2024-03-01', `${APP}/jobs/shop-reindex`, {
    ...common,
    properties: {
      environmentId: `${APP}/managedEnvironments/shop`,
      configuration: {
        triggerType: 'Schedule',
        replicaTimeout: 1800,
        replicaRetryLimit: 1,
        scheduleTriggerConfig: { cronExpression: '0 3 * * *', parallelism: 1, replicaCompletionCount: 1 },
      },
      template: {
        containers: [{ name: 'reindex', image: 'mcr.microsoft.com/k8se/quickstart-jobs:latest', resources: { cpu: 0.5, memory: '1Gi' } }],
      },
    },
  }),
];

const settings: readonly Put[] = [
  put('2023-01-31', IDENTITY, common),
  put('2023-01-31', `${IDENTITY}/federatedIdentityCredentials/github`, {
    properties: {
      issuer: 'https://token.actions.githubusercontent.com',
      subject: 'repo:example/shop:environment:prod',
      audiences: ['api://AzureADTokenExchange'],
    },
  }),
  put('2024-06-01', STORE, {
    ...common,
    sku: { name: 'Standard' },
    properties: { disableLocalAuth: false, enablePurgeProtection: false, softDeleteRetentionInDays: 7 },
  }),
  put('2024-06-01', `${STORE}/keyValues/currency`, { properties: { value: 'GBP', contentType: 'text/plain' } }),
];

const door: readonly Put[] = [
  put('2023-05-01', PROFILE, { ...everywhere, sku: { name: 'Standard_AzureFrontDoor' }, properties: { originResponseTimeoutSeconds: 60 } }),
  put('2023-05-01', `${PROFILE}/afdEndpoints/shop-4711`, { ...everywhere, properties: { enabledState: 'Enabled' } }),
  put('2023-05-01', `${PROFILE}/originGroups/web`, {
    properties: {
      loadBalancingSettings: { sampleSize: 4, successfulSamplesRequired: 3, additionalLatencyInMilliseconds: 50 },
      healthProbeSettings: { probePath: '/health', probeRequestType: 'HEAD', probeProtocol: 'Https', probeIntervalInSeconds: 100 },
    },
  }),
  put('2023-05-01', `${PROFILE}/originGroups/web/origins/admin`, {
    properties: {
      hostName: 'shop-admin-4711.azurewebsites.net',
      originHostHeader: 'shop-admin-4711.azurewebsites.net',
      httpPort: 80,
      httpsPort: 443,
      priority: 1,
      weight: 1000,
      enabledState: 'Enabled',
    },
  }),
  put('2023-05-01', `${PROFILE}/ruleSets/headers`),
  put('2023-05-01', `${PROFILE}/ruleSets/headers/rules/secure`, {
    properties: {
      order: 1,
      conditions: [],
      actions: [{
        name: 'ModifyResponseHeader',
        parameters: {
          typeName: 'DeliveryRuleHeaderActionParameters',
          headerAction: 'Overwrite',
          headerName: 'X-Content-Type-Options',
          value: 'nosniff',
        },
      }],
    },
  }),
  put('2023-05-01', `${PROFILE}/afdEndpoints/shop-4711/routes/all`, {
    properties: {
      originGroup: { id: `${PROFILE}/originGroups/web` },
      ruleSets: [{ id: `${PROFILE}/ruleSets/headers` }],
      supportedProtocols: ['Http', 'Https'],
      patternsToMatch: ['/*'],
      forwardingProtocol: 'HttpsOnly',
      linkToDefaultDomain: 'Enabled',
      httpsRedirect: 'Enabled',
    },
  }),
];

/** Web apps and container apps of the shop, and what is in front of them. */
export const APPS_AREA: Area = { group: GROUP, resources: () => [...web, ...containers, ...settings, ...door] };
