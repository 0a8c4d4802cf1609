import { common, everywhere, put, SHOP, type Area, type Put } from './put';

const GROUP = `${SHOP}-monitoring`;
const INSIGHTS = `${GROUP}/providers/Microsoft.Insights`;
const WORKSPACE = `${GROUP}/providers/Microsoft.OperationalInsights/workspaces/shop-logs-4711`;
const ACTIONS = `${INSIGHTS}/actionGroups/shop-oncall`;
const COMPONENT = `${INSIGHTS}/components/shop-web`;
const SCALE_SET = `${SHOP}-compute/providers/Microsoft.Compute/virtualMachineScaleSets/shop-workers`;
const STORAGE = `${SHOP}/providers/Microsoft.Storage/storageAccounts/shopdata4711`;
const MACHINE = `${SHOP}-compute/providers/Microsoft.Compute/virtualMachines/shop-batch`;
const RULE = `${INSIGHTS}/dataCollectionRules/shop-machines`;

const collected: readonly Put[] = [
  put('2025-07-01', WORKSPACE, { ...common, properties: { sku: { name: 'PerGB2018' }, retentionInDays: 90 } }),
  put('2020-02-02', COMPONENT, { ...common, kind: 'web', properties: { Application_Type: 'web', WorkspaceResourceId: WORKSPACE } }),
  put('2024-03-11', `${INSIGHTS}/dataCollectionEndpoints/shop`, {
    ...common,
    kind: 'Linux',
    properties: { networkAcls: { publicNetworkAccess: 'Enabled' } },
  }),
  put('2024-03-11', RULE, {
    ...common,
    kind: 'Linux',
    properties: {
      dataSources: {
        performanceCounters: [
          { name: 'memory', streams: ['Microsoft-Perf'], samplingFrequencyInSeconds: 60, counterSpecifiers: ['\\Memory\\Available Bytes'] },
        ],
      },
      destinations: { logAnalytics: [{ name: 'logs', workspaceResourceId: WORKSPACE }] },
      dataFlows: [{ streams: ['Microsoft-Perf'], destinations: ['logs'] }],
    },
  }),
  put('2024-03-11', `${MACHINE}/providers/Microsoft.Insights/dataCollectionRuleAssociations/shop-machines`, {
    properties: { dataCollectionRuleId: RULE },
  }),
  put('2023-04-03', `${GROUP}/providers/Microsoft.Monitor/accounts/shop-metrics`, common),
];

const alerts: readonly Put[] = [
  put('2023-01-01', ACTIONS, {
    ...everywhere,
    properties: {
      groupShortName: 'shoponcall',
      enabled: true,
      emailReceivers: [{ name: 'oncall', emailAddress: 'oncall@example.com', useCommonAlertSchema: true }],
    },
  }),
  put('2018-03-01', `${INSIGHTS}/metricAlerts/storage-availability`, {
    ...everywhere,
    properties: {
      description: 'Storage answers too few requests',
      severity: 2,
      enabled: true,
      scopes: [STORAGE],
      evaluationFrequency: 'PT5M',
      windowSize: 'PT15M',
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria',
        'allOf': [{
          criterionType: 'StaticThresholdCriterion',
          name: 'availability',
          metricNamespace: 'Microsoft.Storage/storageAccounts',
          metricName: 'Availability',
          operator: 'LessThan',
          threshold: 99,
          timeAggregation: 'Average',
        }],
      },
      actions: [{ actionGroupId: ACTIONS }],
    },
  }),
  put('2020-10-01', `${INSIGHTS}/activityLogAlerts/deleted`, {
    ...everywhere,
    properties: {
      enabled: true,
      scopes: [GROUP],
      condition: {
        allOf: [
          { field: 'category', equals: 'Administrative' },
          { field: 'operationName', equals: 'Microsoft.Storage/storageAccounts/delete' },
        ],
      },
      actions: { actionGroups: [{ actionGroupId: ACTIONS }] },
    },
  }),
  put('2022-06-15', `${INSIGHTS}/scheduledQueryRules/errors`, {
    ...common,
    kind: 'LogAlert',
    properties: {
      severity: 1,
      enabled: true,
      scopes: [COMPONENT],
      evaluationFrequency: 'PT10M',
      windowSize: 'PT10M',
      criteria: {
        allOf: [{
          query: 'requests | where success == false',
          timeAggregation: 'Count',
          operator: 'GreaterThan',
          threshold: 10,
          failingPeriods: { minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 1 },
        }],
      },
      actions: { actionGroups: [ACTIONS] },
    },
  }),
  put('2022-06-15', `${INSIGHTS}/webtests/shop-home`, {
    ...common,
    location: 'uksouth',
    kind: 'standard',
    tags: { ...common.tags, [`hidden-link:${COMPONENT}`]: 'Resource' },
    properties: {
      SyntheticMonitorId: 'shop-home',
      Name: 'shop-home',
      Kind: 'standard',
      Enabled: true,
      Frequency: 300,
      Timeout: 30,
      RetryEnabled: true,
      Locations: [{ Id: 'emea-gb-db3-azr' }],
      Request: { RequestUrl: 'https://shop.example.com', HttpVerb: 'GET' },
      ValidationRules: { ExpectedHttpStatusCode: 200 },
    },
  }),
];

const acted: readonly Put[] = [
  put('2022-10-01', `${INSIGHTS}/autoscalesettings/shop-workers`, {
    ...common,
    properties: {
      name: 'shop-workers',
      enabled: true,
      targetResourceUri: SCALE_SET,
      profiles: [{
        name: 'cpu',
        capacity: { minimum: '2', maximum: '5', default: '2' },
        rules: [{
          metricTrigger: {
            metricName: 'Percentage CPU',
            metricResourceUri: SCALE_SET,
            timeGrain: 'PT1M',
            statistic: 'Average',
            timeWindow: 'PT5M',
            timeAggregation: 'Average',
            operator: 'GreaterThan',
            threshold: 75,
          },
          scaleAction: { direction: 'Increase', type: 'ChangeCount', value: '1', cooldown: 'PT5M' },
        }],
      }],
    },
  }),
  put('2023-06-01', `${INSIGHTS}/workbooks/c0de8e62-4b3a-4a1b-9b1a-000000000001`, {
    ...common,
    kind: 'shared',
    properties: {
      displayName: 'Shop',
      category: 'workbook',
      sourceId: COMPONENT,
      serializedData: '{"version":"Notebook/1.0","items":[{"type":1,"content":{"json":"# Shop"},"name":"title"}]}',
    },
  }),
  put('2023-03-01', `${GROUP}/providers/Microsoft.AlertsManagement/prometheusRuleGroups/shop-pods`, {
    ...common,
    properties: {
      enabled: true,
      interval: 'PT1M',
      scopes: [`${GROUP}/providers/Microsoft.Monitor/accounts/shop-metrics`],
      rules: [{ record: 'job:requests:rate5m', expression: 'sum by (job) (rate(requests_total[5m]))', enabled: true }],
    },
  }),
];

/** Logs, metrics and alerts of the shop. */
export const MONITORING_AREA: Area = { group: GROUP, resources: () => [...collected, ...alerts, ...acted] };
